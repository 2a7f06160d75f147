import { identifiersOf } from '../endpoints/resolve-relationships'
import type { LocalResource, ResourceInput } from '../records/resource-input'
import type { CreateResource, Operation, WriteIntent } from '../request/intent/intent'

/**
 * Splits operations into runs, in their order. The additions of one run have the same type and fields, and none refers to another one by its local id.
 * Every other operation is a run of its own.
 */
export function splitIntoRuns(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const runs: Operation[][] = []
  for (const operation of operations) {
    const run = runs.at(-1)
    if (run !== undefined && continuesRun(operation, run)) run.push(operation)
    else runs.push([operation])
  }
  return runs
}

function continuesRun({ intent }: Operation, run: readonly Operation[]): boolean {
  const [first] = run
  if (first === undefined || !haveSameFields(first.intent, intent)) return false
  const locals = localsOf(intent.change)
  return locals.length === 0 || !run.some(({ added }) => added !== undefined && locals.includes(added))
}

function haveSameFields(first: WriteIntent, intent: WriteIntent): intent is CreateResource {
  if (first.kind !== 'createResource' || intent.kind !== 'createResource') return false
  const { change } = first
  const other = intent.change
  return (
    first.type === intent.type &&
    first.preference === intent.preference &&
    change.type === other.type &&
    (change.id === undefined) === (other.id === undefined) &&
    haveSameKeys(change.attributes, other.attributes) &&
    haveSameKeys(change.relationships, other.relationships)
  )
}

function haveSameKeys<Key>(map: ReadonlyMap<Key, unknown>, other: ReadonlyMap<Key, unknown>): boolean {
  return map.size === other.size && [...map.keys()].every((key) => other.has(key))
}

/** Returns the resources that a new resource refers to by local id. */
function localsOf({ relationships }: ResourceInput): readonly LocalResource[] {
  return [...relationships.values()].flatMap(identifiersOf).flatMap((identifier) => {
    return identifier.kind === 'existing' ? (identifier.local ?? []) : []
  })
}
