import { InvariantError } from '../../../errors/invariant'
import type { StatementResult } from '../drivers/run-statement'
import type { DatabaseMapping, Key, ResourceTypeMapping } from '../mapping/database-mapping'
import { convertDatabaseKeyToRuntimeValue, toDatabaseKey } from '../mapping/keys'
import type { PartialKey } from './resolve-key-before-insert'

/** Returns true if an insert can return columns. MariaDB supports that, and MySQL does not. */
export function supportsInsertReturning({ dialect, dataSource: { driver } }: DatabaseMapping): boolean {
  return dialect.name !== 'mysql' || driver.isReturningSqlSupported('insert')
}

/** Reads the key of a new row. MySQL returns only the auto-increment part, so the other parts must be known. */
export function readKeyOfInsertedRow(
  { records, raw }: StatementResult,
  partialKey: PartialKey,
  { tables: [{ table }], key: columns }: ResourceTypeMapping,
  mapping: DatabaseMapping,
): Key {
  const parts = columns.map(({ metadata: { generationStrategy } }, index) => {
    if (supportsInsertReturning(mapping)) return records[0]?.[index]
    return (
      partialKey[index] ?? (columns.length === 1 || generationStrategy === 'increment' ? insertIdOf(raw) : undefined)
    )
  })
  if (parts.includes(undefined))
    throw new InvariantError(`The database did not return the id of a new row in ${table}.`)
  return parts.length === 1 ? parts : toDatabaseKey(columns, convertDatabaseKeyToRuntimeValue(columns, parts))
}

/** Returns the generated key; `undefined` if the table has no counter, for which MySQL reports 0. */
function insertIdOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'insertId' in raw && raw.insertId !== 0 ? raw.insertId : undefined
}
