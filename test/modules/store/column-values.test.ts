import { Attribute, Resource } from 'stemma'
import { Column, type ColumnOptions, Entity, Generated, PrimaryGeneratedColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE, type DatabaseName } from '../../support/database'
import { createResource, updateResource } from '../../support/documents'
import { expectError, resourceKeys } from '../../support/expectations'

// Values of every column type: those that are accepted with 201 are read back as sent, also by TypeORM, and all others return 422. Nothing is
// rounded, cut or padded, and nothing is left for the database to refuse.

type Values = readonly unknown[]

interface Sort {
  /** Options of `@Column`. */
  readonly column: Readonly<Record<string, unknown>>
  readonly inside: Values
  readonly outside: Values
  /** Values that are read back in another notation. */
  readonly as: readonly (readonly [sent: unknown, read: unknown])[]
}

const NO_NUMBERS = ['1', true, null, [], {}].filter((each) => each !== null)
const text = (length: number) => 'ä'.repeat(length)
const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64')
const sort = (column: Sort['column'], inside: Values, outside: Values, as: Sort['as'] = []): Sort => {
  return { column, inside, outside, as }
}
const integers = (type: string, least: number, most: number, options: object = {}): Sort =>
  sort({ type, ...options }, [least, 0, most], [least - 1, most + 1, 0.5, ...NO_NUMBERS])

const UPPER_CASE = {
  to: (text: string | null) => text?.toUpperCase() ?? null,
  from: (text: string | null) => text?.toLowerCase() ?? 'none',
}

/** Gives the database a boolean, whatever the type of the column. */
const YES_OR_NO = {
  to: (text: string | null | undefined) => (text === 'yes' ? true : text === 'no' ? false : null),
  from: (held: unknown) => (typeof held === 'object' ? null : Number(held) === 1 ? 'yes' : 'no'),
}

const EVERYWHERE: Readonly<Record<string, Sort>> = {
  smallint: integers('smallint', -32768, 32767),
  bigint: sort(
    { type: 'bigint' },
    ['9223372036854775807', '-9223372036854775808', '0'],
    ['9223372036854775808', '-9223372036854775809', '1.5', '', 'x', 2 ** 53, '1e3'],
    [[9007199254740991, '9007199254740991']],
  ),
  decimal: sort(
    { type: 'decimal', precision: 6, scale: 2 },
    ['9999.99', '-9999.99', '0.01', '12.30'],
    ['10000.00', '0.001', 'x', '', true, 1e20],
  ),
  wholeDecimal: sort(
    { type: 'decimal', precision: 4, ...(DATABASE === 'sqlite' && { scale: 0 }) },
    ['9999'],
    ['10000', '1.5'],
  ),
  // SQLite keeps decimals as floating-point numbers.
  longDecimal: sort(
    { type: 'decimal', precision: 20, scale: 2 },
    ['1234567890123.45'],
    DATABASE === 'sqlite' ? ['123456789012345678.12'] : ['1234567890123456789.12'],
    DATABASE === 'sqlite' ? [] : [['123456789012345678.12', '123456789012345678.12']],
  ),
  double: sort(
    { type: 'double precision' },
    [1.7976931348623157e308, -2.5, 0.1, 1e-300, 123456789.12345679, 0],
    NO_NUMBERS,
  ),
  varchar: sort(
    { type: 'varchar', length: 5 },
    ['', text(5), '🦊🦊🦊🦊🦊', 'ab   '],
    [text(6), '🦊🦊🦊🦊🦊🦊', 'abcde ', 'a\0', '\ud800', 5],
  ),
  char: sort(
    { type: DATABASE === 'sqlite' ? 'character' : 'char', length: 3 },
    ['abc', 'a', '', ' a'],
    ['abcd', ...(DATABASE === 'sqlite' ? [] : ['a '])],
  ),
  text: sort({ type: 'text' }, ['', text(1000)], [5, 'a\0b']),
  boolean: sort({ type: 'boolean' }, [true, false], [0, 1, 'true', 'x']),
  booleanOfClass: sort({ type: Boolean }, [true, false], [0]),
  date: sort(
    { type: 'date' },
    ['2024-02-29', '0100-01-01', '9999-12-31', ...(DATABASE === 'mariadb' ? [] : ['0001-01-01'])],
    [
      '2023-02-29',
      '10000-01-01',
      '2024-13-01',
      '2024-1-1',
      '0000-01-01',
      '2024-01-01T00:00:00Z',
      '',
      ...(DATABASE === 'mariadb' ? ['0099-12-31'] : []),
    ],
  ),
  time: sort(
    { type: 'time' },
    ['00:00:00', '23:59:59'],
    ['24:00:00', '12:60:00', 'noon', '12:00:00Z', ...(DATABASE === 'mariadb' ? ['12:00:00.5'] : [])],
    [['12:30', '12:30:00']],
  ),
  fineTime: sort(
    { type: 'time', ...(DATABASE !== 'sqlite' && { precision: 3 }) },
    ['12:00:00.125'],
    DATABASE === 'sqlite' ? [] : ['12:00:00.1234'],
    [
      ['12:00:00.5', '12:00:00.500'],
      ['12:00:00.000', '12:00:00'],
    ],
  ),
  uuid: sort(
    { type: 'uuid' },
    ['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70', '00000000-0000-0000-0000-000000000000'],
    ['0b2f3f5e7d1c4c599c392e4d8f1a6b70', 'x', ''],
    [['0B2F3F5E-7D1C-4C59-9C39-2E4D8F1A6B70', '0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70']],
  ),
  numberEnum: sort({ type: 'simple-enum', enum: [1, 2] }, [2], [3]),
  simpleEnum: sort({ type: 'simple-enum', enum: ['a', 'dark blue'] }, ['a', 'dark blue'], ['c', 'A', '', 1]),
  simpleArray: sort({ type: 'simple-array' }, [[], ['a', 'b'], ['', '']], [['a,b'], [''], [1], 'a', {}]),
  simpleJson: sort(
    { type: 'simple-json' },
    [{ a: [1, null, 'x'] }, [], 'text', 0, false, { a: { b: text(100) } }],
    [{ a: '\ud800' }, 'a\0'],
  ),
  named: sort({ type: 'text', name: 'my text' }, ["O'Hara", 'line\nline'], [5]),
  transformed: sort({ type: 'varchar', transformer: UPPER_CASE }, ['abc'], []),
  transformedBoolean: sort(
    { type: DATABASE === 'postgres' ? 'boolean' : 'smallint', transformer: YES_OR_NO },
    ['yes', 'no'],
    [],
  ),
}

const day = '2024-02-29T12:30:45'
const HERE: Readonly<Record<DatabaseName, Readonly<Record<string, Sort>>>> = {
  sqlite: {
    tinyint: integers('tinyint', -128, 127),
    mediumint: integers('mediumint', -(2 ** 23), 2 ** 23 - 1),
    unsigned: integers('smallint', 0, 65535, { unsigned: true }),
    integer: sort({ type: 'integer' }, [2 ** 53 - 1, 1 - 2 ** 53], [2 ** 53, 1.5]),
    json: sort({ type: 'json' }, [{ a: 1 }, [1]], []),
    datetime: sort(
      { type: 'datetime' },
      [`${day}.000Z`, `${day}.123Z`, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      ['2024-02-30T00:00:00Z', day.slice(0, 10), `${day}.1234Z`, '9999-12-31T23:59:59-01:00', ''],
    ),
    blob: sort({ type: 'blob' }, ['', bytes(3), 'QQ=='], ['QR==', 'x', '=', 'QQ']),
  },
  postgres: {
    int: integers('int', -(2 ** 31), 2 ** 31 - 1),
    real: sort(
      { type: 'real' },
      [1.5, 123456, 3.40282e38, -0.000123456, 1.1, 0],
      [16777217, 3.5e38, 1e-50, 0.12345678901],
    ),
    numeric: sort({ type: 'numeric' }, ['123456789012345678901234567890.123456789'], ['x']),
    timestamptz: sort(
      { type: 'timestamptz', precision: 3 },
      [`${day}.123Z`, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      [`${day}.1234Z`],
    ),
    seconds: sort({ type: 'timestamptz', precision: 0 }, [`${day}.000Z`], [`${day}.123Z`]),
    timestamp: sort({ type: 'timestamp' }, [`${day}.123Z`], [`${day}.1234Z`]),
    microseconds: sort({ type: 'time' }, ['12:00:00.123456'], ['12:00:00.1234567']),
    bytea: sort({ type: 'bytea' }, ['', bytes(3)], ['QR==', 'x']),
    json: sort({ type: 'json' }, [{ a: 1 }, [1]], []),
    jsonb: sort({ type: 'jsonb' }, [{ a: [1, 'x'] }, 'text', 5, [true]], ['a\0']),
    enum: sort({ type: 'enum', enum: ['a', 'b'] }, ['a'], ['c']),
    texts: sort({ type: 'text', array: true }, [[], ['a,b', '"', 'NULL', ''], ['']], [[1], [null], [['a']], 'a']),
    words: sort({ type: 'varchar', length: 3, array: true }, [['abc']], [['abcd']]),
    ints: sort({ type: 'int', array: true }, [[], [1, -2]], [[2 ** 31], ['1'], [1.5], 1, [[1]], {}]),
    bigints: sort({ type: 'bigint', array: true }, [['9223372036854775807']], [['9223372036854775808']]),
    booleans: sort({ type: 'boolean', array: true }, [[true, false]], [[1]]),
    doubles: sort({ type: 'float', array: true }, [[1.5, 0.1]], [['1']]),
    enums: sort({ type: 'enum', enum: ['a', 'b'], enumName: 'letters', array: true }, [['b', 'a'], []], [['c']]),
    uuids: sort({ type: 'uuid', array: true }, [['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70']], [['x']]),
  },
  mariadb: {
    tinyint: integers('tinyint', -128, 127),
    mediumint: integers('mediumint', -(2 ** 23), 2 ** 23 - 1),
    int: integers('int', -(2 ** 31), 2 ** 31 - 1),
    unsigned: integers('int', 0, 2 ** 32 - 1, { unsigned: true }),
    unsignedTiny: integers('tinyint', 0, 255, { unsigned: true }),
    unsignedBig: sort(
      { type: 'bigint', unsigned: true },
      ['18446744073709551615', '0'],
      ['-1', '18446744073709551616'],
    ),
    unsignedDecimal: sort({ type: 'decimal', precision: 6, scale: 2, unsigned: true }, ['0.00', '9999.99'], ['-0.01']),
    unsignedDouble: sort({ type: 'double', unsigned: true }, [0, 1.5], [-1]),
    year: sort({ type: 'year' }, [1901, 2155], [1900, 2156, 0, 99]),
    float: sort({ type: 'float' }, [1.5, 123456, 3.40282e38, -0.000123456, 1.1, 0], [16777217, 3.5e38, 1e-50, 1234567]),
    datetime: sort(
      { type: 'datetime', precision: 3 },
      [`${day}.123Z`, '9999-12-31T23:59:59.999Z', '1000-01-01T00:00:00.000Z'],
      [`${day}.1234Z`],
    ),
    seconds: sort({ type: 'datetime' }, [`${day}.000Z`], [`${day}.123Z`]),
    timestamp: sort(
      { type: 'timestamp', precision: 3 },
      [`${day}.123Z`, '2038-01-19T03:14:07.000Z', '1970-01-01T00:00:01.000Z'],
      ['1969-12-31T23:59:59.000Z', '2038-01-19T03:14:08.000Z', '1970-01-01T00:00:00.000Z'],
    ),
    tinytext: sort({ type: 'tinytext' }, ['a'.repeat(255)], ['a'.repeat(256), text(128)]),
    longText: sort({ type: 'text' }, ['a'.repeat(65535)], ['a'.repeat(65536), text(32768)]),
    longJson: sort({ type: 'simple-json' }, [['a'.repeat(65531)]], [['a'.repeat(65532)]]),
    longArray: sort({ type: 'simple-array' }, [['a'.repeat(65535)]], [['a'.repeat(65535), '']]),
    varbinary: sort({ type: 'varbinary', length: 3 }, ['', bytes(3)], [bytes(4)]),
    binary: sort({ type: 'binary', length: 3 }, [bytes(3)], [bytes(4), bytes(2), '']),
    tinyblob: sort({ type: 'tinyblob' }, [bytes(255)], [bytes(256)]),
    bit: sort({ type: 'bit' }, ['AQ==', 'AA=='], ['Ag==', 'AAA=', '']),
    json: sort({ type: 'json' }, [{ a: [1, 'x'] }, 'text', 5], ['\ud800']),
    enum: sort({ type: 'enum', enum: ['a', 'b'] }, ['a'], ['c', 'A']),
    set: sort(
      { type: 'set', enum: ['a', 'b'] },
      [[], ['a'], ['a', 'b']],
      [['c'], 'a'],
      [
        [
          ['b', 'a', 'b'],
          ['a', 'b'],
        ],
      ],
    ),
  },
}

const SORTS = Object.entries({ ...EVERYWHERE, ...HERE[DATABASE] })

@Resource('things')
@Entity('things')
class Thing {
  @PrimaryGeneratedColumn() id!: number
  @Column({ type: 'uuid' }) @Generated('uuid') token!: string
}
for (const [name, { column }] of SORTS) {
  Attribute()(Thing.prototype, name)
  Column({ ...column, nullable: true } as ColumnOptions)(Thing.prototype, name)
}

const api = setUp(() => startApi([Thing]))

const post = (name: string, value: unknown) => createResource(api, 'things', { [name]: value })
const attributesOf = async (id: string) => (await api.get(`/things/${id}`)).body.data.attributes
const show = (value: unknown) => JSON.stringify(value).slice(0, 60)
const cases = (of: (sort: Sort) => readonly unknown[]) =>
  SORTS.flatMap(([name, sort]) => of(sort).map((value) => [name, show(value), value] as const))

/** Lists, bytes, JSON, and what is of another type than its column. */
const UNCOMPARED =
  /json|array|texts|words|ints|booleans|doubles|enums|uuids|blob|bytea|binary|^bit$|^set$|^transformedBoolean$/i

/** As documents show what TypeORM holds. On SQLite it holds large integers and decimals as numbers. */
function shown(held: unknown, read: unknown): unknown {
  if (Buffer.isBuffer(held)) return held.toString('base64')
  if (held instanceof Date) return held.toISOString()
  return typeof held === 'number' && held === Number(read) ? read : held
}

it.each(cases(({ inside, as }) => [...inside.map((each) => [each, each]), ...as]))(
  '%s accepts and returns %s',
  async (name, _shown, pair) => {
    const [sent, read] = pair as readonly [unknown, unknown]
    const { status, body } = await post(name, sent)
    expect([status, body.errors]).toEqual([201, undefined])
    expect(body.data.attributes[name]).toEqual(read)
    expect((await attributesOf(body.data.id))[name]).toEqual(read)

    const updated = await api.add(Thing)
    await updateResource(api, 'things', updated, { [name]: sent }).expect(name.startsWith('transformed') ? 200 : 204)
    const things = api.dataSource.getRepository<Record<string, unknown>>(Thing)
    const held = (await things.findOneByOrFail({ id: Number(updated) }))[name]
    // Its notation differs: blanks at the end, and the digits of a second.
    if (!['char', 'fineTime'].includes(name)) expect(shown(held, read)).toEqual(read)
    const { id: saved } = await things.save({ [name]: held })
    // TypeORM loses the last digits.
    const isExact = !(DATABASE === 'sqlite' && name === 'bigint')
    if (isExact) expect((await attributesOf(String(saved)))[name]).toEqual(read)

    if (UNCOMPARED.test(name) || String(read).length > 1000) return
    const literal = encodeURIComponent(String(read).replaceAll("'", "''"))
    const found = await api.get(`/things?filter=equals(${name},'${literal}')&page[size]=100&fields[things]=`)
    const ids = [body.data.id, updated, ...(isExact ? [saved] : [])]
    expect(resourceKeys(found)).toEqual(expect.arrayContaining(ids.map((id) => `things ${id}`)))
  },
)

it.each(cases(({ outside }) => outside))('%s refuses %s', async (name, _shown, value) => {
  expectError(await post(name, value), 422, `/data/attributes/${name}`, 'attribute.type')
})

it('accepts and returns null in every nullable column, and generates UUIDs', async () => {
  const attributes = Object.fromEntries(SORTS.map(([name]) => [name, null]))
  const shown = { ...attributes, transformed: 'none' }
  const { status, body } = await createResource(api, 'things', attributes)
  expect([status, body.data.attributes]).toEqual([201, shown])
  const thing = await api.dataSource.getRepository(Thing).findOneByOrFail({ id: body.data.id })
  expect(thing).toMatchObject({ ...shown, token: expect.stringMatching(/^[\da-f-]{36}$/) })
  expect(await attributesOf(await api.add(Thing))).toEqual(shown)
})
