import { parseFilter } from '../../../src/query/parsing/parse-filter'
import { parseTypedLiteral } from '../../../src/query/parsing/parse-typed-literal'
import { thrownBy } from '../request/support/problems'
import { graph, samples } from './support/graph'
import { readMarked } from './support/read'

describe('values in quotes', () => {
  it('without a zone are UTC in any time zone of the process', () => {
    const { TZ } = process.env
    process.env.TZ = 'Asia/Tokyo'
    try {
      const filter = parseFilter("equals(datetime,'2024-02-29T12:30')", samples, graph)
      expect(new Date(2024, 0).getTimezoneOffset()).toBe(-540)
      expect(filter).toMatchObject({ right: { value: { value: new Date('2024-02-29T12:30:00Z') } } })
    } finally {
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    }
  })

  it.each([
    ['text', 'longer than the column', 'longer than the column'],
    ['integer', '-2147483648', -2147483648],
    ['integer', '-0', 0],
    ['anyInteger', '9007199254740991', 9007199254740991],
    ['bigint', '-0', '0'],
    ['unsigned', '18446744073709551615', '18446744073709551615'],
    ['decimal', '-1234.5', '-1234.5'],
    ['decimal', '0.125', '0.125'],
    ['decimal', '-0.00', '0.00'],
    ['precise', '999', '999'],
    ['anyDecimal', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['float', '-1.5e3', -1500],
    ['float', '-0', 0],
    ['datetime', '2024-02-29T12:30:15.25Z', new Date('2024-02-29T12:30:15.250Z')],
    ['datetime', '2024-02-29T12:30', new Date('2024-02-29T12:30:00Z')],
    ['datetime', '2024-02-29T00:30:00+02:00', new Date('2024-02-28T22:30:00Z')],
    ['time', '23:59', '23:59:00'],
    ['time', '23:59:58.125', '23:59:58.125'],
    ['time', '23:59:58.000', '23:59:58'],
    ['time', '23:59:58.5', '23:59:58.500'],
    ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['id', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ])('are accepted for %s: %s', (name, text, value) => {
    expect(parseFilter(`equals(${name},'${text}')`, samples, graph)).toMatchObject({ right: { value: { value } } })
  })

  const datetimes = [
    ...['2020-02-30T00:00:00Z', '2020-13-01T00:00:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00'],
    ...['9999-12-31T23:59:59-01:00', '2020-02-01T24:00:00Z', '2020-02-01T12:60:00Z', '2020-02-01T12:00:60Z'],
    ...['2020-02-01T12:00:00+24:00', '2020-02-01T12:00:00 02:00', '2020-02-01 12:00:00Z', '2020-02-01', ''],
    ...['2/1/2020', '1580515200'],
  ]
  const integers = ['9007199254740992', '1'.repeat(50), '', '01', '1.0', '1e3', '+1', 'abc', '0x10', ' 1', 'Infinity']
  const dates = ['2020-02-30', '2021-02-29', '2020-00-01', '2020-2-1', '0000-01-01', '20200201', '']
  const uuids = ['', 'a0eebc99', 'g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']
  const WRONG: readonly (readonly [name: string, expected: string, texts: readonly string[]])[] = [
    ['text', 'a text without NUL characters', ['a\0b']],
    ['integer', 'an integer from -2147483648 to 2147483647', ['2147483648', '-2147483649']],
    ['anyInteger', 'an integer from -9007199254740991 to 9007199254740991', integers],
    ['bigint', 'an integer from -9223372036854775808 to 9223372036854775807', ['9223372036854775808', '1n']],
    ['unsigned', 'an integer from 0 to 18446744073709551615', ['-1']],
    ['decimal', 'a decimal number in range', ['12345', '1.', '.5', '1e3', '', '01', 'NaN']],
    ['precise', 'a decimal number in range', ['1000']],
    ['anyDecimal', 'a decimal number in range', ['1'.repeat(1001)]],
    ['float', 'a number', ['Infinity', '-Infinity', '1e400', 'NaN', '', '.5', '0x10', '1_000', '01']],
    ['boolean', "'true' or 'false'", ['True', '1', '', 'yes']],
    ['datetime', "a date and time such as '2024-02-29T12:30:00Z'", datetimes],
    ['date', "a date such as '2024-02-29'", dates],
    ['time', "a time such as '12:30:00'", ['24:00', '12', '12:60', '12:00:60', '12:00Z', '']],
    ['uuid', 'a UUID', uuids],
    ['id', 'a UUID', ['1']],
    ['level', "one of '1', '2'", ['3']],
    ['enum', "one of 'draft', 'published'", ['Published']],
    ['noEnum', 'one of ', ['a']],
  ]
  it.each(WRONG.flatMap(([name, expected, texts]) => texts.map((text) => [name, text, expected] as const)))(
    'are refused for %s: %j',
    (name, text, expected) => {
      const { text: filter, position } = readMarked(`equals(${name},^'${text}')`)
      const error = thrownBy(() => parseFilter(filter, samples, graph))
      const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text
      expect(error).toMatchObject({ name: 'QuerySyntaxError', position, expected, found: `'${shown}'` })
    },
  ) // anchor: R/F-09, R/F-10, R/F-29

  it('are refused with the nearest value as a suggestion, unless there is only one', () => {
    expect(thrownBy(() => parseFilter("equals(enum,'Draft')", samples, graph))).toMatchObject({
      message: "Expected one of 'draft', 'published', found 'Draft'. Did you mean 'draft'?",
    })
    const token = { kind: 'quoted', text: 'Draft', start: 0, end: 7 } as const
    const only = { valueType: 'enum', enumValues: ['draft'] } as const
    expect(thrownBy(() => parseTypedLiteral(token, only))).toMatchObject({
      message: "Expected one of 'draft', found 'Draft'.",
    })
  })
})

it.each(['list', 'binary', 'json'] as const)('refuses to compare a %s with text', (valueType) => {
  const token = { kind: 'quoted', text: 'a', start: 3, end: 6 } as const
  expect(thrownBy(() => parseTypedLiteral(token, { valueType }))).toMatchObject({
    position: 3,
    message: "Expected nothing to compare with, found 'a'.",
  })
})
