import { Column, type ColumnOptions, DataSource, type DataSourceOptions, Entity, PrimaryGeneratedColumn } from 'typeorm'
import type { ValueRange } from '../../../src/graph/value-type'
import { describeEntities } from '../../../src/store/typeorm/describe-entities'

const INT_32 = { minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n }
const INT_64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
const DOUBLE = { minimum: 1n - 2n ** 53n, maximum: 2n ** 53n - 1n }
const YEAR_100 = BigInt(Date.parse('0100-01-01T00:00:00Z'))
/** An enum of TypeScript at run time. */
const Mood = { calm: 0, wild: 1, 0: 'calm', 1: 'wild' }

type Row = readonly [column: ColumnOptions, range: ValueRange]

describe.each<[name: string, DataSourceOptions, id: readonly [PropertyDecorator, ValueRange], readonly Row[]]>([
  [
    'SQLite',
    { type: 'better-sqlite3', database: ':memory:' },
    [PrimaryGeneratedColumn('uuid'), { valueType: 'uuid' }],
    [
      [{ type: 'varchar' }, { valueType: 'string' }],
      [
        { type: 'varchar', length: 9 },
        { valueType: 'string', maximumLength: 9 },
      ],
      [{ type: 'int' }, { valueType: 'integer', ...DOUBLE }],
      [{ type: 'smallint' }, { valueType: 'integer', minimum: -32768n, maximum: 32767n }],
      [{ type: 'bigint' }, { valueType: 'bigint', ...INT_64 }],
      [
        { type: 'decimal', precision: 6, scale: 2 },
        { valueType: 'decimal', precision: 6, scale: 2, significantDigits: 15 },
      ],
      [{ type: 'decimal' }, { valueType: 'decimal', significantDigits: 15 }],
      [{ type: 'double' }, { valueType: 'float' }],
      [{ type: 'boolean' }, { valueType: 'boolean' }],
      [{ type: Boolean }, { valueType: 'boolean' }],
      [{ type: 'datetime' }, { valueType: 'datetime', scale: 3 }],
      [{ type: Date }, { valueType: 'datetime', scale: 3 }],
      [{ type: 'date' }, { valueType: 'date' }],
      [{ type: 'time' }, { valueType: 'time', scale: 9 }],
      [{ type: 'uuid' }, { valueType: 'uuid' }],
      [
        { type: 'simple-enum', enum: ['a', 'b'] },
        { valueType: 'enum', enumValues: ['a', 'b'] },
      ],
      [
        { type: 'simple-enum', enum: Mood },
        { valueType: 'enum', enumValues: [0, 1] },
      ],
      [{ type: 'simple-array' }, { valueType: 'list' }],
      [{ type: 'simple-json' }, { valueType: 'json' }],
      [{ type: 'blob' }, { valueType: 'binary' }],
      [{ type: Number }, { valueType: 'integer', ...DOUBLE }],
      [{ type: String }, { valueType: 'string' }],
    ],
  ],
  [
    'PostgreSQL',
    { type: 'postgres', database: 'any' },
    [PrimaryGeneratedColumn('identity'), { valueType: 'integer', ...INT_32 }],
    [
      [{ type: 'varchar' }, { valueType: 'string' }],
      [{ type: 'char' }, { valueType: 'string', maximumLength: 1, isPadded: true }],
      [
        { type: 'char', length: 3 },
        { valueType: 'string', maximumLength: 3, isPadded: true },
      ],
      [{ type: 'citext' }, { valueType: 'string' }],
      [{ type: 'int2' }, { valueType: 'integer', minimum: -32768n, maximum: 32767n }],
      [{ type: 'int4' }, { valueType: 'integer', ...INT_32 }],
      [{ type: 'int8' }, { valueType: 'bigint', ...INT_64 }],
      [
        { type: 'numeric', precision: 10 },
        { valueType: 'decimal', precision: 10, scale: 0 },
      ],
      [{ type: 'numeric' }, { valueType: 'decimal' }],
      [{ type: 'float4' }, { valueType: 'float', significantDigits: 6 }],
      [{ type: 'bool' }, { valueType: 'boolean' }],
      [{ type: 'timestamptz' }, { valueType: 'datetime', scale: 3 }],
      [{ type: 'timetz' }, { valueType: 'string', databaseType: 'time with time zone' }],
      [{ type: 'time' }, { valueType: 'time', scale: 6 }],
      [{ type: 'date' }, { valueType: 'date' }],
      [{ type: 'uuid' }, { valueType: 'uuid' }],
      [
        { type: 'enum', enum: ['a', 'b'] },
        { valueType: 'enum', enumValues: ['a', 'b'] },
      ],
      [
        { type: 'enum', enum: ['a', 'b'], array: true },
        { valueType: 'list', members: { valueType: 'enum', enumValues: ['a', 'b'] } },
      ],
      [
        { type: 'text', array: true },
        { valueType: 'list', members: { valueType: 'string' } },
      ],
      [
        { type: 'int', array: true },
        { valueType: 'json', members: { valueType: 'integer', ...INT_32 } },
      ],
      [{ type: 'jsonb' }, { valueType: 'json' }],
      [{ type: 'bytea' }, { valueType: 'binary' }],
      [{ type: 'hstore' }, { valueType: 'string', databaseType: 'hstore', isOpaque: true }],
      [{ type: 'hstore', hstoreType: 'object' }, { valueType: 'json' }],
      [{ type: 'inet' }, { valueType: 'string', databaseType: 'inet' }],
      [{ type: 'point' }, { valueType: 'json' }],
    ],
  ],
  [
    'MySQL',
    { type: 'mariadb', database: 'any' },
    [
      PrimaryGeneratedColumn({ type: 'int', unsigned: true }),
      { valueType: 'integer', minimum: 0n, maximum: 2n ** 32n - 1n },
    ],
    [
      [{ type: 'varchar' }, { valueType: 'string', maximumLength: 255 }],
      [
        { type: 'char', length: 3 },
        { valueType: 'string', maximumLength: 3, isPadded: true },
      ],
      [{ type: 'longtext' }, { valueType: 'string' }],
      [{ type: 'tinyint' }, { valueType: 'integer', minimum: -128n, maximum: 127n }],
      [
        { type: 'tinyint', unsigned: true },
        { valueType: 'integer', minimum: 0n, maximum: 255n },
      ],
      [{ type: 'mediumint' }, { valueType: 'integer', minimum: -(2n ** 23n), maximum: 2n ** 23n - 1n }],
      [
        { type: 'bigint', unsigned: true },
        { valueType: 'bigint', minimum: 0n, maximum: 2n ** 64n - 1n },
      ],
      [{ type: 'year' }, { valueType: 'integer', minimum: 1901n, maximum: 2155n }],
      [{ type: 'boolean' }, { valueType: 'boolean' }],
      [{ type: Boolean }, { valueType: 'boolean' }],
      [{ type: 'decimal' }, { valueType: 'decimal', precision: 10, scale: 0 }],
      [{ type: 'double' }, { valueType: 'float' }],
      [{ type: 'datetime' }, { valueType: 'datetime', scale: 0, minimum: YEAR_100 }],
      [{ type: 'timestamp' }, { valueType: 'datetime', scale: 0, minimum: 1000n, maximum: 2_147_483_647_999n }],
      [
        { type: 'enum', enum: ['a', 'b'] },
        { valueType: 'enum', enumValues: ['a', 'b'] },
      ],
      [
        { type: 'set', enum: ['a', 'b'] },
        { valueType: 'list', enumValues: ['a', 'b'] },
      ],
      [{ type: 'json' }, { valueType: 'json' }],
      [
        { type: 'varbinary', length: 16 },
        { valueType: 'binary', maximumLength: 16 },
      ],
      [{ type: 'bit' }, { valueType: 'binary', minimumLength: 1, maximumLength: 1, maximum: 1n }],
      [{ type: 'uuid' }, { valueType: 'uuid' }],
      [{ type: 'geometry' }, { valueType: 'json' }],
    ],
  ],
])('the value range of a column on %s', (_name, options, [primaryColumn, idRange], rows) => {
  let ranges: ReadonlyMap<string, ValueRange>

  beforeAll(async () => {
    @Entity()
    class Everything {
      @primaryColumn id: unknown
    }
    for (const [index, [column]] of rows.entries()) Column(column)(Everything.prototype, `column${index}`)
    const dataSource = new DataSource({ ...options, entities: [Everything] })
    // The metadata need the driver, but no connection.
    await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas()
    const columns = describeEntities(dataSource)(Everything)?.columns.values() ?? []
    ranges = new Map([...columns].map(({ property, range }) => [property, range]))
  })

  it('is that of the id', () => {
    expect(ranges.get('id')).toEqual(idRange)
  })

  it.each(rows.map(([column, range], index) => ({ column, range, index })))(
    'of $column is $range',
    ({ range, index }) => {
      expect(ranges.get(`column${index}`)).toEqual(range)
    },
  )
})
