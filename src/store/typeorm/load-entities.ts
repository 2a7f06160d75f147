import type { ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm'
import type { StoredType } from '../../graph/resource-graph'
import { isAmongKeys } from './key-sql'
import { idOfEntity } from './keys'
import type { ColumnMapping, Key, Mapping, TablePart } from './mapping'
import { identifier, printSql } from './sql'

interface Loading {
  readonly mapping: Mapping
  readonly queryRunner: QueryRunner
}

/**
 * Rows as TypeORM's own entities, of which its listeners are told. TypeORM reads each of joined tables by itself: what comes of that is put
 * together, and told once.
 */
export async function loadEntities(type: StoredType, keys: readonly Key[], loading: Loading): Promise<ObjectLiteral[]> {
  const table = loading.mapping.tableOf(type)
  const { queryRunner } = loading
  const [topmost, ...further] = table.parts
  const select = (part: TablePart) => selectEntities(part, { keys, of: table.key }, loading)
  if (further.length === 0) return select(topmost).getMany()
  const whole = new Map<string, ObjectLiteral>()
  for (const part of table.parts) {
    for (const entity of await select(part).callListeners(false).getMany()) {
      const id = idOfEntity(entity, table, type)
      whole.set(id, Object.assign(whole.get(id) ?? table.metadata.create(queryRunner), entity))
    }
  }
  const entities = [...whole.values()]
  await queryRunner.broadcaster.broadcast('Load', table.metadata, entities)
  return entities
}

interface Wanted {
  readonly keys: readonly Key[]
  /** The columns of the key itself, by which they are compared. */
  readonly of: readonly ColumnMapping[]
}

/** However many keys there are, they are one parameter: TypeORM would give each its own, and databases take so many parameters only. */
function selectEntities(
  { metadata, key }: TablePart,
  { keys, of }: Wanted,
  { mapping: { dialect }, queryRunner }: Loading,
): SelectQueryBuilder<ObjectLiteral> {
  const columns = key.map((column) => identifier(`${dialect.quote(ALIAS)}.${column}`))
  const condition = isAmongKeys(columns, keys, of, dialect)
  const nameOf = (index: number) => `key${index}`
  const { text, values } = printSql(condition, { placeholder: (index) => `:${nameOf(index)}` })
  return queryRunner.manager
    .createQueryBuilder<ObjectLiteral>(metadata.target, ALIAS)
    .where(text, Object.fromEntries(values.map((each, index) => [nameOf(index), each])))
}

const ALIAS = 'entity'
