import { setTimeout as wait } from 'node:timers/promises'
import { getEntityManager, JsonApiError, type ResourceClass, type ResourceDefinition, type ResourceWrite } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { define } from '../../support/api'
import type { Change } from './model'

export const HOOKS = [
  ...(['prepareWrite', 'setToOne', 'setToMany', 'addToMany', 'removeFromMany'] as const),
  ...(['beforeWrite', 'afterWrite'] as const),
]
export type Hook = (typeof HOOKS)[number]

/** `swallowed`: a statement fails, and the rule takes no notice. */
export const MISHAPS = ['problem', 'exception', 'statement', 'swallowed'] as const

/** What is to happen to a write: sent along in a header. */
export interface Fate {
  readonly token: number
  /** Milliseconds, in every hook. */
  readonly pause: number
  readonly mishap?: { readonly at: Hook; readonly kind: (typeof MISHAPS)[number] }
}

/** Whether the hook at which it would happen is called at all. */
export function isMet({ mishap }: Fate, change: Change): boolean {
  if (mishap === undefined) return false
  if (mishap.at === 'beforeWrite' || mishap.at === 'afterWrite') return true
  if (change.kind === 'delete') return false
  return mishap.at === 'prepareWrite' || change.links.some((link) => hookOf(link) === mishap.at)
}

function hookOf({ relationship, mode }: (Change & { kind: 'update' })['links'][number]): Hook {
  if (relationship.kind === 'toOne') return 'setToOne'
  return ({ set: 'setToMany', add: 'addToMany', remove: 'removeFromMany' } as const)[mode]
}

/** Left by the rules of every write: there for those that are kept, and for no others. */
@Entity()
export class Trace {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'int' }) token: number
  @Column({ type: 'varchar', length: 20 }) hook: string
}

type Write = ResourceWrite<object, Fate>

/** Rules of any type, that let happen what is to happen. */
export function fatesOf(resource: ResourceClass): ResourceDefinition<object, Fate> {
  return define(resource, Object.fromEntries(HOOKS.map((hook) => [hook, (write: Write) => meet(hook, write)])))
}

async function meet(hook: Hook, write: Write): Promise<void> {
  const { token, pause, mishap } = write.context
  if (hook === 'beforeWrite' || hook === 'afterWrite') await getEntityManager(write).insert(Trace, { token, hook })
  if (pause > 0) await wait(pause)
  // Which other ends are asked depends on what is stored by then.
  if (mishap?.at !== hook || write.origin !== undefined) return
  if (mishap.kind === 'problem') throw new JsonApiError({ title: 'No.' })
  if (mishap.kind === 'exception') throw new TypeError('Failed.')
  const failing = getEntityManager(write).query('select * from nowhere_at_all')
  if (mishap.kind === 'statement') await failing
  else await failing.catch(() => undefined)
}
