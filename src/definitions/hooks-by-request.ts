import type { ResourceDefinition } from './resource-definition'

type HookName = Exclude<keyof ResourceDefinition, 'resource'>

/**
 * Which requests call a hook. The table is complete, so that a new hook can't be forgotten where requests that no hook concerns take fewer steps.
 */
const CALLED_BY: Readonly<Record<HookName, readonly RequestKind[]>> = {
  filter: ['read', 'write'],
  sort: ['read'],
  page: ['read'],
  fields: ['read', 'write'],
  include: ['read', 'write'],
  serialize: ['read', 'write'],
  meta: ['read', 'write'],
  redirect: ['read', 'write'],
  prepareWrite: ['write'],
  setToOne: ['write'],
  setToMany: ['write'],
  addToMany: ['write'],
  removeFromMany: ['write'],
  beforeWrite: ['write'],
  afterWrite: ['write'],
  afterCommit: ['write'],
}

type RequestKind = 'read' | 'write'

export function hooksCalledBy(kind: RequestKind): readonly HookName[] {
  return (Object.keys(CALLED_BY) as HookName[]).filter((hook) => CALLED_BY[hook].includes(kind))
}
