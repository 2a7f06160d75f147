import {
  Column,
  type ColumnOptions,
  type ColumnType,
  DataSource,
  type DataSourceOptions,
  Entity,
  PrimaryGeneratedColumn,
} from 'typeorm'
import type { ValueConstraints } from '../../../src/graph/model/value-type'
import { createEntityDescriber } from '../../../src/store/typeorm/metadata/describe-entities'

const INT_32 = { minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n }
const UNSIGNED = { minimum: 0n, maximum: 2n ** 32n - 1n }
const INT_64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
const DOUBLE = { minimum: 1n - 2n ** 53n, maximum: 2n ** 53n - 1n }
const YEAR_100 = BigInt(Date.parse('0100-01-01T00:00:00Z'))
const LETTERS = ['a', 'b']
const ENUM: ValueConstraints = { valueType: 'enum', enumValues: LETTERS }
/** An enum of TypeScript at run time. */
const Mood = { calm: 0, wild: 1, 0: 'calm', 1: 'wild' }

type Row = readonly [type: ColumnType, options: ColumnOptions, constraints: ValueConstraints]

describe.each<[name: string, DataSourceOptions, id: readonly [PropertyDecorator, ValueConstraints], readonly Row[]]>([
  [
    'SQLite',
    { type: 'better-sqlite3', database: ':memory:' },
    [PrimaryGeneratedColumn('uuid'), { valueType: 'uuid' }],
    [
      ['varchar', {}, { valueType: 'string' }],
      ['varchar', { length: 9 }, { valueType: 'string', maximumLength: 9 }],
      ['int', {}, { valueType: 'integer', ...DOUBLE }],
      ['smallint', {}, { valueType: 'integer', minimum: -32768n, maximum: 32767n }],
      ['bigint', {}, { valueType: 'bigint', ...INT_64 }],
      ['decimal', { precision: 6, scale: 2 }, { valueType: 'decimal', precision: 6, scale: 2, significantDigits: 15 }],
      ['decimal', {}, { valueType: 'decimal', significantDigits: 15 }],
      ['double', {}, { valueType: 'float' }],
      ['boolean', {}, { valueType: 'boolean' }],
      [Boolean, {}, { valueType: 'boolean' }],
      ['datetime', {}, { valueType: 'datetime', scale: 3 }],
      [Date, {}, { valueType: 'datetime', scale: 3 }],
      ['date', {}, { valueType: 'date' }],
      ['time', {}, { valueType: 'time', scale: 9 }],
      ['uuid', {}, { valueType: 'uuid' }],
      ['simple-enum', { enum: LETTERS }, ENUM],
      ['simple-enum', { enum: Mood }, { valueType: 'enum', enumValues: [0, 1] }],
      ['simple-array', {}, { valueType: 'list' }],
      ['simple-json', {}, { valueType: 'json' }],
      ['blob', {}, { valueType: 'binary' }],
      [Number, {}, { valueType: 'integer', ...DOUBLE }],
      [String, {}, { valueType: 'string' }],
    ],
  ],
  [
    'PostgreSQL',
    { type: 'postgres', database: 'any' },
    [PrimaryGeneratedColumn('identity'), { valueType: 'integer', ...INT_32 }],
    [
      ['varchar', {}, { valueType: 'string' }],
      ['char', {}, { valueType: 'string', maximumLength: 1, isPadded: true }],
      ['char', { length: 3 }, { valueType: 'string', maximumLength: 3, isPadded: true }],
      ['citext', {}, { valueType: 'string' }],
      ['int2', {}, { valueType: 'integer', minimum: -32768n, maximum: 32767n }],
      ['int4', {}, { valueType: 'integer', ...INT_32 }],
      ['int8', {}, { valueType: 'bigint', ...INT_64 }],
      ['numeric', { precision: 10 }, { valueType: 'decimal', precision: 10, scale: 0 }],
      ['numeric', {}, { valueType: 'decimal' }],
      ['float4', {}, { valueType: 'float', significantDigits: 6 }],
      ['bool', {}, { valueType: 'boolean' }],
      ['timestamptz', {}, { valueType: 'datetime', scale: 3 }],
      ['timetz', {}, { valueType: 'string', databaseType: 'time with time zone' }],
      ['time', {}, { valueType: 'time', scale: 6 }],
      ['date', {}, { valueType: 'date' }],
      ['uuid', {}, { valueType: 'uuid' }],
      ['enum', { enum: LETTERS }, ENUM],
      ['enum', { enum: LETTERS, array: true }, { valueType: 'list', members: ENUM }],
      ['text', { array: true }, { valueType: 'list', members: { valueType: 'string' } }],
      ['int', { array: true }, { valueType: 'json', members: { valueType: 'integer', ...INT_32 } }],
      ['jsonb', {}, { valueType: 'json' }],
      ['bytea', {}, { valueType: 'binary' }],
      ['hstore', {}, { valueType: 'string', databaseType: 'hstore', isOpaque: true }],
      ['hstore', { hstoreType: 'object' }, { valueType: 'json' }],
      ['inet', {}, { valueType: 'string', databaseType: 'inet' }],
      ['point', {}, { valueType: 'json' }],
    ],
  ],
  [
    'MySQL',
    { type: 'mariadb', database: 'any' },
    [PrimaryGeneratedColumn({ type: 'int', unsigned: true }), { valueType: 'integer', ...UNSIGNED }],
    [
      ['varchar', {}, { valueType: 'string', maximumLength: 255 }],
      ['char', { length: 3 }, { valueType: 'string', maximumLength: 3, isPadded: true }],
      ['longtext', {}, { valueType: 'string' }],
      ['tinyint', {}, { valueType: 'integer', minimum: -128n, maximum: 127n }],
      ['tinyint', { unsigned: true }, { valueType: 'integer', minimum: 0n, maximum: 255n }],
      ['mediumint', {}, { valueType: 'integer', minimum: -(2n ** 23n), maximum: 2n ** 23n - 1n }],
      ['bigint', { unsigned: true }, { valueType: 'bigint', minimum: 0n, maximum: 2n ** 64n - 1n }],
      ['year', {}, { valueType: 'integer', minimum: 1901n, maximum: 2155n }],
      ['boolean', {}, { valueType: 'boolean' }],
      [Boolean, {}, { valueType: 'boolean' }],
      ['decimal', {}, { valueType: 'decimal', precision: 10, scale: 0 }],
      ['double', {}, { valueType: 'float' }],
      ['datetime', {}, { valueType: 'datetime', scale: 0, minimum: YEAR_100 }],
      ['timestamp', {}, { valueType: 'datetime', scale: 0, minimum: 1000n, maximum: 2_147_483_647_999n }],
      ['enum', { enum: LETTERS }, ENUM],
      ['set', { enum: LETTERS }, { valueType: 'list', enumValues: ['a', 'b'] }],
      ['json', {}, { valueType: 'json' }],
      ['varbinary', { length: 16 }, { valueType: 'binary', maximumLength: 16 }],
      ['bit', {}, { valueType: 'binary', minimumLength: 1, maximumLength: 1, maximum: 1n }],
      ['uuid', {}, { valueType: 'uuid' }],
      ['geometry', {}, { valueType: 'json' }],
    ],
  ],
])('the value range of a column on %s', (_name, options, [primaryColumn, idRange], rows) => {
  let ranges: ReadonlyMap<string, ValueConstraints>

  beforeAll(async () => {
    @Entity()
    class Everything {
      @primaryColumn id: unknown
    }
    for (const [index, [type, options]] of rows.entries())
      Column({ ...options, type })(Everything.prototype, `column${index}`)
    const dataSource = new DataSource({ ...options, entities: [Everything] })
    // The metadata need the driver, but no connection.
    await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas()
    const columns = createEntityDescriber(dataSource)(Everything)?.columns.values() ?? []
    ranges = new Map([...columns].map(({ property, constraints }) => [property, constraints]))
  })

  it('describes the constraints of the id', () => {
    expect(ranges.get('id')).toEqual(idRange)
  })

  it.each(rows.map((row, index) => [...row, index] as const))(
    'of %p with %j is %p',
    (_type, _options, constraints, index) => {
      expect(ranges.get(`column${index}`)).toEqual(constraints)
    },
  )
})
