import { setUp } from '../../support/api'
import { errorsOf, outcomeOf } from '../../support/expectations'
import { startHumans } from '../../support/humans'

// Every mistake in a body: its status, its code and its pointer. Nothing is written.

const api = setUp(startHumans)
beforeAll(async () => {
  await api.addMan({ name: 'Adam', hasBeard: false })
  await api.addWoman({ name: 'Clara', maidenName: 'Clay' })
})

/** The endpoints that read a resource, and those that read linkage. */
const RESOURCES = [
  ['POST', '/humans'],
  ['POST', '/men'],
  ['PATCH', '/humans/1'],
  ['PATCH', '/men/1'],
] as const
const ENDPOINTS = [
  ...RESOURCES,
  ['PATCH', '/humans/1/relationships/bestFriend'],
  ['PATCH', '/humans/1/relationships/children'],
  ['POST', '/men/1/relationships/children'],
  ['DELETE', '/men/1/relationships/children'],
] as const

const both = (attributes: object, relationships: object = {}) =>
  [
    ['POST', '/humans', { data: { type: 'men', attributes: { name: 'New', ...attributes }, relationships } }],
    ['PATCH', '/men/1', { data: { type: 'men', id: '1', attributes, relationships } }],
  ] as const

const SHAPE = '400 document.shape'

describe.each(ENDPOINTS)('%s %s refuses a body that is', (method, path) => {
  it.each([
    ['empty', '', '400 document.missing'],
    ['blank', ' \n', '400 document.syntax'],
    ['broken JSON', '{"data":', '400 document.syntax'],
    ['JSON with a trailing comma', '{"data":null,}', '400 document.syntax'],
    ['a byte order mark', '\uFEFF', '400 document.syntax'],
    ['null', 'null', SHAPE],
    ['a string', '"data"', SHAPE],
    ['an array', '[]', SHAPE],
    ['an empty object', '{}', SHAPE],
    ['an object without data', '{"date":{"type":"men"}}', SHAPE],
    ['an object with data in __proto__', '{"__proto__":{"data":null}}', SHAPE],
    ['a string in data', '{"data":"men"}', `${SHAPE} /data`],
    ['nested too deep', `${'['.repeat(100_000)}`, SHAPE],
    ['nested too deep in data', `{"data":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`, SHAPE],
    ['not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d), '400 document.encoding'],
    ['cut within a character', Uint8Array.of(0x7b, 0x22, 0xc3, 0x22, 0x7d), '400 document.encoding'],
  ])('%s', async (_title, body, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(body)))).toBe(expected)
  }) // anchor: W/B-01, W/B-02, W/B-03, W/B-04

  it('broken JSON, with the line and the column in the detail', async () => {
    const { body } = await api.request(method, path).send('{\n  "data": }')
    expect(body.errors[0].detail).toBe("Expected a value, found '}' at line 2, column 11.")
  })
})

describe('a resource object is refused with', () => {
  it.each<readonly [title: string, data: unknown, ...pointers: readonly string[]]>([
    ['null', null, '/data'],
    ['an empty array', [], '/data'],
    ['no type', { id: '1' }, '/data'],
    ['null as type', { type: null, id: '1' }, '/data/type'],
    ['a number as type', { type: 5, id: '1' }, '/data/type'],
    ['a number as id', { type: 'men', id: 1 }, '/data/id'],
    ['null as id', { type: 'men', id: null }, '/data/id'],
    ['null as attributes', { type: 'men', id: '1', attributes: null }, '/data/attributes'],
    ['an array as attributes', { type: 'men', id: '1', attributes: [] }, '/data/attributes'],
    ['null as relationships', { type: 'men', id: '1', relationships: null }, '/data/relationships'],
    ['an array as relationships', { type: 'men', id: '1', relationships: [] }, '/data/relationships'],
    ['an id and a local id', { type: 'men', id: '1', lid: 'a' }, '/data/lid'],
    [
      'several mistakes, in one response',
      { type: 1, id: 1, attributes: 1, relationships: { wife: null, father: {} } },
      ...['/data/type', '/data/id', '/data/attributes', '/data/relationships/wife', '/data/relationships/father'],
    ],
  ])('%s', async (_title, data, ...pointers) => {
    for (const [method, path] of RESOURCES) {
      const response = await api.unchanged(() => api.request(method, path).send({ data }))
      expect(errorsOf(response)).toEqual(pointers.map((pointer) => `${SHAPE} ${pointer}`))
    }
  }) // anchor: W/B-05, W/B-06, W/C-01, W/C-06, W/C-09, W/F-08

  it.each<readonly [title: string, relationship: unknown, ...pointers: readonly string[]]>([
    ['null', null, ''],
    ['an array', [], ''],
    ['no data', {}, ''],
    ['links only', { links: { self: '/men/1/relationships/bestFriend' } }, ''],
    ['an empty array in data', { data: [] }, '/data'],
    ['a string in data', { data: '1' }, '/data'],
    ['no type', { data: { id: '1' } }, '/data'],
    ['no id', { data: { type: 'men' } }, '/data'],
    ['an empty identifier', { data: {} }, '/data', '/data'],
    ['a number as type', { data: { type: 1, id: '1' } }, '/data/type'],
    ['a number as id', { data: { type: 'men', id: 1 } }, '/data/id'],
    ['a number as local id', { data: { type: 'men', lid: 1 } }, '/data/lid'],
    ['an id and a local id', { data: { type: 'men', id: '1', lid: 'a' } }, '/data/lid'],
  ])('%s in a to-one relationship', async (_title, bestFriend, ...pointers) => {
    for (const [method, path, body] of both({}, { bestFriend })) {
      const response = await api.unchanged(() => api.request(method, path).send(body))
      expect(errorsOf(response)).toEqual(pointers.map((end) => `${SHAPE} /data/relationships/bestFriend${end}`))
    }
  }) // anchor: W/B-07, W/B-08, W/B-09, W/C-04

  it.each<readonly [title: string, data: unknown, ...pointers: readonly string[]]>([
    ['null', null, ''],
    ['a single identifier', { type: 'men', id: '1' }, ''],
    ['a string', 'men', ''],
    ['null in the array', [{ type: 'men', id: '1' }, null], '/1'],
    ['an array in the array', [[]], '/0'],
    ['incomplete identifiers', [{ id: '1' }, { type: 'men' }, { type: 'men', id: 5 }], '/0', '/1', '/2/id'],
  ])('%s in a to-many relationship', async (_title, data, ...pointers) => {
    const endpoints = ['PATCH', 'POST', 'DELETE'].map(
      (it) => [it, '/humans/1/relationships/children', { data }] as const,
    )
    for (const [method, path, body] of [...both({}, { children: { data } }), ...endpoints]) {
      const response = await api.unchanged(() => api.request(method, path).send(body))
      const start = path.includes('relationships') ? '/data' : '/data/relationships/children/data'
      expect(errorsOf(response)).toEqual(pointers.map((end) => `${SHAPE} ${start}${end}`))
    }
  }) // anchor: W/B-08, W/B-10, W/B-11, W/C-01, W/C-04, W/C-06

  it.each([
    ['an unknown attribute', { hasBeards: false }, 'unknown hasBeards', "Did you mean 'hasBeard'?"],
    ['an attribute of a sibling', { maidenName: 'X' }, 'unknown maidenName', "'men'"],
    ['the id among the attributes', { id: '1' }, 'unknown id', "beside 'attributes'"],
    ['a relationship among the attributes', { wife: null }, 'unknown wife', "'relationships'"],
    ['__proto__', JSON.parse('{"__proto__":{"hasBeard":true}}'), 'unknown __proto__', "'__proto__'"],
    ['a name with a slash', { 'a/b~c': 1 }, 'unknown a~1b~0c', "'a/b~c'"],
    ['a name with a namespace', { 'audit:by': 1 }, 'unknown audit:by', "'audit:by'"],
    ['the column of a key', { fatherId: 1 }, 'unknown fatherId', "'fatherId'"],
    ['the column of the type', { kind: 'Woman' }, 'unknown kind', "'kind'"],
    ['null for a required value', { name: null }, 'type name', 'a value'],
    ['a number for a text', { name: 5 }, 'type name', 'found 5'],
    ['a text that is too long', { name: 'x'.repeat(81) }, 'type name', 'at most 80'],
    ['a text with NUL', { name: 'a\0b' }, 'type name', 'without NUL'],
    ['half a surrogate pair', { name: '\uD800' }, 'type name', 'legal Unicode'],
    ['a text for a boolean', { hasBeard: 'false' }, 'type hasBeard', 'true or false'],
    ['null for a boolean', { hasBeard: null }, 'type hasBeard', 'a value'],
  ])('%s', async (_title, attributes, expected, detail) => {
    const [code, name] = expected.split(' ')
    for (const [method, path, body] of both(attributes)) {
      const response = await api.unchanged(() => api.request(method, path).send(body))
      expect(outcomeOf(response)).toBe(`422 attribute.${code} /data/attributes/${name}`)
      expect(response.body.errors[0].detail).toContain(detail)
    }
  }) // anchor: W/B-16, W/C-10, W/D-01, W/D-07

  it.each([
    ['an unknown name', 'bestFriends', "Did you mean 'bestFriend'?"],
    ['the name of a relationship of a sibling', 'husband', "'men'"],
    ['the name of an attribute', 'name', "'attributes'"],
  ])('%s among the relationships', async (_title, name, detail) => {
    for (const [method, path, body] of both({}, { [name]: { data: null } })) {
      const response = await api.unchanged(() => api.request(method, path).send(body))
      expect(outcomeOf(response)).toBe(`422 relationship.unknown /data/relationships/${name}`)
      expect(response.body.errors[0].detail).toContain(detail)
    }
  }) // anchor: W/D-02
})
