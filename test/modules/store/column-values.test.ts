import { Attribute, Resource } from 'stemma'
import { Column, type ColumnOptions, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE, type DatabaseName } from '../../support/database'
import { createResource, updateResource } from '../../support/documents'
import { expectError } from '../../support/expectations'

// Values of every column type: those that are accepted with 201 are read back as sent, all others return 422. Nothing is rounded, cut or
// padded, and nothing is left for the database to refuse.

interface Sort {
  /** Options of `@Column`. */
  readonly column: Readonly<Record<string, unknown>>
  readonly inside: readonly unknown[]
  readonly outside: readonly unknown[]
  /** Values that are read back in another notation. */
  readonly as?: readonly (readonly [sent: unknown, read: unknown])[]
}

const NO_NUMBERS = ['1', true, null, [], {}].filter((each) => each !== null)
const text = (length: number) => 'ä'.repeat(length)
const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64')
const integers = (type: string, least: number, most: number, options: object = {}): Sort => ({
  column: { type, ...options },
  inside: [least, 0, most],
  outside: [least - 1, most + 1, 0.5, ...NO_NUMBERS],
})

const EVERYWHERE: Readonly<Record<string, Sort>> = {
  smallint: integers('smallint', -32768, 32767),
  bigint: {
    column: { type: 'bigint' },
    inside: ['9223372036854775807', '-9223372036854775808', '0'],
    outside: ['9223372036854775808', '-9223372036854775809', '1.5', '', 'x', 2 ** 53, '1e3'],
    as: [[9007199254740991, '9007199254740991']],
  },
  decimal: {
    column: { type: 'decimal', precision: 6, scale: 2 },
    inside: ['9999.99', '-9999.99', '0.01'],
    outside: ['10000.00', '0.001', 'x', '', true, 1e20],
  },
  wholeDecimal: {
    column: { type: 'decimal', precision: 4, ...(DATABASE === 'sqlite' && { scale: 0 }) },
    inside: ['9999'],
    outside: ['10000', '1.5'],
  },
  longDecimal: {
    column: { type: 'decimal', precision: 20, scale: 2 },
    inside: ['1234567890123.45'],
    // SQLite keeps decimals as floating-point numbers.
    outside: DATABASE === 'sqlite' ? ['123456789012345678.12'] : ['1234567890123456789.12'],
    as: DATABASE === 'sqlite' ? [] : [['123456789012345678.12', '123456789012345678.12']],
  },
  double: {
    column: { type: 'double precision' },
    inside: [1.7976931348623157e308, -2.5, 0.1, 1e-300, 123456789.12345679, 0],
    outside: NO_NUMBERS,
  },
  varchar: {
    column: { type: 'varchar', length: 5 },
    inside: ['', text(5), '🦊🦊🦊🦊🦊', 'ab   '],
    outside: [text(6), '🦊🦊🦊🦊🦊🦊', 'abcde ', 'a\0', '\ud800', 5],
  },
  char: {
    column: { type: DATABASE === 'sqlite' ? 'character' : 'char', length: 3 },
    inside: ['abc', 'a', '', ' a'],
    outside: ['abcd', ...(DATABASE === 'sqlite' ? [] : ['a '])],
  },
  text: { column: { type: 'text' }, inside: ['', text(1000)], outside: [5, 'a\0b'] },
  boolean: { column: { type: 'boolean' }, inside: [true, false], outside: [0, 1, 'true', 'x'] },
  date: {
    column: { type: 'date' },
    inside: ['2024-02-29', '0100-01-01', '9999-12-31', ...(DATABASE === 'mariadb' ? [] : ['0001-01-01'])],
    outside: [
      '2023-02-29',
      '10000-01-01',
      '2024-13-01',
      '2024-1-1',
      '0000-01-01',
      '2024-01-01T00:00:00Z',
      '',
      ...(DATABASE === 'mariadb' ? ['0099-12-31'] : []),
    ],
  },
  time: {
    column: { type: 'time' },
    inside: ['00:00:00', '23:59:59'],
    outside: ['24:00:00', '12:60:00', 'noon', '12:00:00Z', ...(DATABASE === 'mariadb' ? ['12:00:00.5'] : [])],
    as: [['12:30', '12:30:00']],
  },
  fineTime: {
    column: { type: 'time', ...(DATABASE !== 'sqlite' && { precision: 3 }) },
    inside: ['12:00:00.125'],
    outside: DATABASE === 'sqlite' ? [] : ['12:00:00.1234'],
    as: [
      ['12:00:00.5', '12:00:00.500'],
      ['12:00:00.000', '12:00:00'],
    ],
  },
  uuid: {
    column: { type: 'uuid' },
    inside: ['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70', '00000000-0000-0000-0000-000000000000'],
    outside: ['0b2f3f5e7d1c4c599c392e4d8f1a6b70', 'x', ''],
    as: [['0B2F3F5E-7D1C-4C59-9C39-2E4D8F1A6B70', '0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70']],
  },
  simpleEnum: { column: { type: 'simple-enum', enum: ['a', 'b'] }, inside: ['a', 'b'], outside: ['c', 'A', '', 1] },
  simpleArray: {
    column: { type: 'simple-array' },
    inside: [[], ['a', 'b'], ['', '']],
    outside: [['a,b'], [''], [1], 'a', {}],
  },
  simpleJson: {
    column: { type: 'simple-json' },
    inside: [{ a: [1, null, 'x'] }, [], 'text', 0, false, { a: { b: text(100) } }],
    outside: [{ a: '\ud800' }, 'a\0'],
  },
}

const day = '2024-02-29T12:30:45'
const HERE: Readonly<Record<DatabaseName, Readonly<Record<string, Sort>>>> = {
  sqlite: {
    tinyint: integers('tinyint', -128, 127),
    mediumint: integers('mediumint', -(2 ** 23), 2 ** 23 - 1),
    unsigned: integers('smallint', 0, 65535, { unsigned: true }),
    integer: { column: { type: 'integer' }, inside: [2 ** 53 - 1, 1 - 2 ** 53], outside: [2 ** 53, 1.5] },
    datetime: {
      column: { type: 'datetime' },
      inside: [`${day}.000Z`, `${day}.123Z`, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      outside: ['2024-02-30T00:00:00Z', day.slice(0, 10), `${day}.1234Z`, '9999-12-31T23:59:59-01:00', ''],
    },
    blob: { column: { type: 'blob' }, inside: ['', bytes(3), 'QQ=='], outside: ['QR==', 'x', '=', 'QQ'] },
  },
  postgres: {
    int: integers('int', -(2 ** 31), 2 ** 31 - 1),
    real: {
      column: { type: 'real' },
      inside: [1.5, 123456, 3.40282e38, -0.000123456, 1.1, 0],
      outside: [16777217, 3.5e38, 1e-50, 0.12345678901],
    },
    numeric: { column: { type: 'numeric' }, inside: ['123456789012345678901234567890.123456789'], outside: ['x'] },
    timestamptz: {
      column: { type: 'timestamptz', precision: 3 },
      inside: [`${day}.123Z`, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      outside: [`${day}.1234Z`],
    },
    seconds: { column: { type: 'timestamptz', precision: 0 }, inside: [`${day}.000Z`], outside: [`${day}.123Z`] },
    timestamp: { column: { type: 'timestamp' }, inside: [`${day}.123Z`], outside: [`${day}.1234Z`] },
    microseconds: { column: { type: 'time' }, inside: ['12:00:00.123456'], outside: ['12:00:00.1234567'] },
    bytea: { column: { type: 'bytea' }, inside: ['', bytes(3)], outside: ['QR==', 'x'] },
    jsonb: { column: { type: 'jsonb' }, inside: [{ a: [1, 'x'] }, 'text', 5, [true]], outside: ['a\0'] },
    enum: { column: { type: 'enum', enum: ['a', 'b'] }, inside: ['a'], outside: ['c'] },
    texts: {
      column: { type: 'text', array: true },
      inside: [[], ['a,b', '"', ''], ['']],
      outside: [[1], [null], [['a']], 'a'],
    },
    words: { column: { type: 'varchar', length: 3, array: true }, inside: [['abc']], outside: [['abcd']] },
    ints: {
      column: { type: 'int', array: true },
      inside: [[], [1, -2]],
      outside: [[2 ** 31], ['1'], [1.5], 1, [[1]], {}],
    },
    bigints: {
      column: { type: 'bigint', array: true },
      inside: [['9223372036854775807']],
      outside: [['9223372036854775808']],
    },
    booleans: { column: { type: 'boolean', array: true }, inside: [[true, false]], outside: [[1]] },
    doubles: { column: { type: 'float', array: true }, inside: [[1.5, 0.1]], outside: [['1']] },
    enums: { column: { type: 'enum', enum: ['a', 'b'], array: true }, inside: [['b', 'a']], outside: [['c']] },
    uuids: {
      column: { type: 'uuid', array: true },
      inside: [['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70']],
      outside: [['x']],
    },
  },
  mariadb: {
    tinyint: integers('tinyint', -128, 127),
    mediumint: integers('mediumint', -(2 ** 23), 2 ** 23 - 1),
    int: integers('int', -(2 ** 31), 2 ** 31 - 1),
    unsigned: integers('int', 0, 2 ** 32 - 1, { unsigned: true }),
    unsignedTiny: integers('tinyint', 0, 255, { unsigned: true }),
    unsignedBig: {
      column: { type: 'bigint', unsigned: true },
      inside: ['18446744073709551615', '0'],
      outside: ['-1', '18446744073709551616'],
    },
    unsignedDecimal: {
      column: { type: 'decimal', precision: 6, scale: 2, unsigned: true },
      inside: ['0.00', '9999.99'],
      outside: ['-0.01'],
    },
    unsignedDouble: { column: { type: 'double', unsigned: true }, inside: [0, 1.5], outside: [-1] },
    year: { column: { type: 'year' }, inside: [1901, 2155], outside: [1900, 2156, 0, 99] },
    float: {
      column: { type: 'float' },
      inside: [1.5, 123456, 3.40282e38, -0.000123456, 1.1, 0],
      outside: [16777217, 3.5e38, 1e-50, 1234567],
    },
    datetime: {
      column: { type: 'datetime', precision: 3 },
      inside: [`${day}.123Z`, '9999-12-31T23:59:59.999Z', '1000-01-01T00:00:00.000Z'],
      outside: [`${day}.1234Z`],
    },
    seconds: { column: { type: 'datetime' }, inside: [`${day}.000Z`], outside: [`${day}.123Z`] },
    timestamp: {
      column: { type: 'timestamp', precision: 3 },
      inside: [`${day}.123Z`, '2038-01-19T03:14:07.000Z', '1970-01-01T00:00:01.000Z'],
      outside: ['1969-12-31T23:59:59.000Z', '2038-01-19T03:14:08.000Z', '1970-01-01T00:00:00.000Z'],
    },
    tinytext: { column: { type: 'tinytext' }, inside: ['a'.repeat(255)], outside: ['a'.repeat(256), text(128)] },
    longText: { column: { type: 'text' }, inside: ['a'.repeat(65535)], outside: ['a'.repeat(65536), text(32768)] },
    longJson: { column: { type: 'simple-json' }, inside: [['a'.repeat(65531)]], outside: [['a'.repeat(65532)]] },
    longArray: { column: { type: 'simple-array' }, inside: [['a'.repeat(65535)]], outside: [['a'.repeat(65535), '']] },
    varbinary: { column: { type: 'varbinary', length: 3 }, inside: ['', bytes(3)], outside: [bytes(4)] },
    binary: { column: { type: 'binary', length: 3 }, inside: [bytes(3)], outside: [bytes(4), bytes(2), ''] },
    tinyblob: { column: { type: 'tinyblob' }, inside: [bytes(255)], outside: [bytes(256)] },
    bit: { column: { type: 'bit' }, inside: ['AQ==', 'AA=='], outside: ['Ag==', 'AAA=', ''] },
    json: { column: { type: 'json' }, inside: [{ a: [1, 'x'] }, 'text', 5], outside: ['\ud800'] },
    enum: { column: { type: 'enum', enum: ['a', 'b'] }, inside: ['a'], outside: ['c', 'A'] },
    set: {
      column: { type: 'set', enum: ['a', 'b'] },
      inside: [[], ['a'], ['a', 'b']],
      outside: [['c'], 'a'],
      as: [
        [
          ['b', 'a', 'b'],
          ['a', 'b'],
        ],
      ],
    },
  },
}

const SORTS = Object.entries({ ...EVERYWHERE, ...HERE[DATABASE] })

@Resource('things')
@Entity('things')
class Thing {
  @PrimaryGeneratedColumn() id!: number
}
for (const [name, { column }] of SORTS) {
  Attribute()(Thing.prototype, name)
  Column({ ...column, nullable: true } as ColumnOptions)(Thing.prototype, name)
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Thing])
})
afterAll(() => api.close())

const post = (name: string, value: unknown) => createResource(api, 'things', { [name]: value })
const show = (value: unknown) => JSON.stringify(value).slice(0, 60)
const cases = (of: (sort: Sort) => readonly unknown[]) =>
  SORTS.flatMap(([name, sort]) => of(sort).map((value) => [name, show(value), value] as const))

it.each(cases(({ inside, as = [] }) => [...inside.map((each) => [each, each]), ...as]))(
  '%s accepts and returns %s',
  async (name, _shown, pair) => {
    const [sent, read] = pair as readonly [unknown, unknown]
    const values = { [name]: sent }
    const { status, body } = await post(name, sent)
    expect([status, body.errors]).toEqual([201, undefined])
    expect(body.data.attributes[name]).toEqual(read)
    const { id } = body.data
    expect((await api.get(`/things/${id}`)).body.data.attributes[name]).toEqual(read)
    await updateResource(api, 'things', id, values).expect(204)
  },
)

it.each(cases(({ outside }) => outside))('%s refuses %s', async (name, _shown, value) => {
  expectError(await post(name, value), 422, `/data/attributes/${name}`, 'attribute.value')
})

it('accepts null in every nullable column', async () => {
  const attributes = Object.fromEntries(SORTS.map(([name]) => [name, null]))
  const { status, body } = await createResource(api, 'things', attributes)
  expect([status, body.data.attributes]).toEqual([201, attributes])
})
