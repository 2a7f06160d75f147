import fc from 'fast-check'

/** Pieces with a meaning to some layer, as they are written in a URL. */
const PIECES: readonly string[] = [
  ...['%00', '%', '%z', '%ff', '%c3%28', '%ed%a0%80', '%f0%9f%98%80', '%EF%BB%BF', '%0d%0a', '%7f', '%5C', '%25'],
  ...['%2e%2e'],
  ...["'", "''", '%27', '"', '`', ';', '--', '/*', '*', '$1', '?', '#', '@', '{', '}', '~', '!', '^', '|', '<', '>'],
  ...[','],
  ...['(', ')', '()', '[', ']', '[]', '.', '..', ':', '-', '+', '&', '=', '/', '//', '%20', '%2F', '%2C', '%5B'],
  ...['%3D', '%26'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then', 'undefined', 'null', 'true', 'NaN', 'Infinity'],
  ...['0', '1', '-1', '00', '1e309', '0x10', '1.5', '1_0', '9007199254740993', '9223372036854775808', '9'.repeat(400)],
  ...['filter', 'sort', 'include', 'fields', 'page', 'filter=', '&sort=', 'page[size]=', 'page[number]='],
  ...['page[after]='],
  ...['equals(', 'not(', 'and(', 'or(', 'has(', 'count(', 'any(', 'isType(', 'isType(,', 'contains(', 'lessThan('],
  ...['id', 'type', 'name', 'title', 'people', 'creatures', 'men:', 'pets', 'home.', 'keeper.', 'bestFriend.'],
  ...['replies'],
]

/** The same piece over and over: nesting, and names and lists without end. */
const repeated = fc
  .tuple(
    fc.constantFrom(...PIECES, 'bestFriend.admirers.', 'not(has(admirers,', 'keeper.bestFriend.'),
    fc.integer({ min: 2, max: 4000 }),
  )
  .map(([piece, times]) => piece.repeat(times).slice(0, 8000))

/** Bytes that are no UTF-8, and all that can stand in a URL as it is: Node refuses the rest itself. */
const bytes = fc
  .uint8Array({ maxLength: 30 })
  .map((codes) => [...codes].map((code) => `%${code.toString(16).padStart(2, '0')}`).join(''))
const plain = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })

const encoded = fc.string({ unit: 'binary', maxLength: 20 }).map(encodeURIComponent)

/** A text for any place of a URL. */
export const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((some) => some.join('')),
  },
  { weight: 1, arbitrary: repeated },
  { weight: 1, arbitrary: bytes },
  { weight: 1, arbitrary: plain },
  { weight: 1, arbitrary: encoded },
)

/** A text with a few changes: pieces put in, cut out, repeated or moved. */
export function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(),
    fc.nat({ max: 30 }),
    fc.oneof(fc.constantFrom(...PIECES), hostileTexts),
    fc.nat({ max: 3 }),
  )
  return fc.tuple(texts, fc.array(change, { minLength: 1, maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((changed, [place, length, piece, kind]) => {
      const start = place % (changed.length + 1)
      const [before, cut, after] = [
        changed.slice(0, start),
        changed.slice(start, start + length),
        changed.slice(start + length),
      ]
      return (
        [before + piece + cut + after, before + after, before + cut + cut + after, after + cut + before][kind] ?? text
      )
    }, text),
  )
}
