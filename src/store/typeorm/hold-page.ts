import type { ReadPlan } from '../../plan/read-plan'
import type { ReadResult } from '../read-result'
import { amongKeys, findRows, type ReadColumns } from './change-rows'
import { isKey } from './key-sql'
import { keyOf, toKeys } from './keys'
import type { Reading } from './load-includes'
import type { Mapping } from './mapping'
import { read } from './read'
import { identifier, join, printSql, type Sql, toSql } from './sql'

/**
 * Reads a page of a relationship whose keys lie in other rows, and locks its links. The left row is locked already, so nobody can add a member;
 * nobody can remove one of the page either. `undefined`: somebody has removed one while it was read.
 */
export async function holdPage(plan: ReadPlan, reading: Reading): Promise<ReadResult | undefined> {
  const { mapping } = reading
  // SQLite has one writer at a time.
  if (mapping.dialect.name === 'sqlite') return read(plan, reading, 'noLock')
  if (isReadCurrent(plan, mapping)) return read(plan, reading, 'lockLinks')
  const page = await read(plan, reading, 'noLock')
  return (await lockLinks(plan, page, reading)) < page.rows.length ? undefined : page
}

/**
 * A plain select of MariaDB and MySQL shows the rows as they were when the transaction first read any, one that locks shows them as they are.
 * Parts of a union can't be locked.
 */
function isReadCurrent({ layer: { range, type } }: ReadPlan, mapping: Mapping): boolean {
  return mapping.dialect.name === 'mysql' && range?.kind !== 'cursors' && mapping.tableOf(type).branches.length === 1
}

/** Gives how many of the members are still there. */
async function lockLinks({ layer }: ReadPlan, { rows }: ReadResult, { mapping, run }: Reading): Promise<number> {
  if (rows.length === 0 || layer.among.kind !== 'relatedTo') return rows.length
  const { relationship, left } = layer.among
  const { dialect } = mapping
  const { target } = relationship
  const relation = mapping.relationOf(relationship)
  const ofLeft = keyOf(mapping, left.type, left.id)
  const among = amongKeys(toKeys(mapping, target, idsOf(rows)), mapping.tableOf(target), mapping)
  const runSql = async (sql: Sql) => ({ ...(await run(printSql(sql, dialect))), affected: 0 })
  switch (relation.kind) {
    case 'keyOnLeft':
      return rows.length
    case 'keyOnRight': {
      const key = mapping.tableOf(target).key.map(({ column }) => column)
      const where = (columns: ReadColumns) => [
        among(columns(key)),
        isKey(columns(relation.columns.map(({ column }) => column)), ofLeft),
      ]
      return (await findRows({ type: target, deleted: 'not', where }, { mapping, run: runSql })).length
    }
    case 'junction': {
      const rights = relation.rightColumns.map(identifier)
      const isOfLeft = isKey(relation.leftColumns.map(identifier), ofLeft)
      const pairs = toSql`${identifier(`${relation.table} ${PAIRS}`)} where ${isOfLeft} and ${among(rights)}`
      const { records } = await runSql(toSql`select ${join(rights, ', ')} from ${pairs}${dialect.lock(PAIRS)}`)
      return records.length
    }
  }
}

const PAIRS = 'pairs'

function idsOf(rows: ReadResult['rows']): readonly string[] {
  return rows.map(({ id }) => id)
}
