import { isDeepStrictEqual } from 'node:util'
import { AcceptedWrite } from '../definitions/accepted'
import type { Definitions } from '../definitions/definitions'
import { checkHookResult } from '../definitions/hook-results'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import type { ResourceIdentifier } from '../document/document'
import { InvariantError } from '../errors/invariant'
import { isViewable } from '../graph/model/capabilities'
import { isIdWithin } from '../graph/model/key-fields'
import type { Attribute, Field, Relationship, StoredType } from '../graph/model/resource-graph'
import type { ReadRules } from '../plan/read-rules'
import type { LinkChange, WritePlan } from '../plan/write-plan'
import { type StoredRecord, toInstance } from '../records/stored-record'
import { checkRequired } from '../request/body/check-required'
import type { SentDocument } from '../request/intent/intent'
import { applyLinkHook, type FinalLink, type ResolvedLink, relationshipValuesOf } from './apply-link-hooks'
import type { WriteContext } from './find-related'
import { findReplaced, type ReplacementLink } from './find-replaced'
import { runInverseHooks } from './run-inverse-hooks'

/** A write before any rule has spoken: everything that the request names was found. */
export type WriteInput = CreateInput | ChangeInput

interface CreateInput extends WriteInputBase {
  readonly kind: 'create'
  readonly clientId: string | undefined
  readonly sent: SentDocument
  /** Throws what validators have against the values, once the rules have filled in theirs. */
  readonly validate: (values: ReadonlyMap<Attribute, unknown>) => Promise<void>
}

interface ChangeInput extends WriteInputBase {
  readonly kind: Exclude<WriteKind, 'create'>
  readonly stored: StoredRecord
}

interface WriteInputBase {
  readonly type: StoredType
  readonly attributes: ReadonlyMap<Attribute, unknown>
  readonly links: readonly ResolvedLink[]
}

/** A write whose statements have run. */
export interface ExecutedWrite {
  /** As `afterWrite` saw it. */
  readonly write: ResourceWrite
  readonly definition: ResourceDefinition
  readonly links: readonly FinalLink[]
  /** Whether anything that the client can see was changed but what it asked for. */
  readonly outcome: 'asRequested' | 'modifiedByServer'
  /** Nothing was written: it will be, and this resource tells how far it is. */
  readonly accepted: ResourceIdentifier | undefined
}

/**
 * Lets the rules of the stored type speak, in their order, and writes: `prepareWrite`, then one hook for each relationship, then the
 * values of the request, `beforeWrite`, the relationship hooks of other ends, the statements, `afterWrite`. What `beforeWrite` has accepted
 * for later ends there.
 */
export async function executeWrite(
  input: WriteInput,
  definitions: Definitions,
  writeContext: WriteContext,
): Promise<ExecutedWrite> {
  const definition = definitions.of(input.type)
  const opened = toResourceWrite(input, writeContext)
  const prepared = readValues(
    (input.kind === 'delete'
      ? undefined
      : checkHookResult(await definition.prepareWrite(opened), 'prepareWrite', definition, input.type)) ?? {},
    input.type,
  )
  const links = await applyLinkHooks(input.links, withValues(opened, prepared), definition, writeContext)
  const requested = new Map([...prepared, ...input.attributes])
  if (input.kind === 'create') {
    checkRequired(
      input.type,
      new Set([...requested.keys(), ...relationshipsOf(links)]),
      input.sent,
      writeContext.rules.isHidden,
    )
    await input.validate(requested)
  }
  const final = { ...withValues(opened, requested), relationships: relationshipValuesOf(links) }
  const said = checkHookResult(await definition.beforeWrite(final), 'beforeWrite', definition, input.type) ?? {}
  if (said instanceof AcceptedWrite)
    return { write: final, definition, links, outcome: 'asRequested', accepted: said.status }
  const added = readValues(said, input.type)
  const values = new Map([...requested, ...added])
  const replacing = await findReplaced(opened.previous, links, writeContext)
  const whole = withValues(final, added)
  await runInverseHooks(whole, replacing, definitions, writeContext)
  const id = await writeContext.transaction.write(toWritePlan(input, values, replacing))
  const write = { ...whole, id }
  await definition.afterWrite(write)
  return { write, definition, links, outcome: outcomeOf(input, values, links, writeContext.rules), accepted: undefined }
}

function toResourceWrite(input: WriteInput, { transaction, context, signal }: WriteContext): ResourceWrite {
  const previous = input.kind === 'create' ? undefined : input.stored
  return {
    kind: input.kind,
    type: input.type,
    id: input.kind === 'create' ? (input.clientId ?? '') : input.stored.id,
    previous,
    values: previous?.instance ?? toInstance(input.type, defaultValues(input.type)),
    sentFields: new Set(
      [...input.attributes.keys(), ...input.links.map(({ relationship }) => relationship)].map(({ name }) => name),
    ),
    origin: undefined,
    relationships: new Map(),
    context,
    transaction: transaction.native,
    signal,
  }
}

/** What the database will put where nothing is given. */
function defaultValues(type: StoredType): ReadonlyMap<string, unknown> {
  return new Map(
    type.attributes.flatMap(({ property, defaultValue, isNullable }) => {
      if (defaultValue !== undefined) return [[property, defaultValue] as const]
      return isNullable ? [[property, null] as const] : []
    }),
  )
}

function withValues(write: ResourceWrite, values: ReadonlyMap<Attribute, unknown>): ResourceWrite {
  if (values.size === 0) return write
  const properties = new Map(Object.entries(write.values))
  for (const [{ property }, value] of values) properties.set(property, value)
  return { ...write, values: toInstance(write.type, properties) }
}

/** What a hook returned, by attribute. */
function readValues(returned: object, type: StoredType): ReadonlyMap<Attribute, unknown> {
  const values = new Map<Attribute, unknown>()
  for (const [property, value] of Object.entries(returned)) {
    const attribute = type.attributes.find((each) => each.property === property)
    if (attribute === undefined)
      throw new InvariantError(
        `A rule of ${type.name} returned '${property}': no attribute. It is one where @Attribute stands on ${type.resourceClass.name}.${property}.`,
      )
    if (value !== undefined) values.set(attribute, value)
  }
  return values
}

async function applyLinkHooks(
  resolved: readonly ResolvedLink[],
  write: ResourceWrite,
  definition: ResourceDefinition,
  writeContext: WriteContext,
): Promise<readonly FinalLink[]> {
  const links: FinalLink[] = []
  for (const link of resolved) links.push(await applyLinkHook(link, write, definition, writeContext))
  return links
}

function relationshipsOf(links: readonly FinalLink[]): readonly Relationship[] {
  return links.map(({ relationship }) => relationship)
}

function toWritePlan(
  input: WriteInput,
  values: ReadonlyMap<Attribute, unknown>,
  finalLinks: readonly ReplacementLink[],
): WritePlan {
  const { type } = input
  if (input.kind === 'delete') return { kind: 'delete', type, id: input.stored.id }
  const links = finalLinks.map(toLinkChange)
  if (input.kind === 'create') return { kind: 'create', type, id: input.clientId, values, links }
  return { kind: 'update', type, id: input.stored.id, values, links }
}

function toLinkChange({ relationship, mode, related, replaced }: ReplacementLink): LinkChange {
  return {
    relationship,
    mode,
    ...(replaced && { replaced }),
    related: related.map((right) => (right === 'self' ? right : { type: right.type, id: right.id })),
  }
}

/** Decided from what is known of the fields that the client can see: those that the library maintains, transformed ones, and what rules have changed. */
function outcomeOf(
  input: WriteInput,
  values: ReadonlyMap<Attribute, unknown>,
  links: readonly FinalLink[],
  rules: Pick<ReadRules, 'isVisible'>,
): ExecutedWrite['outcome'] {
  const isSeen = (field: Field) => rules.isVisible(input.type, field)
  if (input.kind === 'delete') return 'asRequested'
  if (input.kind === 'create') return isCreatedAsSent(input, values, links, isSeen) ? 'asRequested' : 'modifiedByServer'
  const isWritten = values.size > 0 || links.length > 0
  const isMaintained = outcomeWithoutHooks(input.type) === 'modifiedByServer'
  const isChanged =
    (isWritten && isMaintained) ||
    links.some(({ decidedBy, relationship }) => decidedBy === 'rule' && isSeen(relationship)) ||
    [...values].some(([attribute, value]) => isSeen(attribute) && isModifiedByServer(input, attribute, value))
  return isChanged ? 'modifiedByServer' : 'asRequested'
}

/** Of a change in which no rule has a say, but for values that the application transforms. */
export function outcomeWithoutHooks(type: StoredType): ExecutedWrite['outcome'] {
  return type.hasEntityListeners || type.attributes.filter(isViewable).some(isServerMaintained)
    ? 'modifiedByServer'
    : 'asRequested'
}

/** With its id and all that can be seen of it; what was left out may have got any default. */
function isCreatedAsSent(
  { type, clientId, attributes }: CreateInput,
  values: ReadonlyMap<Attribute, unknown>,
  links: readonly FinalLink[],
  isSeen: (field: Field) => boolean,
): boolean {
  const isAsSent = (attribute: Attribute) =>
    attributes.has(attribute) &&
    !attribute.isTransformed &&
    isDeepStrictEqual(values.get(attribute), attributes.get(attribute))
  const areAsSent = links.every(({ decidedBy, relationship }) => decidedBy === 'request' || !isSeen(relationship))
  const isIdKnown =
    clientId !== undefined || isIdWithin(type, new Set([...attributes.keys(), ...relationshipsOf(links)]))
  return isIdKnown && areAsSent && type.attributes.filter(isSeen).every(isAsSent)
}

/** By any write, as far as can be known: what the database generates may depend on every column. */
function isServerMaintained({ valueOrigin }: Attribute): boolean {
  return valueOrigin === 'updateDate' || valueOrigin === 'version' || valueOrigin === 'generated'
}

function isModifiedByServer(input: ChangeInput, attribute: Attribute, value: unknown): boolean {
  if (attribute.isTransformed) return true
  const stored = (input.stored.instance as Record<string, unknown>)[attribute.property]
  const expected = input.attributes.has(attribute) ? input.attributes.get(attribute) : stored
  return !isDeepStrictEqual(value, expected)
}
