import { identifiersOf } from '../endpoints/resolve-requested-linkage'
import type { LocalResource, ParsedResourceObject } from '../records/parsed-resource-object'
import type { CreateResourceIntent, OperationWithIntent, WriteIntent } from '../request/intent/intent'

/**
 * Splits operations into runs, in their order. The additions of one run have the same type and fields, and none refers to another one by its local id.
 * Every other operation is a run of its own.
 */
export function splitIntoRuns(operations: readonly OperationWithIntent[]): readonly (readonly OperationWithIntent[])[] {
  const runs: OperationWithIntent[][] = []
  for (const operation of operations) {
    const run = runs.at(-1)
    if (run !== undefined && continuesRun(operation, run)) run.push(operation)
    else runs.push([operation])
  }
  return runs
}

function continuesRun({ intent }: OperationWithIntent, run: readonly OperationWithIntent[]): boolean {
  const [first] = run
  if (first === undefined || !haveSameFields(first.intent, intent)) return false
  const locals = localsOf(intent.change)
  return locals.length === 0 || !run.some(({ added }) => added !== undefined && locals.includes(added))
}

function haveSameFields(first: WriteIntent, intent: WriteIntent): intent is CreateResourceIntent {
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
function localsOf({ relationships }: ParsedResourceObject): readonly LocalResource[] {
  return [...relationships.values()].flatMap(identifiersOf).flatMap((identifier) => {
    return identifier.kind === 'existing' ? (identifier.local ?? []) : []
  })
}
