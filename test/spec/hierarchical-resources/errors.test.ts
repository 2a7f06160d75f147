import type { Response } from 'supertest'
import { apiOver, type TestApi } from '../../support/api'
import { type HumansApi, startHumans } from '../../support/humans'

// Every mistake of a body: which status, which code, and where it points. Nothing is ever written, and nothing answers 500.

let humans: HumansApi
let api: TestApi
let adam: string
let clara: string

beforeAll(async () => {
  humans = await startHumans()
  api = apiOver(humans, humans, humans.close)
  adam = await humans.addMan({ name: 'Adam', hasBeard: false })
  clara = await humans.addWoman({ name: 'Clara', maidenName: 'Clay' })
  await humans.link(adam, 'children', [clara])
})
afterAll(() => api.close())

/** `422 attribute.unknown /data/attributes/nam`, one line for each error. */
function told({ body }: Response): readonly string[] {
  const errors: readonly { status: string; code: string; source?: { pointer?: string } }[] = body?.errors ?? []
  return errors.map(({ status, code, source }) => `${status} ${code} ${source?.pointer ?? '-'}`)
}

/** Every endpoint that reads a body. */
const PLACES = [
  ['POST', '/humans'],
  ['POST', '/men'],
  ['PATCH', '/humans/1'],
  ['PATCH', '/men/1'],
  ['PATCH', '/humans/1/relationships/bestFriend'],
  ['PATCH', '/humans/1/relationships/children'],
  ['POST', '/men/1/relationships/children'],
  ['DELETE', '/men/1/relationships/children'],
] as const

describe.each(PLACES)('a body that is no document, at %s %s', (method, path) => {
  it.each([
    ['nothing', '', '400 document.missing -'],
    ['blanks', ' \n', '400 document.syntax -'],
    ['broken JSON', '{"data":', '400 document.syntax -'],
    ['a trailing comma', '{"data":null,}', '400 document.syntax -'],
    ['two documents', '{}{}', '400 document.syntax -'],
    ['a byte order mark alone', '\uFEFF', '400 document.syntax -'],
    ['null', 'null', '400 document.shape '],
    ['a text', '"data"', '400 document.shape '],
    ['a number', '5', '400 document.shape '],
    ['a list', '[]', '400 document.shape '],
    ['an empty object', '{}', '400 document.shape '],
    ['data under another name', '{"date":{"type":"men"}}', '400 document.shape '],
    ['data of the prototype only', '{"__proto__":{"data":null}}', '400 document.shape '],
    ['data that is a text', '{"data":"men"}', '400 document.shape /data'],
    ['data that is a number', '{"data":1}', '400 document.shape /data'],
    ['data that is true', '{"data":true}', '400 document.shape /data'],
    ['deep nesting', `${'['.repeat(100_000)}`, '400 document.shape -'],
    ['deep nesting in data', `{"data":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`, '400 document.shape -'],
  ])('%s', async (_what, rawBody, expected) => {
    const answer = await api.unchanged(() => api.request(method, path).send(rawBody))
    expect({ status: answer.status, told: told(answer) }).toEqual({ status: 400, told: [expected] })
  })

  it.each([
    ['UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)],
    ['UTF-8 that is whole', Uint8Array.of(0x7b, 0x22, 0xc3, 0x22, 0x7d)],
  ])('bytes that are no %s', async (_what, rawBody) => {
    const answer = await api.unchanged(() => api.request(method, path).send(rawBody))
    expect(told(answer)).toEqual(['400 document.encoding -'])
  })

  it('says in which line and column JSON breaks off', async () => {
    const { body } = await api.request(method, path).send('{\n  "data": }')
    expect(body.errors[0].detail).toBe("Expected a value, found '}' at line 2, column 11.")
  })
})

describe('the shape of a resource object', () => {
  const SHAPES: readonly (readonly [what: string, data: unknown, pointers: readonly string[]])[] = [
    ['null', null, ['/data']],
    ['an empty list', [], ['/data']],
    ['a list of one', [{ type: 'men', id: '1' }], ['/data']],
    ['no type', { id: '1' }, ['/data']],
    ['a type that is null', { type: null, id: '1' }, ['/data/type']],
    ['a type that is a number', { type: 5, id: '1' }, ['/data/type']],
    ['an id that is a number', { type: 'men', id: 1 }, ['/data/id']],
    ['an id that is null', { type: 'men', id: null }, ['/data/id']],
    ['an id that is a list', { type: 'men', id: ['1'] }, ['/data/id']],
    ['attributes that are null', { type: 'men', id: '1', attributes: null }, ['/data/attributes']],
    ['attributes that are a list', { type: 'men', id: '1', attributes: [] }, ['/data/attributes']],
    ['relationships that are a text', { type: 'men', id: '1', relationships: 'wife' }, ['/data/relationships']],
    [
      'mistakes everywhere, together',
      { type: 1, id: 1, attributes: 1, relationships: { wife: null, father: {} } },
      ['/data/type', '/data/id', '/data/attributes', '/data/relationships/wife', '/data/relationships/father'],
    ],
  ]

  it.each(SHAPES)('%s', async (_what, data, pointers) => {
    for (const [method, path] of PLACES.slice(0, 4)) {
      const answer = await api.unchanged(() => api.request(method, path).send({ data }))
      const expected = pointers.map((pointer) => `400 document.shape ${pointer}`)
      expect({ method, told: told(answer) }).toEqual({ method, told: expected })
    }
  })

  const LINKAGE: readonly (readonly [what: string, relationship: unknown, pointers: readonly string[]])[] = [
    ['null', null, ['']],
    ['a list', [], ['']],
    ['no data', {}, ['']],
    ['links only', { links: { self: '/men/1/relationships/bestFriend' } }, ['']],
    ['an identifier without data around it', { type: 'men', id: '1' }, ['']],
    ['a list for a to-one relationship', { data: [] }, ['/data']],
    ['a text', { data: '1' }, ['/data']],
    ['no type', { data: { id: '1' } }, ['/data']],
    ['no id', { data: { type: 'men' } }, ['/data']],
    ['nothing', { data: {} }, ['/data', '/data']],
    ['an id that is a number', { data: { type: 'men', id: 1 } }, ['/data/id']],
    ['an id and a local id', { data: { type: 'men', id: '1', lid: 'a' } }, ['/data/lid']],
  ]

  it.each(LINKAGE)('a to-one relationship that holds %s', async (_what, bestFriend, pointers) => {
    const relationships = { bestFriend }
    for (const [method, path, id] of [
      ['POST', '/humans', undefined],
      ['PATCH', '/men/1', '1'],
    ] as const) {
      const body = { data: { type: 'men', id, relationships } }
      const answer = await api.unchanged(() => api.request(method, path).send(body))
      expect(told(answer)).toEqual(pointers.map((end) => `400 document.shape /data/relationships/bestFriend${end}`))
    }
  })

  const MEMBERS: readonly (readonly [what: string, data: unknown, pointers: readonly string[]])[] = [
    ['null', null, ['']],
    ['a single identifier', { type: 'men', id: '1' }, ['']],
    ['a text', 'men', ['']],
    ['null within', [{ type: 'men', id: '1' }, null], ['/1']],
    ['a list within', [[]], ['/0']],
    ['identifiers with mistakes, each', [{ id: '1' }, { type: 'men' }, { type: 'men', id: 5 }], ['/0', '/1', '/2/id']],
  ]

  it.each(MEMBERS)('a to-many relationship that holds %s', async (_what, data, pointers) => {
    const relationships = { children: { data } }
    const places = [
      ['POST', '/humans', { data: { type: 'men', relationships } }, '/data/relationships/children/data'],
      ['PATCH', '/men/1', { data: { type: 'men', id: '1', relationships } }, '/data/relationships/children/data'],
      ...(['PATCH', 'POST', 'DELETE'] as const).map(
        (method) => [method, '/humans/1/relationships/children', { data }, '/data'] as const,
      ),
    ] as const
    for (const [method, path, body, start] of places) {
      const answer = await api.unchanged(() => api.request(method, path).send(body))
      const expected = pointers.map((end) => `400 document.shape ${start}${end}`)
      expect({ method, path, told: told(answer) }).toEqual({ method, path, told: expected })
    }
  })

  it.each([
    ['an array', [{ type: 'men', id: '1' }], ['400 document.shape /data']],
    ['an empty object', {}, ['400 document.shape /data', '400 document.shape /data']],
    ['a text', 'men', ['400 document.shape /data']],
  ])('%s at a to-one relationship endpoint', async (_what, data, expected) => {
    const answer = await api.unchanged(() => api.patch('/humans/1/relationships/bestFriend').send({ data }))
    expect(told(answer)).toEqual(expected)
  })
})

describe('what the model refuses', () => {
  const both = (attributes: object, relationships: object = {}) =>
    [
      ['POST', '/humans', { data: { type: 'men', attributes: { name: 'New', ...attributes }, relationships } }],
      ['PATCH', '/men/1', { data: { type: 'men', id: '1', attributes, relationships } }],
    ] as const

  it.each([
    ['an unknown attribute', { hasBeards: false }, '422 attribute.unknown hasBeards', "Did you mean 'hasBeard'?"],
    ['an attribute of a sibling', { maidenName: 'X' }, '422 attribute.unknown maidenName', "'men'"],
    ['the id among the attributes', { id: '1' }, '422 attribute.unknown id', "beside 'attributes'"],
    ['a relationship', { wife: null }, '422 attribute.unknown wife', "'relationships'"],
    ['a name of the prototype', { constructor: 1 }, '422 attribute.unknown constructor', "'constructor'"],
    ['a name of every object', { toString: 1 }, '422 attribute.unknown toString', "'toString'"],
    ['a name with a slash', { 'a/b~c': 1 }, '422 attribute.unknown a~1b~0c', "'a/b~c'"],
    ['the column of a key', { fatherId: 1 }, '422 attribute.unknown fatherId', "'fatherId'"],
    ['the column of the type', { kind: 'Woman' }, '422 attribute.unknown kind', "'kind'"],
    ['null where it must not be', { name: null }, '422 attribute.value name', 'a value'],
    ['a number for a text', { name: 5 }, '422 attribute.value name', 'found 5'],
    ['an object for a text', { name: {} }, '422 attribute.value name', 'found an object'],
    ['a text that is too long', { name: 'x'.repeat(81) }, '422 attribute.value name', 'at most 80'],
    ['a text with NUL', { name: 'a\0b' }, '422 attribute.value name', 'without NUL'],
    ['half a character', { name: '\uD800' }, '422 attribute.value name', 'legal Unicode'],
    ['a text for a boolean', { hasBeard: 'false' }, '422 attribute.value hasBeard', 'true or false'],
    ['a number for a boolean', { hasBeard: 0 }, '422 attribute.value hasBeard', 'true or false'],
    ['null for a boolean', { hasBeard: null }, '422 attribute.value hasBeard', 'a value'],
  ])('%s', async (_what, attributes, expected, detail) => {
    for (const [method, path, body] of both(attributes)) {
      const answer = await api.unchanged(() => api.request(method, path).send(body))
      const [code, name] = [expected.slice(0, expected.lastIndexOf(' ')), expected.split(' ').at(-1)]
      expect(told(answer)).toEqual([`${code} /data/attributes/${name}`])
      expect(answer.body.errors[0].detail).toContain(detail)
    }
  })

  it('`__proto__` as an attribute: a name like any other', async () => {
    const bodies = [
      ['POST', '/humans', '{"data":{"type":"men","attributes":{"name":"New","__proto__":{"hasBeard":true}}}}'],
      ['PATCH', '/men/1', '{"data":{"type":"men","id":"1","attributes":{"__proto__":{"name":"New"}}}}'],
    ] as const
    for (const [method, path, rawBody] of bodies) {
      const answer = await api.unchanged(() => api.request(method, path).send(rawBody))
      expect(told(answer)).toEqual(['422 attribute.unknown /data/attributes/__proto__'])
    }
    expect(({} as { hasBeard?: boolean }).hasBeard).toBeUndefined()
  })

  it.each([
    ['unknown', 'bestFriends', "Did you mean 'bestFriend'?"],
    ['of a sibling', 'husband', "'men'"],
    ['an attribute', 'name', "'attributes'"],
    ['of the prototype', 'constructor', "'constructor'"],
  ])('a relationship that is %s', async (_what, name, detail) => {
    for (const [method, path, body] of both({}, { [name]: { data: null } })) {
      const answer = await api.unchanged(() => api.request(method, path).send(body))
      expect(told(answer)).toEqual([`422 relationship.unknown /data/relationships/${name}`])
      expect(answer.body.errors[0].detail).toContain(detail)
    }
  })

  it('what a new resource must have', async () => {
    const answer = await api.unchanged(() => api.post('/men').send({ data: { type: 'men' } }))
    expect(told(answer)).toEqual(['422 attribute.required /data'])
    const other = await api.unchanged(() => api.post('/men').send({ data: { type: 'men', attributes: {} } }))
    expect(told(other)).toEqual(['422 attribute.required /data/attributes'])
  })

  it('a client id, which the server gives', async () => {
    const body = { data: { type: 'men', id: '77', attributes: { name: 'New' } } }
    expect(told(await api.unchanged(() => api.post('/humans').send(body)))).toEqual(['403 resource.client-id /data/id'])
  })

  it('an id that is not that of the URL', async () => {
    const body = { data: { type: 'men', id: '2', attributes: { name: 'New' } } }
    expect(told(await api.unchanged(() => api.patch('/humans/1').send(body)))).toEqual([
      '409 document.id-conflict /data/id',
    ])
  })

  it('all that is wrong, together: one status where it is one, else 400', async () => {
    const same = {
      data: { type: 'men', id: '1', attributes: { nam: 1, name: 5 }, relationships: { wives: { data: null } } },
    }
    const one = await api.unchanged(() => api.patch('/men/1').send(same))
    expect([one.status, told(one)]).toEqual([
      422,
      [
        '422 attribute.unknown /data/attributes/nam',
        '422 attribute.value /data/attributes/name',
        '422 relationship.unknown /data/relationships/wives',
      ],
    ])
    const linkage = { data: { type: 'women', id: '1' } }
    const mixed = { data: { type: 'men', id: '2', attributes: { name: 5 }, relationships: { father: linkage } } }
    const other = await api.unchanged(() => api.patch('/men/1').send(mixed))
    expect([other.status, told(other)]).toEqual([
      400,
      [
        '409 document.id-conflict /data/id',
        '422 attribute.value /data/attributes/name',
        '409 document.type-conflict /data/relationships/father/data/type',
      ],
    ])
  })

  it('one phase after the other: shape, then meaning, then existence, then rules', async () => {
    const patch = (id: string, attributes: object, wife: object) =>
      api.unchanged(() =>
        api.patch(`/men/${id}`).send({ data: { type: 'men', id, attributes, relationships: { wife } } }),
      )
    const missing = { data: { type: 'women', id: '999' } }
    expect(told(await patch('999', { nam: 1 }, {}))).toEqual(['400 document.shape /data/relationships/wife'])
    expect(told(await patch('999', { nam: 1 }, missing))).toEqual(['422 attribute.unknown /data/attributes/nam'])
    expect(told(await patch('999', { hasBeard: true }, missing))).toEqual(['404 resource.not-found -'])
    expect(told(await patch('1', { hasBeard: true }, missing))).toEqual([
      '404 related.not-found /data/relationships/wife/data',
    ])
    expect(told(await patch('1', { hasBeard: true }, { data: null }))).toEqual([
      '422 rule.refused /data/attributes/hasBeard',
    ])
  })
})

describe('local ids', () => {
  it('may name the new resource, and itself in its relationships', async () => {
    const itself = { type: 'men', lid: 'me' }
    const body = {
      data: {
        ...itself,
        attributes: { name: 'Self' },
        relationships: { bestFriend: { data: itself }, children: { data: [itself, { type: 'men', id: adam }] } },
      },
    }
    const { status, body: document } = await api.post('/humans?include=bestFriend,children').send(body)
    expect([status, document.data.lid]).toEqual([201, undefined])
    const { id, relationships } = document.data
    expect(relationships.bestFriend.data).toEqual({ type: 'men', id })
    expect(relationships.children.data).toEqual([
      { type: 'men', id: adam },
      { type: 'men', id },
    ])
    await api.delete(`/men/${id}`)
  })

  it.each([
    ['beside an id', { type: 'men', id: '1', lid: 'a' }, '400 document.shape /data/lid'],
    ['that is a number', { type: 'men', lid: 5 }, '400 document.shape /data/lid'],
  ])('%s are refused', async (_what, data, expected) => {
    expect(told(await api.unchanged(() => api.post('/humans').send({ data })))).toEqual([expected])
  })

  it('are refused in an update, and where nothing is created', async () => {
    const update = { data: { type: 'men', id: '1', lid: 'a' } }
    expect(told(await api.unchanged(() => api.patch('/men/1').send(update)))).toEqual(['400 document.shape /data/lid'])
    const data = { type: 'men', lid: 'a' }
    const linked = [
      ['PATCH', '/men/1/relationships/bestFriend', { data }, '/data'],
      ['POST', '/men/1/relationships/children', { data: [data] }, '/data/0'],
      [
        'PATCH',
        '/men/1',
        { data: { type: 'men', id: '1', relationships: { father: { data } } } },
        '/data/relationships/father/data',
      ],
      [
        'POST',
        '/men',
        { data: { type: 'men', lid: 'b', attributes: { name: 'New' }, relationships: { father: { data } } } },
        '/data/relationships/father/data',
      ],
    ] as const
    for (const [method, path, body, pointer] of linked) {
      const answer = await api.unchanged(() => api.request(method, path).send(body))
      expect({ path, told: told(answer) }).toEqual({ path, told: [`400 document.lid-unknown ${pointer}`] })
    }
  })
})

describe('what has no meaning', () => {
  it('is ignored: meta, links, members that nobody defined, and names with @', async () => {
    const foreign = { meta: { a: 1 }, links: { self: '/' }, foreign: [1], '@id': 'x', 'ns:name': 1 }
    const identifier = { type: 'women', id: clara, ...foreign }
    const body = {
      jsonapi: { version: '1.0', meta: {} },
      ...foreign,
      data: {
        type: 'men',
        id: adam,
        ...foreign,
        attributes: { name: 'Adam', '@type': 'x', '@name': 5 },
        relationships: { wife: { ...foreign, data: identifier }, '@wife': 5 },
      },
    }
    await api.patch(`/humans/${adam}`).send(body).expect(204)
    expect((await api.get(`/men/${adam}/relationships/wife`)).body.data).toEqual({ type: 'women', id: clara })
    const linkage = { ...foreign, data: [{ ...identifier }] }
    expect((await api.unchanged(() => api.post(`/men/${adam}/relationships/children`).send(linkage))).status).toBe(204)
  })

  it('does not depend on the order of members, and of one name the last counts', async () => {
    const rawBody = `{"data":{"attributes":{"name":"First","name":"Last"},"id":"${adam}","type":"men"}}`
    await api.patch(`/men/${adam}`).send(rawBody).expect(204)
    expect((await api.get(`/men/${adam}`)).body.data.attributes.name).toBe('Last')
  })

  it('is no reason to create more than was asked for: included is refused', async () => {
    const data = { type: 'men', attributes: { name: 'New' } }
    const included = [{ type: 'women', id: '1', attributes: { name: 'Other' } }]
    const answer = await api.unchanged(() => api.post('/humans').send({ data, included }))
    expect(told(answer)).toEqual(['400 document.shape /included/0/attributes'])
  })
})

describe('the URL and the headers of a write', () => {
  const body = { data: { type: 'men', attributes: { name: 'New' } } }

  it.each([
    ['POST', '/nothings', 404, 'url.not-found'],
    ['PATCH', '/nothings/1', 404, 'url.not-found'],
    ['DELETE', '/__proto__/1', 404, 'url.not-found'],
    ['PATCH', '/men/1/relationships/nothing', 404, 'relationship.not-found'],
    ['POST', '/men/1/relationships/nothing', 404, 'relationship.not-found'],
    ['DELETE', '/men/1/relationships/__proto__', 404, 'relationship.not-found'],
    ['PATCH', '/men/1/relationships/name', 404, 'relationship.not-found'],
    ['PATCH', '/men', 405, 'url.method-not-allowed'],
    ['DELETE', '/humans', 405, 'url.method-not-allowed'],
    ['PUT', '/men/1', 405, 'url.method-not-allowed'],
    ['POST', '/men/1', 405, 'url.method-not-allowed'],
    ['POST', '/men/1/children', 405, 'url.method-not-allowed'],
    ['PATCH', '/men/1/wife', 405, 'url.method-not-allowed'],
    ['PUT', '/men/1/relationships/wife', 405, 'url.method-not-allowed'],
    ['POST', '/men/1/relationships/wife', 403, 'relationship.to-one'],
    ['DELETE', '/humans/1/relationships/wife', 403, 'relationship.to-one'],
    ['POST', '/men?nothing=1', 400, 'query.unknown'],
    ['POST', '/men?filter=equals(name,%27a%27)', 400, 'query.not-allowed'],
    ['POST', '/men?include=nothing', 400, 'query.include'],
    ['PATCH', '/men/1/relationships/wife?include=wife', 400, 'query.not-allowed'],
    ['DELETE', '/men/1?include=wife', 400, 'query.not-allowed'],
  ])('%s %s: %i', async (method, path, status, code) => {
    const answer = await api.unchanged(() => api.request(method, path).send(body))
    expect([answer.status, answer.body.errors[0].code]).toEqual([status, code])
    if (status === 405) expect(answer.headers.allow).toBeTruthy()
  })

  it.each([
    ['content-type', 'application/json', 415],
    ['content-type', 'application/vnd.api+json; charset=utf-8', 415],
    ['content-type', 'application/vnd.api+json; ext="https://example.org/x"', 415],
    ['accept', 'application/vnd.api+json; charset=utf-8', 406],
    ['content-encoding', 'nothing', 415],
  ])('%s: %s is refused before anything is written', async (name, value, status) => {
    const answer = await api.unchanged(() =>
      api
        .post('/men')
        .send(body)
        .set({ [name]: value }),
    )
    expect([answer.status, answer.body.errors[0].source.header.toLowerCase()]).toEqual([status, name])
  })
})
