import { isDeepStrictEqual } from 'node:util'
import { AcceptedWrite } from '../definitions/accepted'
import { assertHookResult, getAttributeNamedInHookResult } from '../definitions/hook-results'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import { JsonApiError } from '../errors/json-api-error'
import { fieldSetCoversPrimaryKey, keyFieldsNotWritableOnCreate } from '../graph/model/key-fields'
import type { Attribute, Field, Relationship, StoredType } from '../graph/model/resource-graph'
import { relationshipsStoredTogetherWith } from '../graph/model/stored-together'
import { hasServerMaintainedEmbeddedMember } from '../graph/model/value-type'
import type { ReadRules } from '../plan/read-rules'
import type { RelationshipChange, WritePlan } from '../plan/write-plan'
import type { ParsedResourceObject } from '../records/parsed-resource-object'
import { createFrozenEntity, type ResourceRecord } from '../records/resource-record'
import { assertRequiredFields } from '../request/body/assert-required-fields'
import type { DocumentWithDataPointer } from '../request/intent/intent'
import { applyRelationshipHooks, type HookProcessedRelationshipChange } from './apply-relationship-hooks'
import { keepHiddenRelated } from './keep-hidden-related'
import type { ResolvedRelationshipChange } from './load-related-records-of-write'
import type { UncommittedWrite, WriteContext } from './request-scope'
import { runInverseHooks } from './run-inverse-hooks'
import { isRecordOfWrite, toResourceRecordFromWrite } from './to-resource-record-from-write'

/** A write before its hooks run. All related resources of the request are loaded. */
type WriteInput = CreateInput | ChangeInput

interface CreateInput extends WriteInputBase {
  readonly kind: 'create'
  readonly clientId: string | undefined
  readonly sent: DocumentWithDataPointer
}

interface ChangeInput extends WriteInputBase {
  readonly kind: Exclude<WriteKind, 'create'>
  readonly stored: ResourceRecord
}

interface WriteInputBase {
  readonly type: StoredType
  readonly attributes: ReadonlyMap<Attribute, unknown>
  readonly relationshipChanges: readonly ResolvedRelationshipChange[]
}

/** A write whose hooks and statements have run. */
export interface ExecutedWrite extends UncommittedWrite {
  readonly relationshipChanges: readonly HookProcessedRelationshipChange[]
  /** Whether the client can see a change that it has not requested. */
  readonly outcome: 'asRequested' | 'modifiedByServer'
}

/** Runs the steps of a write in order: the hooks of the stored type, with the statements in between. */
export async function runWriteHooksAndStatements(
  input: WriteInput,
  writeContext: WriteContext,
): Promise<ExecutedWrite> {
  const { definitions } = writeContext.scope.core
  const definition = definitions.of(input.type)
  const prepared = await prepareValues(input, definition, writeContext)
  const changes = await applyRelationshipHooks(input.relationshipChanges, prepared.write, definition, writeContext)
  const { write: draft, values } = withValues(prepared, input.attributes)
  const requested = { values, write: withRelationships(draft, changes) }
  if (input.kind === 'create') await validateNew(requested, input, changes, writeContext)
  const decision = await callBeforeWrite(requested, definition)
  if (decision instanceof AcceptedWrite) {
    const { write } = requested
    return { write, definition, relationshipChanges: changes, outcome: 'asRequested', accepted: decision.status }
  }
  const finalChanges = await keepHiddenRelated(requested.write.previous, changes, writeContext)
  if (definitions.hookedRelationships.hasAny) await runInverseHooks(decision.write, finalChanges, writeContext)
  const id = await writeContext.transaction.write(toWritePlan(input, decision.values, finalChanges, writeContext))
  const write = withRelationships({ ...decision.write, id }, changes)
  await definition.afterWrite(write)
  return {
    write,
    definition,
    relationshipChanges: changes,
    outcome: outcomeOf(input, decision.values, changes, writeContext),
    accepted: undefined,
  }
}

/** The values so far, and the write with these values, as hooks receive it. */
interface Draft {
  readonly write: ResourceWrite
  readonly values: ReadonlyMap<Attribute, unknown>
}

async function prepareValues(
  input: WriteInput,
  definition: ResourceDefinition,
  writeContext: WriteContext,
): Promise<Draft> {
  const write = toResourceWrite(input, writeContext)
  if (input.kind === 'delete') return { write, values: NO_VALUES }
  const returned = assertHookResult(await definition.prepareWrite(write), 'prepareWrite', definition, input.type)
  return withValues({ write, values: NO_VALUES }, readValues(returned ?? {}, 'prepareWrite', input.type))
}

/** Throws if a new resource lacks a required field or is invalid. */
async function validateNew(
  { values }: Draft,
  { type, sent, relationshipChanges: sentChanges }: CreateInput,
  decidedChanges: readonly HookProcessedRelationshipChange[],
  { scope: { core, rules } }: WriteContext,
): Promise<void> {
  assertRequiredFields(type, new Set([...values.keys(), ...relationshipsOf(decidedChanges)]), sent, rules.isHidden)
  // If no hook provides values, they are validated already, when the request is read.
  if (!core.definitions.providesDefaults(type)) return
  const sentFields = new Set([...values.keys(), ...relationshipsOf(sentChanges)])
  const errors = await core.validators.findErrorsInNew({ type, values, sent: sentFields, location: sent })
  if (errors.length > 0) throw new JsonApiError(errors)
}

/** Calls the `beforeWrite` hook and adds the values that it returns. */
async function callBeforeWrite(draft: Draft, definition: ResourceDefinition): Promise<Draft | AcceptedWrite> {
  const { type } = draft.write
  const returned = assertHookResult(await definition.beforeWrite(draft.write), 'beforeWrite', definition, type) ?? {}
  return returned instanceof AcceptedWrite ? returned : withValues(draft, readValues(returned, 'beforeWrite', type))
}

function toResourceWrite(input: WriteInput, { transaction, scope, signal }: WriteContext): ResourceWrite {
  const previous = input.kind === 'create' ? undefined : input.stored
  return {
    kind: input.kind,
    type: input.type,
    id: input.kind === 'create' ? (input.clientId ?? '') : input.stored.id,
    previous,
    values: previous?.instance ?? createFrozenEntity(input.type, defaultValues(input.type)),
    sentFields: new Set(
      [...input.attributes.keys(), ...relationshipsOf(input.relationshipChanges)].map(({ name }) => name),
    ),
    origin: undefined,
    relationships: {},
    context: scope.context,
    transaction: transaction.native,
    signal,
  }
}

/** Returns the values that the database stores for missing columns. */
function defaultValues(type: StoredType): ReadonlyMap<string, unknown> {
  return new Map(
    type.attributes.flatMap(({ property, defaultValue, isNullable }) => {
      if (defaultValue !== undefined) return [[property, defaultValue] as const]
      return isNullable ? [[property, null] as const] : []
    }),
  )
}

function withValues({ write, values }: Draft, added: ReadonlyMap<Attribute, unknown>): Draft {
  if (added.size === 0) return { write, values }
  const properties = new Map(Object.entries(write.values))
  for (const [{ property }, value] of added) properties.set(property, value)
  return {
    write: { ...write, values: createFrozenEntity(write.type, properties) },
    values: values.size === 0 ? added : new Map([...values, ...added]),
  }
}

const NO_VALUES: Draft['values'] = new Map()

/** Reads the values that a hook returned, by attribute. */
function readValues(
  returned: object,
  hook: 'prepareWrite' | 'beforeWrite',
  type: StoredType,
): ReadonlyMap<Attribute, unknown> {
  const values = new Map<Attribute, unknown>()
  for (const [property, value] of Object.entries(returned)) {
    const attribute = getAttributeNamedInHookResult(property, hook, type)
    if (value !== undefined) values.set(attribute, value)
  }
  return values
}

/**
 * Adds `write.relationships` as `beforeWrite` and later hooks receive it, by property as in `write.values`. A record of the written resource itself
 * has the values of the write.
 */
function withRelationships(write: ResourceWrite, changes: readonly HookProcessedRelationshipChange[]): ResourceWrite {
  const self = toResourceRecordFromWrite(write)
  const relationships = changes.map(({ relationship: { kind, property }, records, related }) => {
    const current = records.map((record, index) =>
      related[index] === 'self' || isRecordOfWrite(record, write) ? self : record,
    )
    return [property, kind === 'toOne' ? (current[0] ?? null) : current] as const
  })
  return { ...write, relationships: Object.fromEntries(relationships) }
}

function relationshipsOf(
  changes: readonly Pick<ResolvedRelationshipChange, 'relationship'>[],
): readonly Relationship[] {
  return changes.map(({ relationship }) => relationship)
}

function toWritePlan(
  input: WriteInput,
  values: ReadonlyMap<Attribute, unknown>,
  finalChanges: readonly HookProcessedRelationshipChange[],
  { scope: { rules } }: WriteContext,
): WritePlan {
  const { type } = input
  if (input.kind === 'delete') return { kind: 'delete', type, id: input.stored.id }
  const relationshipChanges = finalChanges.map(
    ({ relationship, mode, related, replaced }): RelationshipChange => ({
      relationship,
      mode,
      ...(replaced && { replaced }),
      related: related.map((record) => (record === 'self' ? record : { type: record.type, id: record.id })),
    }),
  )
  if (input.kind === 'create') {
    const readOnly = keyFieldsNotWritableOnCreate(type, rules.isHidden)
    return { kind: 'create', type, id: input.clientId, values, relationshipChanges, readOnlyKeyFields: readOnly }
  }
  return { kind: 'update', type, id: input.stored.id, values, relationshipChanges }
}

/**
 * Returns whether the server changed a field that the client can see. Such fields are maintained by the server, transformed, or changed by
 * hooks.
 */
function outcomeOf(
  input: WriteInput,
  values: ReadonlyMap<Attribute, unknown>,
  relationshipChanges: readonly HookProcessedRelationshipChange[],
  { scope }: WriteContext,
): ExecutedWrite['outcome'] {
  const isVisible = (field: Field) => scope.rules.isVisible(input.type, field)
  if (input.kind === 'delete') return 'asRequested'
  if (input.kind === 'create')
    return isCreatedAsSent(input, values, relationshipChanges, isVisible) ? 'asRequested' : 'modifiedByServer'
  const isChanged =
    (values.size + relationshipChanges.length > 0 && isMaintainedByServer(input.type, isVisible)) ||
    relationshipsStoredTogetherWith(relationshipsOf(relationshipChanges), input.type).some(isVisible) ||
    relationshipChanges.some(({ decidedBy, relationship }) => decidedBy === 'rule' && isVisible(relationship)) ||
    [...values].some(([attribute, value]) => isVisible(attribute) && isModifiedByServer(input, attribute, value))
  return isChanged ? 'modifiedByServer' : 'asRequested'
}

/** Returns the outcome of a creation that no hook changes. */
export function predictServerModificationOnCreate(
  { type, id, attributes, relationships }: ParsedResourceObject,
  rules: ReadRules,
): ExecutedWrite['outcome'] {
  const changes = [...relationships.keys()].map((relationship) => ({ relationship, decidedBy: 'request' }) as const)
  const isVisible = (field: Field) => rules.isVisible(type, field)
  const input = { type, clientId: id, attributes }
  return isCreatedAsSent(input, attributes, changes, isVisible) ? 'asRequested' : 'modifiedByServer'
}

/** Returns the outcome of an update that no hook changes. */
export function predictServerModificationOnUpdate(
  type: StoredType,
  { attributes, relationships }: Pick<ParsedResourceObject, 'attributes' | 'relationships'>,
  rules: ReadRules,
): ExecutedWrite['outcome'] {
  const isVisible = (field: Field) => rules.isVisible(type, field)
  const isTransformed = [...attributes.keys()].some((each) => each.isTransformed && isVisible(each))
  const isMaintained = attributes.size + relationships.size > 0 && isMaintainedByServer(type, isVisible)
  const areOthersChanged = relationshipsStoredTogetherWith(relationships.keys(), type).some(isVisible)
  return isTransformed || isMaintained || areOthersChanged ? 'modifiedByServer' : 'asRequested'
}

/** Returns true if each update can change a field of the type that the client can see, besides those that it writes. */
function isMaintainedByServer(type: StoredType, isVisible: (field: Field) => boolean): boolean {
  return type.hasUpdateListeners || type.attributes.some((each) => each.mayChangeOnUpdate && isVisible(each))
}

/** Returns true if the client has sent the id and all fields that it can see. Fields that it left out may have defaults. */
function isCreatedAsSent(
  { type, clientId, attributes }: Pick<CreateInput, 'type' | 'clientId' | 'attributes'>,
  values: ReadonlyMap<Attribute, unknown>,
  changes: readonly Pick<HookProcessedRelationshipChange, 'relationship' | 'decidedBy'>[],
  isVisible: (field: Field) => boolean,
): boolean {
  const isAsSent = (attribute: Attribute) =>
    attributes.has(attribute) &&
    !attribute.isTransformed &&
    !hasServerMaintainedEmbeddedMember(attribute.constraints) &&
    isDeepStrictEqual(values.get(attribute), attributes.get(attribute))
  const areAsSent =
    changes.every(({ decidedBy, relationship }) => decidedBy === 'request' || !isVisible(relationship)) &&
    !relationshipsStoredTogetherWith(relationshipsOf(changes), type).some(isVisible)
  const isIdKnown =
    clientId !== undefined ||
    fieldSetCoversPrimaryKey(type, new Set([...attributes.keys(), ...relationshipsOf(changes)]))
  return isIdKnown && areAsSent && !type.hasInsertListeners && type.attributes.filter(isVisible).every(isAsSent)
}

function isModifiedByServer(input: ChangeInput, attribute: Attribute, value: unknown): boolean {
  if (attribute.isTransformed) return true
  const stored = (input.stored.instance as Record<string, unknown>)[attribute.property]
  const expected = input.attributes.has(attribute) ? input.attributes.get(attribute) : stored
  return !isDeepStrictEqual(value, expected)
}
