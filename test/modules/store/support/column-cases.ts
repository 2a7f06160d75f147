import { DATABASE, type DatabaseName } from '../../../support/database'

type Values = readonly unknown[]

/** A column, and values that it accepts or refuses. */
export interface ColumnCase {
  readonly column: Readonly<Record<string, unknown>>
  readonly inside: Values
  readonly outside: Values
  /** Values that are read back in another notation. */
  readonly as: readonly (readonly [sent: unknown, read: unknown])[]
}

const NO_NUMBERS = ['1', true, null, [], {}].filter((each) => each !== null)
const text = (length: number) => 'ä'.repeat(length)
const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64')
const columnCase = (
  column: ColumnCase['column'],
  inside: Values,
  outside: Values,
  as: ColumnCase['as'] = [],
): ColumnCase => {
  return { column, inside, outside, as }
}
const integers = (type: string, least: number, most: number, options: object = {}): ColumnCase =>
  columnCase({ type, ...options }, [least, 0, most], [least - 1, most + 1, 0.5, ...NO_NUMBERS])

const UPPER_CASE = {
  to: (text: string | null) => text?.toUpperCase() ?? null,
  from: (text: string | null) => text?.toLowerCase() ?? 'none',
}

/** Gives the database a boolean, whatever the type of the column. */
const YES_OR_NO = {
  to: (text: string | null | undefined) => (text === 'yes' ? true : text === 'no' ? false : null),
  from: (held: unknown) => (typeof held === 'object' ? null : Number(held) === 1 ? 'yes' : 'no'),
}

const day = '2024-02-29T12:30:45'
/** An enum of TypeScript at run time. */
const MOOD = { calm: 0, wild: 1, 0: 'calm', 1: 'wild' }

const EVERYWHERE: Readonly<Record<string, ColumnCase>> = {
  smallint: integers('smallint', -32768, 32767),
  bigint: columnCase(
    { type: 'bigint' },
    ['9223372036854775807', '-9223372036854775808', '0'],
    ['9223372036854775808', '-9223372036854775809', '1.5', '', 'x', 2 ** 53, '1e3'],
    [[9007199254740991, '9007199254740991']],
  ),
  decimal: columnCase(
    { type: 'decimal', precision: 6, scale: 2 },
    ['9999.99', '-9999.99', '0.01', '12.30'],
    ['10000.00', '0.001', 'x', '', true, 1e20],
  ),
  wholeDecimal: columnCase(
    { type: 'decimal', precision: 4, ...(DATABASE === 'sqlite' && { scale: 0 }) },
    ['9999'],
    ['10000', '1.5'],
  ),
  // SQLite keeps decimals as floating-point numbers.
  longDecimal: columnCase(
    { type: 'decimal', precision: 20, scale: 2 },
    ['1234567890123.45'],
    DATABASE === 'sqlite' ? ['123456789012345678.12'] : ['1234567890123456789.12'],
    DATABASE === 'sqlite' ? [] : ['123456789012345678.12', '123456789012345678.13'].map((each) => [each, each]),
  ),
  double: columnCase(
    { type: 'double precision' },
    [1.7976931348623157e308, -2.5, 0.1, 1e-300, 123456789.12345679, 0],
    NO_NUMBERS,
  ),
  varchar: columnCase(
    { type: 'varchar', length: 5 },
    ['', text(5), '🦊🦊🦊🦊🦊', 'ab   '],
    [text(6), '🦊🦊🦊🦊🦊🦊', 'abcde ', 'a\0', '\ud800', 5],
  ),
  char: columnCase(
    { type: DATABASE === 'sqlite' ? 'character' : 'char', length: 3 },
    ['abc', 'a', '', ' a'],
    ['abcd', ...(DATABASE === 'sqlite' ? [] : ['a '])],
  ),
  text: columnCase({ type: 'text' }, ['', text(1000)], [5, 'a\0b']),
  boolean: columnCase({ type: 'boolean' }, [true, false], [0, 1, 'true', 'x']),
  booleanOfClass: columnCase({ type: Boolean }, [true, false], [0]),
  numberOfClass: columnCase({ type: Number }, [0, -7], [0.5, '1']),
  textOfClass: columnCase({ type: String }, [text(100)], DATABASE === 'mariadb' ? [text(256)] : [5]),
  momentOfClass: columnCase({ type: Date }, [`${day}.000Z`], [day.slice(0, 10), 5]),
  date: columnCase(
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
  time: columnCase(
    { type: 'time' },
    ['00:00:00', '23:59:59'],
    ['24:00:00', '12:60:00', 'noon', '12:00:00Z', ...(DATABASE === 'mariadb' ? ['12:00:00.5'] : [])],
    [['12:30', '12:30:00']],
  ),
  fineTime: columnCase(
    { type: 'time', ...(DATABASE !== 'sqlite' && { precision: 3 }) },
    ['12:00:00.125'],
    DATABASE === 'sqlite' ? [] : ['12:00:00.1234'],
    [
      ['12:00:00.5', '12:00:00.500'],
      ['12:00:00.000', '12:00:00'],
    ],
  ),
  uuid: columnCase(
    { type: 'uuid' },
    ['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70', '00000000-0000-0000-0000-000000000000'],
    ['0b2f3f5e7d1c4c599c392e4d8f1a6b70', 'x', ''],
    [['0B2F3F5E-7D1C-4C59-9C39-2E4D8F1A6B70', '0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70']],
  ),
  numberEnum: columnCase({ type: 'simple-enum', enum: [1, 2] }, [2], [3]),
  enumOfTypeScript: columnCase({ type: 'simple-enum', enum: MOOD }, [0, 1], [2, 'calm']),
  simpleEnum: columnCase({ type: 'simple-enum', enum: ['a', 'dark blue'] }, ['a', 'dark blue'], ['c', 'A', '', 1]),
  simpleArray: columnCase({ type: 'simple-array' }, [[], ['a', 'b'], ['', '']], [['a,b'], [''], [1], 'a', {}]),
  simpleJson: columnCase(
    { type: 'simple-json' },
    [{ a: [1, null, 'x'] }, [], 'text', 0, false, { a: { b: text(100) } }],
    [{ a: '\ud800' }, 'a\0'],
  ),
  named: columnCase({ type: 'text', name: 'my text' }, ["O'Hara", 'line\nline'], [5]),
  transformed: columnCase({ type: 'varchar', transformer: UPPER_CASE }, ['abc'], []),
  transformedBoolean: columnCase(
    { type: DATABASE === 'postgres' ? 'boolean' : 'smallint', transformer: YES_OR_NO },
    ['yes', 'no'],
    [],
  ),
}

const HERE: Readonly<Record<DatabaseName, Readonly<Record<string, ColumnCase>>>> = {
  sqlite: {
    tinyint: integers('tinyint', -128, 127),
    mediumint: integers('mediumint', -(2 ** 23), 2 ** 23 - 1),
    unsigned: integers('smallint', 0, 65535, { unsigned: true }),
    integer: columnCase({ type: 'integer' }, [2 ** 53 - 1, 1 - 2 ** 53], [2 ** 53, 1.5]),
    json: columnCase({ type: 'json' }, [{ a: 1 }, [1]], []),
    datetime: columnCase(
      { type: 'datetime' },
      [`${day}.000Z`, `${day}.123Z`, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      ['2024-02-30T00:00:00Z', day.slice(0, 10), `${day}.1234Z`, '9999-12-31T23:59:59-01:00', ''],
    ),
    blob: columnCase({ type: 'blob' }, ['', bytes(3), 'QQ=='], ['QR==', 'x', '=', 'QQ']),
  },
  postgres: {
    int: integers('int', -(2 ** 31), 2 ** 31 - 1),
    real: columnCase(
      { type: 'real' },
      [1.5, 123456, 3.40282e38, -0.000123456, 1.1, 0],
      [16777217, 3.5e38, 1e-50, 0.12345678901],
    ),
    numeric: columnCase({ type: 'numeric' }, ['123456789012345678901234567890.123456789'], ['x']),
    timestamptz: columnCase(
      { type: 'timestamptz', precision: 3 },
      [`${day}.123Z`, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      [`${day}.1234Z`],
    ),
    seconds: columnCase({ type: 'timestamptz', precision: 0 }, [`${day}.000Z`], [`${day}.123Z`]),
    timestamp: columnCase({ type: 'timestamp' }, [`${day}.123Z`], [`${day}.1234Z`]),
    microseconds: columnCase({ type: 'time' }, ['12:00:00.123456'], ['12:00:00.1234567']),
    bytea: columnCase({ type: 'bytea' }, ['', bytes(3)], ['QR==', 'x']),
    letter: columnCase({ type: 'char' }, ['a'], ['ab']),
    /** Of a type that is not known: null alone. */
    unknownJson: columnCase({ type: 'point' }, [], []),
    hstoreJson: columnCase({ type: 'hstore', hstoreType: 'object' }, [{ a: '1' }], []),
    json: columnCase({ type: 'json' }, [{ a: 1 }, [1]], []),
    jsonb: columnCase({ type: 'jsonb' }, [{ a: [1, 'x'] }, 'text', 5, [true]], ['a\0']),
    enum: columnCase({ type: 'enum', enum: ['a', 'b'] }, ['a'], ['c']),
    texts: columnCase({ type: 'text', array: true }, [[], ['a,b', '"', 'NULL', ''], ['']], [[1], [null], [['a']], 'a']),
    words: columnCase({ type: 'varchar', length: 3, array: true }, [['abc']], [['abcd']]),
    ints: columnCase({ type: 'int', array: true }, [[], [1, -2]], [[2 ** 31], ['1'], [1.5], 1, [[1]], {}]),
    bigints: columnCase({ type: 'bigint', array: true }, [['9223372036854775807']], [['9223372036854775808']]),
    booleans: columnCase({ type: 'boolean', array: true }, [[true, false]], [[1]]),
    doubles: columnCase({ type: 'float', array: true }, [[1.5, 0.1]], [['1']]),
    enums: columnCase({ type: 'enum', enum: ['a', 'b'], enumName: 'letters', array: true }, [['b', 'a'], []], [['c']]),
    uuids: columnCase({ type: 'uuid', array: true }, [['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70']], [['x']]),
  },
  mariadb: {
    tinyint: integers('tinyint', -128, 127),
    mediumint: integers('mediumint', -(2 ** 23), 2 ** 23 - 1),
    int: integers('int', -(2 ** 31), 2 ** 31 - 1),
    unsigned: integers('int', 0, 2 ** 32 - 1, { unsigned: true }),
    unsignedTiny: integers('tinyint', 0, 255, { unsigned: true }),
    unsignedBig: columnCase(
      { type: 'bigint', unsigned: true },
      ['18446744073709551615', '0'],
      ['-1', '18446744073709551616'],
    ),
    unsignedDecimal: columnCase(
      { type: 'decimal', precision: 6, scale: 2, unsigned: true },
      ['0.00', '9999.99'],
      ['-0.01'],
    ),
    unsignedDouble: columnCase({ type: 'double', unsigned: true }, [0, 1.5], [-1]),
    year: columnCase({ type: 'year' }, [1901, 2155], [1900, 2156, 0, 99]),
    float: columnCase(
      { type: 'float' },
      [1.5, 123456, 3.40282e38, -0.000123456, 1.1, 0],
      [16777217, 3.5e38, 1e-50, 1234567],
    ),
    datetime: columnCase(
      { type: 'datetime', precision: 3 },
      [`${day}.123Z`, '9999-12-31T23:59:59.999Z', '1000-01-01T00:00:00.000Z'],
      [`${day}.1234Z`],
    ),
    seconds: columnCase({ type: 'datetime' }, [`${day}.000Z`], [`${day}.123Z`]),
    timestamp: columnCase(
      { type: 'timestamp', precision: 3 },
      [`${day}.123Z`, '2038-01-19T03:14:07.000Z', '1970-01-01T00:00:01.000Z'],
      ['1969-12-31T23:59:59.000Z', '2038-01-19T03:14:08.000Z', '1970-01-01T00:00:00.000Z'],
    ),
    tinytext: columnCase({ type: 'tinytext' }, ['a'.repeat(255)], ['a'.repeat(256), text(128)]),
    longText: columnCase({ type: 'text' }, ['a'.repeat(65535)], ['a'.repeat(65536), text(32768)]),
    longJson: columnCase({ type: 'simple-json' }, [['a'.repeat(65531)]], [['a'.repeat(65532)]]),
    longArray: columnCase({ type: 'simple-array' }, [['a'.repeat(65535)]], [['a'.repeat(65535), '']]),
    varbinary: columnCase({ type: 'varbinary', length: 3 }, ['', bytes(3)], [bytes(4)]),
    binary: columnCase({ type: 'binary', length: 3 }, [bytes(3)], [bytes(4), bytes(2), '']),
    tinyblob: columnCase({ type: 'tinyblob' }, [bytes(255)], [bytes(256)]),
    bit: columnCase({ type: 'bit' }, ['AQ==', 'AA=='], ['Ag==', 'AAA=', '']),
    json: columnCase({ type: 'json' }, [{ a: [1, 'x'] }, 'text', 5], ['\ud800']),
    enum: columnCase({ type: 'enum', enum: ['a', 'b'] }, ['a'], ['c', 'A']),
    set: columnCase(
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

/** By the name of the attribute: the columns of the database of this run. */
export const COLUMN_CASES = Object.entries({ ...EVERYWHERE, ...HERE[DATABASE] })
