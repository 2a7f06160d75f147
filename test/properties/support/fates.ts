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

/** `swallowed`: a statement fails, and the rule ignores the error. */
export const FAILURES = ['problem', 'exception', 'statement', 'swallowed'] as const

/** What the rules do with a write. Clients send it in a header. */
export interface RuleBehaviour {
  readonly token: number
  /** Milliseconds that each hook waits. */
  readonly pause: number
  readonly failure?: { readonly at: Hook; readonly kind: (typeof FAILURES)[number] }
}

/** Returns true if the change calls the hook that fails. */
export function causesFailure({ failure }: RuleBehaviour, change: Change): boolean {
  if (failure === undefined) return false
  if (failure.at === 'beforeWrite' || failure.at === 'afterWrite') return true
  if (change.kind === 'delete') return false
  return failure.at === 'prepareWrite' || change.links.some((link) => hookOf(link) === failure.at)
}

function hookOf({ relationship, mode }: (Change & { kind: 'update' })['links'][number]): Hook {
  if (relationship.kind === 'toOne') return 'setToOne'
  return ({ set: 'setToMany', add: 'addToMany', remove: 'removeFromMany' } as const)[mode]
}

/** A row that the rules of each write insert. Only committed writes must have one. */
@Entity()
export class Trace {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'int' }) token: number
  @Column({ type: 'varchar', length: 20 }) hook: string
}

type Write = ResourceWrite<object, RuleBehaviour>

/** Creates the rules of a type, which behave as the header says. */
export function createRules(resource: ResourceClass): ResourceDefinition<object, RuleBehaviour> {
  return define(resource, Object.fromEntries(HOOKS.map((hook) => [hook, (write: Write) => runHook(hook, write)])))
}

async function runHook(hook: Hook, write: Write): Promise<void> {
  const { token, pause, failure } = write.context
  if (hook === 'beforeWrite' || hook === 'afterWrite') await getEntityManager(write).insert(Trace, { token, hook })
  if (pause > 0) await wait(pause)
  // Ignores writes of inverse relationships, which depend on the stored rows.
  if (failure?.at !== hook || write.origin !== undefined) return
  if (failure.kind === 'problem') throw new JsonApiError({ title: 'No.' })
  if (failure.kind === 'exception') throw new TypeError('Failed.')
  const failing = getEntityManager(write).query('select * from nowhere_at_all')
  if (failure.kind === 'statement') await failing
  else await failing.catch(() => undefined)
}
