import { isDeepStrictEqual } from 'node:util'
import { Accepted } from '../definitions/accepted'
import type { Definitions } from '../definitions/definitions'
import { checkSaid } from '../definitions/hook-results'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import type { ResourceIdentifier } from '../document/resource-identifier'
import { InvariantError } from '../errors/invariant'
import { isViewable } from '../graph/capabilities'
import { isIdWithin } from '../graph/key-fields'
import type { Attribute, Field, Relationship, StoredType } from '../graph/resource-graph'
import type { ReadingRules } from '../plan/reading-rules'
import type { LinkChange, WritePlan } from '../plan/write-plan'
import { type StoredRecord, toInstance } from '../records/stored-record'
import { checkRequired } from '../request/check-required'
import type { SentDocument } from '../request/intent'
import { askOtherEnds } from './ask-other-ends'
import { type AskedLink, type DecidedLink, decideLink, membersOf } from './decide-links'
import { findReplaced, type ReplacingLink } from './find-replaced'
import type { Looking } from './find-rights'

/** A write before any rule has spoken: everything that the request names was found. */
export type AskedWrite = AskedCreate | AskedChange

interface AskedCreate extends Asked {
  readonly kind: 'create'
  readonly clientId: string | undefined
  readonly sent: SentDocument
  /** Throws what validators have against the values, once the rules have filled in theirs. */
  readonly validate: (values: ReadonlyMap<Attribute, unknown>) => Promise<void>
}

interface AskedChange extends Asked {
  readonly kind: Exclude<WriteKind, 'create'>
  readonly stored: StoredRecord
}

interface Asked {
  readonly type: StoredType
  readonly attributes: ReadonlyMap<Attribute, unknown>
  readonly links: readonly AskedLink[]
}

/** A write whose statements have run. */
export interface DoneWrite {
  /** As `afterWrite` saw it. */
  readonly write: ResourceWrite
  readonly definition: ResourceDefinition
  readonly links: readonly DecidedLink[]
  /** Whether anything that the client can see was changed but what it asked for. */
  readonly outcome: 'asRequested' | 'beyondRequest'
  /** Nothing was written: it will be, and this resource tells how far it is. */
  readonly accepted: ResourceIdentifier | undefined
}

/**
 * Lets the rules of the stored type speak, in their order, and writes: `prepareWrite`, then one hook for each relationship, then the
 * values of the request, `beforeWrite`, the relationship hooks of other ends, the statements, `afterWrite`. What `beforeWrite` has accepted
 * for later ends there.
 */
export async function runWrite(asked: AskedWrite, definitions: Definitions, looking: Looking): Promise<DoneWrite> {
  const definition = definitions.of(asked.type)
  const opened = openWrite(asked, looking)
  const prepared = readValues(
    (asked.kind === 'delete'
      ? undefined
      : checkSaid(await definition.prepareWrite(opened), 'prepareWrite', definition, asked.type)) ?? {},
    asked.type,
  )
  const links = await decideLinks(asked.links, withValues(opened, prepared), definition, looking)
  const requested = new Map([...prepared, ...asked.attributes])
  if (asked.kind === 'create') {
    checkRequired(asked.type, new Set([...requested.keys(), ...linked(links)]), asked.sent, looking.rules.isHidden)
    await asked.validate(requested)
  }
  const final = { ...withValues(opened, requested), relationships: membersOf(links) }
  const said = checkSaid(await definition.beforeWrite(final), 'beforeWrite', definition, asked.type) ?? {}
  if (said instanceof Accepted)
    return { write: final, definition, links, outcome: 'asRequested', accepted: said.status }
  const added = readValues(said, asked.type)
  const values = new Map([...requested, ...added])
  const replacing = await findReplaced(opened.stored, links, looking)
  const whole = withValues(final, added)
  await askOtherEnds(whole, replacing, definitions, looking)
  const id = await looking.transaction.write(toPlan(asked, values, replacing))
  const write = { ...whole, id }
  await definition.afterWrite(write)
  return { write, definition, links, outcome: outcomeOf(asked, values, links, looking.rules), accepted: undefined }
}

function openWrite(asked: AskedWrite, { transaction, context, signal }: Looking): ResourceWrite {
  const stored = asked.kind === 'create' ? undefined : asked.stored
  return {
    kind: asked.kind,
    type: asked.type,
    id: asked.kind === 'create' ? (asked.clientId ?? '') : asked.stored.id,
    stored,
    values: stored?.instance ?? toInstance(asked.type, defaultValues(asked.type)),
    sent: new Set(
      [...asked.attributes.keys(), ...asked.links.map(({ relationship }) => relationship)].map(({ name }) => name),
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

async function decideLinks(
  asked: readonly AskedLink[],
  write: ResourceWrite,
  definition: ResourceDefinition,
  looking: Looking,
): Promise<readonly DecidedLink[]> {
  const links: DecidedLink[] = []
  for (const link of asked) links.push(await decideLink(link, write, definition, looking))
  return links
}

function linked(links: readonly DecidedLink[]): readonly Relationship[] {
  return links.map(({ relationship }) => relationship)
}

function toPlan(
  asked: AskedWrite,
  values: ReadonlyMap<Attribute, unknown>,
  decided: readonly ReplacingLink[],
): WritePlan {
  const { type } = asked
  if (asked.kind === 'delete') return { kind: 'delete', type, id: asked.stored.id }
  const links = decided.map(toLinkChange)
  if (asked.kind === 'create') return { kind: 'create', type, id: asked.clientId, values, links }
  return { kind: 'update', type, id: asked.stored.id, values, links }
}

function toLinkChange({ relationship, mode, rights, replaced }: ReplacingLink): LinkChange {
  return {
    relationship,
    mode,
    ...(replaced && { replaced }),
    rights: rights.map((right) => (right === 'itself' ? right : { type: right.type, id: right.id })),
  }
}

/** Decided from what is known of the fields that the client can see: those that the library maintains, transformed ones, and what rules have changed. */
function outcomeOf(
  asked: AskedWrite,
  values: ReadonlyMap<Attribute, unknown>,
  links: readonly DecidedLink[],
  rules: Pick<ReadingRules, 'shows'>,
): DoneWrite['outcome'] {
  const isSeen = (field: Field) => rules.shows(asked.type, field)
  if (asked.kind === 'delete') return 'asRequested'
  if (asked.kind === 'create') return isCreatedAsSent(asked, values, links, isSeen) ? 'asRequested' : 'beyondRequest'
  const isWritten = values.size > 0 || links.length > 0
  const isMaintained = outcomeUnattended(asked.type) === 'beyondRequest'
  const isChanged =
    (isWritten && isMaintained) ||
    links.some(({ decidedBy, relationship }) => decidedBy === 'rule' && isSeen(relationship)) ||
    [...values].some(([attribute, value]) => isSeen(attribute) && isBeyond(asked, attribute, value))
  return isChanged ? 'beyondRequest' : 'asRequested'
}

/** Of a change in which no rule has a say, but for values that the application transforms. */
export function outcomeUnattended(type: StoredType): DoneWrite['outcome'] {
  return type.isListenedTo || type.attributes.filter(isViewable).some(isRenewed) ? 'beyondRequest' : 'asRequested'
}

/** With its id and all that can be seen of it; what was left out may have got any default. */
function isCreatedAsSent(
  { type, clientId, attributes }: AskedCreate,
  values: ReadonlyMap<Attribute, unknown>,
  links: readonly DecidedLink[],
  isSeen: (field: Field) => boolean,
): boolean {
  const isAsSent = (attribute: Attribute) =>
    attributes.has(attribute) &&
    !attribute.isTransformed &&
    isDeepStrictEqual(values.get(attribute), attributes.get(attribute))
  const areAsSent = links.every(({ decidedBy, relationship }) => decidedBy === 'request' || !isSeen(relationship))
  const isIdKnown = clientId !== undefined || isIdWithin(type, new Set([...attributes.keys(), ...linked(links)]))
  return isIdKnown && areAsSent && type.attributes.filter(isSeen).every(isAsSent)
}

/** By any write, as far as can be known: what the database generates may depend on every column. */
function isRenewed({ upkeep }: Attribute): boolean {
  return upkeep === 'updateDate' || upkeep === 'version' || upkeep === 'generated'
}

function isBeyond(asked: AskedChange, attribute: Attribute, value: unknown): boolean {
  if (attribute.isTransformed) return true
  const stored = (asked.stored.instance as Record<string, unknown>)[attribute.property]
  const expected = asked.attributes.has(attribute) ? asked.attributes.get(attribute) : stored
  return !isDeepStrictEqual(value, expected)
}
