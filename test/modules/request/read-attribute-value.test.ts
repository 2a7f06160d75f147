import type { JsonValue } from '../../../src/document/json'
import type { Attribute } from '../../../src/graph/model/resource-graph'
import type { ValueConstraints } from '../../../src/graph/model/value-type'
import { createRequestAttributeValueReader } from '../../../src/request/values/read-json-value'
import { problemsOf } from './support/problems'

const POINTER = '/data/attributes/value'

const attributeWith = (constraints: ValueConstraints, facts: Partial<Attribute> = {}) =>
  ({ kind: 'attribute', name: 'value', isNullable: false, isTransformed: false, constraints, ...facts }) as Attribute

function read(value: JsonValue, constraints: ValueConstraints): unknown {
  return createRequestAttributeValueReader(attributeWith(constraints))(value, '/data')
}

const MONEY: ValueConstraints = { valueType: 'decimal', precision: 5, scale: 2 }
const BYTE: ValueConstraints = { valueType: 'integer', minimum: -128n, maximum: 127n }

describe('a valid attribute value', () => {
  it.each<[ValueConstraints, JsonValue, unknown]>([
    [{ valueType: 'integer' }, -0, 0],
    [{ valueType: 'bigint' }, '-007', '-7'],
    [{ valueType: 'decimal' }, 1.5, '1.5'],
    [{ valueType: 'decimal' }, '00012.3400', '12.3400'],
    [{ valueType: 'decimal' }, '-0.0', '0.0'],
    [{ valueType: 'decimal' }, '12345678901234567890.123', '12345678901234567890.123'],
    [{ valueType: 'decimal' }, 1e21, '1000000000000000000000'],
    [{ valueType: 'decimal' }, -1.5e25, '-15000000000000000000000000'],
    [{ valueType: 'decimal' }, 1.5e-7, '0.00000015'],
    [{ valueType: 'decimal' }, -2e-9, '-0.000000002'],
    [MONEY, 999.99, '999.99'],
    [MONEY, '-1.5000', '-1.50'],
    [MONEY, '-0', '0.00'],
    [{ valueType: 'decimal', significantDigits: 15 }, '7.00', '7'],
    [{ valueType: 'decimal', precision: 2, scale: 2 }, 0.25, '0.25'],
    [{ valueType: 'decimal', scale: 1 }, '123456789.5', '123456789.5'],
    [{ valueType: 'datetime' }, '2024-02-29t13:45z', new Date('2024-02-29T13:45:00Z')],
    [{ valueType: 'datetime' }, '2024-02-29T13:45:10.1239', new Date('2024-02-29T13:45:10.123Z')],
    [{ valueType: 'datetime' }, '2024-02-29T13:45:00+02:30', new Date('2024-02-29T11:15:00Z')],
    [{ valueType: 'datetime' }, '2024-02-29T13:45:00-0230', new Date('2024-02-29T16:15:00Z')],
    [{ valueType: 'datetime' }, '2024-02-29T13:45:00+02', new Date('2024-02-29T11:45:00Z')],
    [{ valueType: 'time' }, '00:00:01.123450', '00:00:01.12345'],
    [{ valueType: 'list', maximumLength: 3 }, ['a', 'b'], ['a', 'b']],
    [{ valueType: 'binary', maximumLength: 2 }, 'AP8=', Buffer.from([0, 255])],
  ])('of %p accepts %p', (constraints, value, held) => expect(read(value, constraints)).toEqual(held))

  it.each([[null], ['a\0'], [{ a: 1 }]])('is %p for an attribute with a transformer', (value: JsonValue) => {
    const transformed = attributeWith({ valueType: 'integer' }, { isTransformed: true })
    expect(createRequestAttributeValueReader(transformed)(value, '')).toEqual(value)
  })
})

describe('an invalid attribute value', () => {
  it.each<[ValueConstraints, JsonValue, string, string]>([
    [{ valueType: 'string', maximumLength: 3 }, '😀😀😀😀', 'of at most 3 characters', "'😀😀😀😀'"],
    [{ valueType: 'string' }, '\uDE00\uD83D', 'legal Unicode', "'\uDE00\uD83D'"],
    [{ valueType: 'uuid' }, 'abc', 'a UUID like', "'abc'"],
    [{ valueType: 'integer' }, '5', 'an integer', "'5'"],
    [BYTE, 128, 'an integer between -128 and 127', '128'],
    [{ valueType: 'integer', minimum: 0n }, -1, 'an integer of at least 0', '-1'],
    [{ valueType: 'integer', maximum: 9n }, 10, 'an integer of at most 9', '10'],
    [{ valueType: 'float' }, '1.5', 'a number', "'1.5'"],
    [{ valueType: 'bigint' }, 2 ** 53, 'as a string of digits', '9007199254740992'],
    [{ valueType: 'bigint' }, '9223372036854775808', 'and 9223372036854775807', "'9223372036854775808'"],
    [{ valueType: 'bigint' }, '9'.repeat(2000), 'an integer', '999...'],
    [{ valueType: 'bigint' }, true, 'an integer', 'true'],
    [{ valueType: 'decimal' }, '1e5', 'a number or a string of its digits', "'1e5'"],
    [{ valueType: 'decimal' }, '.5', 'a number or a string of its digits', "'.5'"],
    [{ valueType: 'decimal' }, 0.1 + 0.2, 'a string of its digits', '0.30000000000000004'],
    [{ valueType: 'decimal' }, [], 'a number', 'an empty array'],
    [{ valueType: 'decimal' }, '1'.repeat(2000), 'a number', '111...'],
    [MONEY, 0.125, 'at most 3 digits before and 2 after the point', '0.125'],
    [{ valueType: 'decimal', precision: 3 }, 1.5, 'at most 3 digits before and 0 after', '1.5'],
    [{ valueType: 'decimal', scale: 1 }, '1.25', 'at most 1 digits after the point', "'1.25'"],
    [{ valueType: 'datetime' }, 1709214300000, 'a date and time like', '1709214300000'],
    ...[
      ...['2024-02-29', '2024-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '2024-13-01T00:00:00Z'],
      ...['2024-00-01T00:00:00Z', '2024-01-00T00:00:00Z', '0000-01-01T00:00:00Z', '2024-01-01T24:00:00Z'],
      ...['2024-01-01T00:60:00Z', '2024-01-01T00:00:60Z', '2024-01-01T0:00:00Z', '2024-01-01 00:00:00Z'],
      ...['2024-01-01T00:00:00+24:00', '2024-01-01T00:00:00+00:60', '0001-01-01T00:00:00+10:00'],
      ...['9999-12-31T23:00:00-10:00', 'yesterday'],
    ].map((text): [ValueConstraints, JsonValue, string, string] => {
      return [{ valueType: 'datetime' }, text, 'a date and time like', `'${text}'`]
    }),
    [{ valueType: 'datetime' }, '2026-02-30T15:30Z', 'like 2024-02-29T13:45:00Z, on a day of the calendar,', '2026-'],
    [{ valueType: 'datetime' }, '2026-02-15T24:00', 'between 00:00 and 23:59:59,', "'2026-02-15T24:00'"],
    [{ valueType: 'datetime' }, '9999-12-31T23:59:59-01:00', 'in a year from 0001 to 9999 in UTC,', "'9999-"],
    [{ valueType: 'datetime', scale: 0 }, '2026-02-15T12:00+24', 'with a zone from -23:59 to +23:59,', '2026-'],
    [{ valueType: 'datetime', scale: 3 }, '2026-02-15T15:30:00.1234', 'at most 3 digits after the seconds,', '2026-'],
    [{ valueType: 'datetime', scale: 0 }, '2026-02-15T15:30:00.1', 'in whole seconds,', '2026-'],
    [{ valueType: 'time', scale: 6 }, '15:30:00.1234567', 'a time like 13:45:00, with at most 6 digits', '15:30'],
    [{ valueType: 'date' }, '1900-02-29', 'a date like 2024-02-29, on a day of the calendar,', "'1900-02-29'"],
    [{ valueType: 'date' }, 20240229, 'a date like', '20240229'],
    [{ valueType: 'time' }, 12, 'a time like', '12'],
    [{ valueType: 'enum', enumValues: ['a', 2] }, 'b', "one of 'a', 2", "'b'"],
    [{ valueType: 'enum', enumValues: ['a', 2] }, '2', "one of 'a', 2", "'2'"],
    [{ valueType: 'enum' }, 'a', 'one of', "'a'"],
    [{ valueType: 'list' }, 'a', 'an array of strings', "'a'"],
    [{ valueType: 'list' }, ['a,b'], 'without commas', 'an array'],
    [{ valueType: 'list' }, ['a\0'], 'without NUL', 'an array'],
    [{ valueType: 'list' }, [''], 'an array that is empty or', 'an array'],
    [{ valueType: 'list', maximumLength: 3 }, ['a', 'bc'], 'at most 3 characters', 'an array'],
    [{ valueType: 'binary' }, 'AP-_', 'a base64 string', "'AP-_'"],
    [{ valueType: 'binary' }, 5, 'a base64 string', '5'],
    [{ valueType: 'binary', maximumLength: 1 }, 'AP8=', 'base64 of at most 1 bytes', "'AP8='"],
    [{ valueType: 'json' }, null, 'a value', 'null'],
    [{ valueType: 'json' }, { a: ['x\0'] }, 'without NUL', 'an object'],
    [{ valueType: 'json' }, { '\0': 1 }, 'without NUL', 'an object'],
    [{ valueType: 'json' }, ['\uD800'], 'legal Unicode', 'an array'],
  ])('of %p refuses %p', (constraints, value, expected, found) => {
    const [problem] = problemsOf(() => read(value, constraints))
    expect(problem).toMatchObject({ status: 422, code: 'attribute.type', source: { pointer: POINTER } })
    expect(problem?.detail).toMatch(/^Expected .* in 'value', found .*\.$/s)
    expect(problem?.detail?.split(" in 'value', found ")).toEqual([
      expect.stringContaining(expected),
      expect.stringContaining(found),
    ])
  })

  it('names null as an alternative for a nullable attribute', () => {
    const nullable = attributeWith({ valueType: 'boolean' }, { isNullable: true })
    expect(problemsOf(() => createRequestAttributeValueReader(nullable)(1, '/data'))).toMatchObject([
      { detail: "Expected true or false or null in 'value', found 1." },
    ])
  })
})
