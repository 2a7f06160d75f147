import { identifiersInLinkage } from '../endpoints/load-related-records-of-write'
import type { LocalResourceIdentifier, ParsedResourceObject } from '../records/parsed-resource-object'
import type { WritePrecondition } from '../request/http/read-precondition'
import type {
  AddToRelationshipIntent,
  CreateResourceIntent,
  OperationWithIntent,
  RequestedResourceIdentifier,
  UpdateResourceIntent,
  WriteIntent,
} from '../request/intent/intent'

/**
 * Splits operations into runs, in their order. A run consists of additions of one type with the same fields, of updates of different resources with the same
 * fields, or of additions to one relationship of one resource. None refers to another one of the run by its local id. Every other operation is a run of its
 * own.
 */
export function splitOperationsIntoRuns(
  operations: readonly OperationWithIntent[],
): readonly (readonly OperationWithIntent[])[] {
  const runs: Run[] = []
  for (const operation of operations) {
    const run = runs.at(-1)
    if (run !== undefined && continuesRun(operation, run)) append(operation, run)
    else runs.push(append(operation, { operations: [], added: new Set(), updated: new Set() }))
  }
  return runs.map((run) => run.operations)
}

interface Run {
  readonly operations: OperationWithIntent[]
  /** The resources that it adds under local ids. */
  readonly added: Set<LocalResourceIdentifier>
  /** The resources that it updates. */
  readonly updated: Set<LocalResourceIdentifier | string>
}

function append(operation: OperationWithIntent, run: Run): Run {
  const { intent, added } = operation
  run.operations.push(operation)
  if (added !== undefined) run.added.add(added)
  if (intent.kind === 'updateResource') run.updated.add(nameOf(intent.target))
  return run
}

function nameOf({ id, local }: RequestedResourceIdentifier): LocalResourceIdentifier | string {
  return local ?? id
}

function continuesRun({ intent }: OperationWithIntent, { operations: [first], added, updated }: Run): boolean {
  if (first === undefined) return false
  switch (intent.kind) {
    case 'createResource':
      return isSimilarCreate(first.intent, intent) && !localsOf(intent.change).some((local) => added.has(local))
    case 'updateResource':
      return isSimilarUpdate(first.intent, intent) && !updated.has(nameOf(intent.target))
    case 'addToRelationship':
      return isSimilarAddition(first.intent, intent)
    default:
      return false
  }
}

function isSimilarCreate(first: WriteIntent, intent: CreateResourceIntent): boolean {
  return (
    first.kind === 'createResource' &&
    first.type === intent.type &&
    first.preference === intent.preference &&
    (first.change.id === undefined) === (intent.change.id === undefined) &&
    haveSameFields(first.change, intent.change)
  )
}

function isSimilarUpdate(first: WriteIntent, intent: UpdateResourceIntent): boolean {
  return (
    first.kind === 'updateResource' &&
    first.target.type === intent.target.type &&
    haveSameFields(first.change, intent.change)
  )
}

/** Returns true for additions to the same relationship without a response. A response would contain the members at that time. */
function isSimilarAddition(first: WriteIntent, intent: AddToRelationshipIntent): boolean {
  return (
    first.kind === 'addToRelationship' &&
    first.target.type === intent.target.type &&
    nameOf(first.target) === nameOf(intent.target) &&
    first.candidates.name === intent.candidates.name &&
    [first, intent].every(({ condition, preference }) => preference === 'minimal' && isUnconditional(condition)) &&
    first.condition.kind === intent.condition.kind
  )
}

function isUnconditional({ kind, except }: WritePrecondition): boolean {
  return kind !== 'revisions' && except === undefined
}

function haveSameFields(change: ParsedResourceObject, other: ParsedResourceObject): boolean {
  return (
    change.type === other.type &&
    haveSameKeys(change.attributes, other.attributes) &&
    haveSameKeys(change.relationships, other.relationships)
  )
}

function haveSameKeys<Key>(map: ReadonlyMap<Key, unknown>, other: ReadonlyMap<Key, unknown>): boolean {
  if (map.size !== other.size) return false
  for (const key of map.keys()) if (!other.has(key)) return false
  return true
}

/** Returns the resources that a resource refers to by local id. */
function localsOf({ relationships }: ParsedResourceObject): readonly LocalResourceIdentifier[] {
  return [...relationships.values()].flatMap(identifiersInLinkage).flatMap((identifier) => {
    return identifier.kind === 'existing' && identifier.local !== undefined ? [identifier.local] : []
  })
}
