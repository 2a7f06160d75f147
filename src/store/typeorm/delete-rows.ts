import type { StoredType } from '../../graph/resource-graph'
import { type KeySql, keySql } from './key-sql'
import type { Mapping } from './mapping'
import { identifier, join, type Sql, toSql } from './sql'
import { stampsOfEntity, stampsOfUpdate, time } from './stamps'
import { present, setClause, type Writing } from './writing'

/** A condition on columns that hold keys of rows. */
export type Among = (columns: KeySql) => Sql

/**
 * Deletes the rows of these types, which share a table, with these keys: what refers to them is loosened before. Where rows only count
 * as deleted, that is all that happens to them. Gives the number of rows that were there.
 */
export async function deleteRows(types: readonly StoredType[], among: Among, writing: Writing): Promise<number> {
  const [type] = types
  if (type === undefined) return 0
  const { mapping, run } = writing
  const { name, key, deletedAt } = mapping.tableOf(type)
  const rows = join([among(keySql(key)), ...present(mapping, types)], ' and ')
  if (deletedAt !== undefined) {
    const assignments = new Map([
      ...stampsOfUpdate(mapping, type),
      [deletedAt.column, time(mapping, deletedAt.metadata, new Date())] as const,
    ])
    return (await run(toSql`update ${identifier(name)} set ${setClause(assignments)} where ${rows}`)).affected
  }
  for (const statement of loosen(types, among, mapping)) await run(statement)
  return (await run(toSql`delete from ${identifier(name)} where ${rows}`)).affected
}

/** Empties optional keys that refer to the rows, and takes the rows out of all tables of pairs. */
function loosen(types: readonly StoredType[], among: Among, mapping: Mapping): readonly Sql[] {
  const keys = distinct(types.flatMap((type) => mapping.referencesTo(type)))
  const pairs = distinct(types.flatMap((type) => mapping.pairsWith(type)))
  return [
    ...keys.map(({ table, columns, emptied, metadata }) => {
      const nothing = emptied.map((column) => [column, toSql`null`] as const)
      const assignments = new Map([...stampsOfEntity(mapping, metadata), ...nothing])
      const rows = among(columns.map(identifier))
      return toSql`update ${identifier(table)} set ${setClause(assignments)} where ${rows}`
    }),
    ...pairs.map(({ table, ends }) => {
      const rows = ends.map((columns) => among(columns.map(identifier)))
      return toSql`delete from ${identifier(table)} where ${join(rows, ' or ')}`
    }),
  ]
}

function distinct<Place extends { readonly table: string }>(places: readonly Place[]): readonly Place[] {
  const keyOf = (place: Place): string => JSON.stringify({ ...place, metadata: undefined })
  return [...new Map(places.map((place) => [keyOf(place), place])).values()]
}
