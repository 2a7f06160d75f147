import fc from 'fast-check'

/** Fragments of URLs with a special meaning in some layer. */
const FRAGMENTS: readonly string[] = [
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

/** Repeats a fragment: deep nesting, long names and lists. */
const repeated = fc
  .tuple(
    fc.constantFrom(...FRAGMENTS, 'bestFriend.admirers.', 'not(has(admirers,', 'keeper.bestFriend.'),
    fc.integer({ min: 2, max: 4000 }),
  )
  .map(([fragment, times]) => fragment.repeat(times).slice(0, 8000))

/** Invalid UTF-8, and all characters that need no encoding. Node.js rejects others. */
const bytes = fc
  .uint8Array({ maxLength: 30 })
  .map((codes) => [...codes].map((code) => `%${code.toString(16).padStart(2, '0')}`).join(''))
const plain = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
const encoded = fc.string({ unit: 'binary', maxLength: 20 }).map(encodeURIComponent)

export const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 12 }).map((some) => some.join('')),
  },
  { weight: 1, arbitrary: repeated },
  { weight: 1, arbitrary: bytes },
  { weight: 1, arbitrary: plain },
  { weight: 1, arbitrary: encoded },
)

/** Returns texts with a few changes: inserted, removed, repeated or moved fragments. */
export function mutatedTexts(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(),
    fc.nat({ max: 30 }),
    fc.oneof(fc.constantFrom(...FRAGMENTS), hostileTexts),
    fc.nat({ max: 3 }),
  )
  return fc.tuple(texts, fc.array(change, { minLength: 1, maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((changed, [position, length, fragment, kind]) => {
      const start = position % (changed.length + 1)
      const [before, cut, after] = [
        changed.slice(0, start),
        changed.slice(start, start + length),
        changed.slice(start + length),
      ]
      return (
        [before + fragment + cut + after, before + after, before + cut + cut + after, after + cut + before][kind] ??
        text
      )
    }, text),
  )
}
