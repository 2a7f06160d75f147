import {
  JsonApiError,
  type ResourceClass,
  type ResourceDefinition,
  type ResourceRecord,
  type ResourceWrite,
} from 'stemma'
import { define, setUp, startApi } from '../../../support/api'
import { Boat, Ferry, Harbour, Sailboat, Tug, VESSELS, Vessel } from '../../../support/writing-models'

// Definitions that record every call of a hook, and then do what a test sets.

export type HookName = Exclude<keyof ResourceDefinition, 'resource' | 'filter'>
// biome-ignore lint/suspicious/noExplicitAny: a test returns any value from any hook
type Behaviour = (write: ResourceWrite<any>, ...rest: any[]) => any

export interface Call {
  readonly definition: string
  readonly hook: HookName
  readonly write: ResourceWrite
  readonly relationship: string | undefined
  readonly related: unknown
}

/** Rows that are new for each test. */
type Row = 'boat' | 'sailboat' | 'tug' | 'ferry' | 'harbour'

export const HOOKS = [
  ...['prepareWrite', 'setToOne', 'setToMany', 'addToMany', 'removeFromMany', 'beforeWrite', 'afterWrite'],
  'afterCommit',
] as readonly HookName[]

/** A definition whose hooks add to the calls, and return what `answer` does. */
export function recorder(resource: ResourceClass, calls: Call[], answer: (call: Call) => unknown) {
  const hooks = HOOKS.map((hook) => [
    hook,
    (write: ResourceWrite, relationship: string | undefined, related: unknown) => {
      expect([Object.isFrozen(write.values), write.values.constructor]).toEqual([true, write.type.resourceClass])
      const call = { definition: resource.name, hook, write, relationship, related }
      calls.push(call)
      return answer(call)
    },
  ])
  return define<object>(resource, Object.fromEntries(hooks))
}

/** `people 2 removeFromMany drives: taxis 1`. */
export function describeLinkCall({ hook, write, relationship, related }: Call): string {
  const named = ([related ?? []].flat() as ResourceRecord[]).map(({ type, id }) => `${type.name} ${id}`)
  return `${write.type.name} ${write.id} ${hook} ${relationship}: ${named.join(', ') || 'nothing'}`
}

/**
 * The API of a file of tests. Rules of boats hold for sailboats, those of vessels for tugs and ferries. In each test `behaviours` says what
 * the hooks do.
 */
export function recordHooks() {
  const calls: Call[] = []
  const reported: unknown[] = []
  const behaviours: Partial<Record<HookName, Behaviour>> = {}
  const ids = {} as Record<Row, string>
  const answer = ({ hook, write, relationship, related }: Call) => behaviours[hook]?.(write, relationship, related)
  const definitions = [Vessel, Boat, Harbour].map((each) => recorder(each, calls, answer))
  const api = setUp(() => startApi(VESSELS, { definitions, onError: (error) => reported.push(error) }))
  beforeEach(async () => {
    ids.boat = await api.add(Boat, { name: 'Bee', oars: 6 })
    ids.sailboat = await api.add(Sailboat, { name: 'Sea', masts: 3 })
    ids.tug = await api.add(Tug, { name: 'Tom' })
    ids.ferry = await api.add(Ferry, { name: 'Fay' })
    ids.harbour = await api.add(Harbour, { name: 'Hull' })
    for (const list of [calls, reported]) list.length = 0
    for (const hook of HOOKS) delete behaviours[hook]
  })
  return { api, ids, calls, reported, behaviours }
}

/** `sailboats 2 Sailboat`: a record with the class of its instance. */
export function describeRecord(related: unknown): unknown {
  if (Array.isArray(related)) return related.map(describeRecord)
  const record = related as ResourceRecord | null
  return record && `${record.type.name} ${record.id} ${record.instance.constructor.name}`
}

/** The related resources of a harbour, by property. */
export function relationshipsOf(call: Call | undefined): ResourceWrite<Harbour>['relationships'] {
  return call?.write.relationships ?? {}
}

export function refuse(refusal: object = {}): never {
  throw new JsonApiError({ title: 'No.', ...refusal })
}
