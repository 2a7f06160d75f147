import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Relationship, StoredType } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import { tablesOf } from './change-rows'
import { isAmongKeys } from './key-sql'
import { keyOf } from './keys'
import type { Mapping, RelationMapping } from './mapping'
import { identifier, join, NOTHING, toSql } from './sql'
import { presentIn, type Writing } from './writing'

/**
 * Locks rows that are linked to until the transaction ends: where no foreign key makes them stay, and where only one row may refer to each, so that
 * the present owner is looked for only when no other transaction can become it. One statement for each table that they lie in.
 */
export async function guardRights(links: readonly LinkChange[], writing: Writing): Promise<void> {
  for (const { relationship, mode, rights } of links) {
    if (mode === 'remove' || !isToBeLocked(writing.mapping.relationOf(relationship), writing.mapping)) continue
    await guard(
      relationship,
      rights.filter((right) => right !== 'itself'),
      writing,
    )
  }
}

/** SQLite has one transaction at a time that writes: nobody can become the owner meanwhile. */
function isToBeLocked(link: RelationMapping, { dialect }: Mapping): boolean {
  if (link.kind === 'keyOnRight') return false
  return !link.isGuarded || (link.kind === 'keyOnLeft' && link.isUnique && dialect.lock(ALIAS) !== NOTHING)
}

async function guard(
  relationship: Relationship,
  rights: readonly Exclude<RightEnd, 'itself'>[],
  { mapping, run }: Writing,
): Promise<void> {
  for (const [type, ids] of idsByType(rights)) {
    const [table] = tablesOf([type], mapping)
    if (table === undefined) continue
    const [part] = table.parts
    const columns = part.key.map(identifier)
    const keys = ids.map((id) => keyOf(mapping, type, id))
    const rows = join(
      [isAmongKeys(columns, keys, table.key, mapping.dialect), ...presentIn(part, [type], mapping)],
      ' and ',
    )
    const locked = mapping.dialect.lock(ALIAS)
    const { records } = await run(
      toSql`select ${join(columns, ', ')} from ${identifier(`${part.table} ${ALIAS}`)} where ${rows}${locked}`,
    )
    if (records.length < keys.length) throw missingRight(relationship)
  }
}

function idsByType(rights: readonly Exclude<RightEnd, 'itself'>[]): ReadonlyMap<StoredType, readonly string[]> {
  const types = new Set(rights.map(({ type }) => type))
  const idsOf = (type: StoredType) => new Set(rights.filter((right) => right.type === type).map(({ id }) => id))
  return new Map([...types].map((type) => [type, [...idsOf(type)]]))
}

export function missingRight({ name }: Relationship): JsonApiError {
  const detail = 'A resource that was to be linked is not there any more.'
  return new JsonApiError([{ ...problem('related.not-found', detail), field: name }])
}

const ALIAS = 'each_row'
