import fc from 'fast-check'

/** JSON as text, because JavaScript values cannot represent duplicate names, `__proto__` or long numbers. */
type Text = string

/** A change of a document. `path`: the index of a member at each level. */
interface Change {
  readonly path: readonly number[]
  readonly action: 'replace' | 'remove' | 'rename' | 'repeat' | 'wrap'
  readonly text: Text
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const STRINGS: readonly string[] = [
  ...['', ' ', '0', '-1', '1e3', '00', 'null', 'true', '\u0000', 'a\u0000b', '\ud800', '\udfff', '\u202e', '💥', 'é'],
  ...['\ufeff', "'", '"', '`', ';--', "'; drop table houses; --", '$1', '%s', '{{x}}', '../..', '<script>', '\r\nX: y'],
  ...['2024-02-30', '2024-01-01T00:00:00Z', '+275761-01-01T00:00:00Z', '99:99', '1'.repeat(400), 'x'.repeat(5000)],
  ...['creatures', 'people', 'houses', 'men', 'clubs', 'spots', '__proto__', 'constructor', 'toString', 'then'],
]

/** JSON that `JSON.stringify` cannot create, and other unusual values. */
const UNUSUAL_JSON: readonly Text[] = [
  ...['1e400', '-1e400', '1e-400', '-0', '9007199254740993', '123456789012345678901234567890', '0.1e1', '1.0'],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}', '{"toJSON":1}', '{"then":1}'],
  ...['{"length":5}', '{"id":"1","id":"2"}', '{"type":"clubs","id":"a"}', '[[]]'],
  '[{"type":"clubs","id":"a"},{"type":"clubs","id":"a"}]',
  ...['"\\ud800"', '"\\u0000"', `${'['.repeat(99)}${']'.repeat(99)}`, `${'{"a":'.repeat(120)}1${'}'.repeat(120)}`],
]

const NAMES: readonly string[] = [
  ...['data', 'type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta', 'included', 'errors', 'jsonapi'],
  ...['op', 'ref', 'href'],
  ...['atomic:operations', 'relationship', '__proto__', 'constructor', 'hasOwnProperty', 'then', '', ' ', 'a.b'],
  ...['x:y', '@a', '\u0000'],
  ...['title', 'name', 'residents', 'home', 'clubs', 'pets', 'rank', 'kind'],
]

const texts: fc.Arbitrary<Text> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...STRINGS).map((each) => JSON.stringify(each)) },
  { weight: 2, arbitrary: fc.constantFrom(...UNUSUAL_JSON) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('null', 'true', '[]', '{}', '0') },
)

/** Most changes are replacements. */
const ACTIONS: readonly Change['action'][] = [...Array(4).fill('replace'), 'remove', 'rename', 'repeat', 'wrap']

/** Returns documents with one or two changes. */
export function mutatedDocuments(documents: fc.Arbitrary<unknown>): fc.Arbitrary<Text> {
  const change = fc.record({
    path: fc.oneof(
      { weight: 1, arbitrary: steps(1, 2) },
      // Paths to values of attributes and members of identifiers.
      { weight: 6, arbitrary: steps(3, 7) },
    ),
    action: fc.constantFrom(...ACTIONS),
    text: texts,
    name: fc.constantFrom(...NAMES),
  })
  return fc
    .tuple(documents, fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([document, changes]) =>
      changes.reduce(
        (text, { name, ...each }) =>
          withChange(text, { ...each, text: each.action === 'rename' ? JSON.stringify(name) : each.text }),
        JSON.stringify(document),
      ),
    )
}

/** Returns paths. The primary data is the first member of a document. */
function steps(minLength: number, maxLength: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat({ max: 20 }), { minLength, maxLength })
}

/** Returns the text unchanged if it is no longer valid JSON. */
function withChange(text: Text, change: Change): Text {
  try {
    return print(JSON.parse(text), change, 0)
  } catch {
    return text
  }
}

function print(value: Json, change: Change | undefined, depth: number): Text {
  if (value === null || typeof value !== 'object') return change === undefined ? JSON.stringify(value) : change.text
  const members: readonly (readonly [Text, Json])[] = Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).map(([name, each]) => [`${JSON.stringify(name)}:`, each] as const)
  const step = change?.path[depth]
  if (change !== undefined && (step === undefined || members.length === 0)) return change.text
  const chosen = step === undefined ? -1 : step % members.length
  const printed = members.flatMap(([name, each], index) => {
    if (index !== chosen || change === undefined) return [name + print(each, undefined, depth + 1)]
    return depth + 1 < change.path.length ? [name + print(each, change, depth + 1)] : applyAction(name, each, change)
  })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}${printed.join(',')}${close}`
}

function applyAction(name: Text, value: Json, { action, text }: Change): readonly Text[] {
  const json = JSON.stringify(value)
  switch (action) {
    case 'replace':
      return [name + text]
    case 'remove':
      return []
    case 'rename':
      return [name === '' ? text : `${text}:${json}`]
    case 'repeat':
      return [name + json, name + text]
    case 'wrap':
      return [`${name}[${json}]`]
  }
}

const HEADERS = [
  ...['content-type', 'accept', 'if-match', 'if-none-match', 'prefer', 'content-encoding', 'idempotency-key', 'host'],
]

const HEADER_VALUES = [
  ...['', '*', '*/*', 'a', '"', '"x', 'W/"x"', '"a", "b"', ';', ',', ',,', 'q=2', 'text/html', 'application/json'],
  ...['application/vnd.api+json', 'application/vnd.api+json;ext="x"', 'application/vnd.api+json;profile="a b"'],
  'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
  ...['application/vnd.api+json;charset=utf-8', 'application/vnd.api+json;q=0', 'application/vnd.api+json;ext='],
  ...['return=minimal', 'return=x; wait', 'gzip', 'br, gzip', 'identity', '\u00e9\u00ff', 'x'.repeat(2000)],
  ...['q='.repeat(500), '"'.repeat(999), ';ext="'.repeat(200), ', '.repeat(900)],
]

/** Random headers that the client of Node.js can send. */
export const hostileHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .array(fc.tuple(fc.constantFrom(...HEADERS), fc.oneof(fc.constantFrom(...HEADER_VALUES), printable(60))), {
    maxLength: 3,
  })
  .map((pairs) => Object.fromEntries(pairs))

function printable(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code))
  return fc.string({ unit, maxLength })
}
