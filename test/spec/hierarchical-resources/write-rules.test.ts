import { JsonApiError, type ResourceClass, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import { apiOver, startApi, type TestApi } from '../../support/api'
import { errorsOf } from '../../support/expectations'
import { Human, type HumansApi, Man, startHumans, Woman } from '../../support/humans'
import { operate, toOperation } from '../../support/operate'

// The heading "Errors" of the specification: the rules of a type answer for what is stored, whatever way a request takes.

let humans: HumansApi
let api: TestApi
let adam: string
let bert: string
let bearded: string
let clara: string
let dora: string
let nameless: string

beforeAll(async () => {
  humans = await startHumans()
  api = apiOver(humans, humans, humans.close)
  adam = await humans.addMan({ name: 'Adam', hasBeard: false })
  bert = await humans.addMan({ name: 'Bert', hasBeard: false })
  bearded = await humans.addMan({ name: 'Hugo', hasBeard: true })
  clara = await humans.addWoman({ name: 'Clara', maidenName: 'Clay' })
  dora = await humans.addWoman({ name: 'Dora', maidenName: 'Dorn' })
  nameless = await humans.addWoman({ name: 'Nora', maidenName: null })
  await humans.link(clara, 'husband', adam)
  await humans.link(adam, 'bestFriend', bert)
  await humans.link(nameless, 'children', [adam])
  await humans.link(nameless, 'husband', adam)
})
afterAll(() => api.close())

/** A way to write, and what the client must be pointed to when it is refused. */
type Way = readonly [way: string, request: () => readonly [method: string, path: string, body: object], pointer: string]

const RULES: readonly { readonly rule: string; readonly title: string; readonly ways: readonly Way[] }[] = [
  {
    rule: "a man's best friend is no woman",
    title: "A man's best friend must be a man.",
    ways: ['humans', 'men'].flatMap((endpoint): readonly Way[] => [
      ...['humans', 'women'].map(
        (named): Way => [
          `relationship endpoint of ${endpoint}, naming ${named}`,
          () => ['PATCH', `/${endpoint}/${adam}/relationships/bestFriend`, linkage(named, clara)],
          '/data',
        ],
      ),
      [
        `update at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${adam}`, man(adam, {}, { bestFriend: linkage('women', clara) })],
        '/data/relationships/bestFriend',
      ],
      [
        `create at ${endpoint}`,
        () => ['POST', `/${endpoint}`, man(undefined, { name: 'Noah' }, { bestFriend: linkage('women', clara) })],
        '/data/relationships/bestFriend',
      ],
    ]),
  },
  {
    rule: 'a man is shaved',
    title: 'A man must be shaved.',
    ways: ['humans', 'men'].flatMap((endpoint): readonly Way[] => [
      [
        `update at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${adam}`, man(adam, { hasBeard: true })],
        '/data/attributes/hasBeard',
      ],
      [
        `create at ${endpoint}`,
        () => ['POST', `/${endpoint}`, man(undefined, { name: 'Noah', hasBeard: true })],
        '/data/attributes/hasBeard',
      ],
      [
        `another change of a bearded man at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${bearded}`, man(bearded, { name: 'Hans' })],
        '/data/attributes',
      ],
      [
        `a relationship in an update of a bearded man at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${bearded}`, man(bearded, {}, { bestFriend: linkage('men', bert) })],
        '/data/attributes',
      ],
      [
        `an update of a bearded man at ${endpoint} that names nothing`,
        () => ['PATCH', `/${endpoint}/${bearded}`, { data: { type: 'men', id: bearded } }],
        '/data',
      ],
    ]),
  },
  {
    rule: 'a husband is not taken away',
    title: 'A husband cannot be taken away.',
    ways: ['humans', 'women'].flatMap((endpoint): readonly Way[] => [
      [
        `relationship endpoint of ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${clara}/relationships/husband`, { data: null }],
        '/data',
      ],
      [
        `update at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${clara}`, woman(clara, {}, { husband: { data: null } })],
        '/data/relationships/husband',
      ],
      [
        `update at ${endpoint} of a woman who has none`,
        () => ['PATCH', `/${endpoint}/${dora}`, woman(dora, {}, { husband: { data: null } })],
        '/data/relationships/husband',
      ],
      [
        `create at ${endpoint}`,
        () => ['POST', `/${endpoint}`, woman(undefined, { name: 'Eve', maidenName: 'E' }, { husband: { data: null } })],
        '/data/relationships/husband',
      ],
    ]),
  },
  {
    rule: 'a woman has a maiden name',
    title: 'A woman must have a maiden name.',
    ways: ['humans', 'women'].flatMap((endpoint): readonly Way[] => [
      [
        `update at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${clara}`, woman(clara, { maidenName: null })],
        '/data/attributes/maidenName',
      ],
      [
        `create at ${endpoint} with null`,
        () => ['POST', `/${endpoint}`, woman(undefined, { name: 'Eve', maidenName: null })],
        '/data/attributes/maidenName',
      ],
      [
        `create at ${endpoint} with nothing`,
        () => ['POST', `/${endpoint}`, { data: { type: 'women', attributes: { name: 'Eve' } } }],
        '/data/attributes',
      ],
      [
        `another change of a nameless woman at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${nameless}`, woman(nameless, { name: 'Nina' })],
        '/data/attributes',
      ],
      [
        `a to-one relationship of a nameless woman at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${nameless}/relationships/husband`, linkage('men', bert)],
        '/data',
      ],
      [
        `a base relationship of a nameless woman at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${nameless}/relationships/bestFriend`, linkage('humans', dora)],
        '/data',
      ],
      [
        `replacing children of a nameless woman at ${endpoint}`,
        () => ['PATCH', `/${endpoint}/${nameless}/relationships/children`, { data: [] }],
        '/data',
      ],
      [
        `adding a child to a nameless woman at ${endpoint}`,
        () => ['POST', `/${endpoint}/${nameless}/relationships/children`, { data: [{ type: 'humans', id: bert }] }],
        '/data',
      ],
      [
        `removing a child of a nameless woman at ${endpoint}`,
        () => ['DELETE', `/${endpoint}/${nameless}/relationships/children`, { data: [{ type: 'men', id: adam }] }],
        '/data',
      ],
    ]),
  },
]

describe.each(RULES)('$rule', ({ title, ways }) => {
  it.each(ways)('%s', async (_way, request, pointer) => {
    const [method, path, body] = request()
    const { status, body: document } = await api.unchanged(() => api.request(method, path).send(body))
    expect({ status, errors: document.errors }).toEqual({
      status: 422,
      errors: [{ status: '422', code: 'rule.refused', title, detail: expect.any(String), source: { pointer } }],
    })
    for (const target of ['href', 'ref'] as const) {
      const answer = await api.unchanged(() => operate(api, toOperation(method, path, body, target)))
      expect(errorsOf(answer)).toEqual([`422 rule.refused /atomic:operations/0${pointer}`])
      expect(answer.body.errors).toMatchObject([{ title }])
    }
  })
})

describe('the rules leave alone', () => {
  it.each(['humans', 'men'])('a bearded man who is shaved at %s, whatever else changes with it', async (endpoint) => {
    const id = await humans.addMan({ name: 'Otto', hasBeard: true })
    await api
      .patch(`/${endpoint}/${id}`)
      .send(man(id, { hasBeard: false, name: 'Olaf' }))
      .expect(204)
    expect((await api.get(`/men/${id}`)).body.data.attributes).toEqual({ name: 'Olaf', hasBeard: false })
  })

  it.each([
    ['PATCH', 'bestFriend', () => linkage('humans', bert)],
    ['PATCH', 'wife', () => linkage('women', dora)],
    ['PATCH', 'children', () => ({ data: [{ type: 'men', id: bert }] })],
    ['POST', 'children', () => ({ data: [{ type: 'women', id: dora }] })],
    ['DELETE', 'children', () => ({ data: [{ type: 'humans', id: dora }] })],
  ])('%s of %s of a bearded man at the relationship endpoints', async (method, name, body) => {
    for (const endpoint of ['humans', 'men']) {
      const path = `/${endpoint}/${bearded}/relationships/${name}`
      await api.request(method, path).send(body()).expect(204)
    }
  })

  it.each(['humans', 'women'])('a nameless woman who is given a name at %s, or deleted', async (endpoint) => {
    const id = await humans.addWoman({ name: 'Olga', maidenName: null })
    const deleted = await humans.addWoman({ name: 'Olga', maidenName: null })
    await api
      .patch(`/${endpoint}/${id}`)
      .send(woman(id, { maidenName: 'Oak' }))
      .expect(204)
    await api.delete(`/${endpoint}/${deleted}`).expect(204)
    expect((await api.get(`/women/${id}`)).body.data.attributes.maidenName).toBe('Oak')
    await api.get(`/women/${deleted}`).expect(404)
  })

  it('a man whose wife is taken away, and a woman whose best friend is whoever she likes', async () => {
    await api.patch(`/humans/${adam}/relationships/wife`).send({ data: null }).expect(204)
    await api.patch(`/humans/${clara}/relationships/bestFriend`).send(linkage('men', adam)).expect(204)
    await api.patch(`/humans/${clara}/relationships/bestFriend`).send(linkage('women', dora)).expect(204)
  })

  it('a woman without a husband from the start', async () => {
    const { status, body } = await api.post('/humans').send(woman(undefined, { name: 'Eve', maidenName: 'Elm' }))
    expect([status, body.data.type]).toEqual([201, 'women'])
  })
})

describe('relationships of a derived type, through the endpoints of its base', () => {
  it('are read and written', async () => {
    const path = `/humans/${adam}/relationships/wife`
    await api.patch(path).send(linkage('women', dora)).expect(204)
    expect((await api.get(path)).body.data).toEqual({ type: 'women', id: dora })
    expect((await api.get(`/humans/${adam}/wife`)).body.data).toMatchObject({ type: 'women', id: dora })
    await api.patch(path).send({ data: null }).expect(204)
    expect((await api.get(path)).body.data).toBeNull()
  })

  it.each([
    ['wife', () => clara, () => linkage('women', dora)],
    ['husband', () => adam, () => linkage('men', bert)],
  ])('are not there on another branch: %s', async (name, id, body) => {
    const path = `/humans/${id()}/relationships/${name}`
    for (const sending of [
      () => api.patch(path).send(body()),
      () => api.get(path),
      () => api.get(`/humans/${id()}/${name}`),
    ]) {
      const { status, body: document } = await api.unchanged(sending)
      expect([status, document.errors[0].code]).toEqual([404, 'relationship.not-found'])
    }
  })
})

describe('a derived definition', () => {
  class Baptised<Resource extends Human = Human> extends ResourceDefinition<Resource> {
    readonly resource: ResourceClass = Human

    override setToOne(_write: ResourceWrite<Resource>, relationship: string, right: StoredRecord | null): void {
      if (relationship === 'father' && right === null) throw new JsonApiError({ title: 'No father.', field: 'father' })
    }

    override beforeWrite({ values }: ResourceWrite<Resource>): void {
      if (values.name === 'Nobody') throw new JsonApiError({ title: 'A human has a name.', field: 'name' })
    }
  }

  class BaptisedMan extends Baptised<Man> {
    override readonly resource = Man

    override beforeWrite(write: ResourceWrite<Man>): void {
      super.beforeWrite(write)
      if (write.values.name === 'Eve') throw new JsonApiError({ title: 'No name for a man.', field: 'name' })
    }
  }

  let family: TestApi
  beforeAll(async () => {
    family = await startApi([Human, Man, Woman], { definitions: [new Baptised(), new BaptisedMan()] })
  })
  afterAll(() => family.close())

  it.each([
    ['delegates to the rules of its base', 'men', 'Nobody', 'A human has a name.'],
    ['adds its own', 'men', 'Eve', 'No name for a man.'],
    ['is answered for by that of its base where there is none', 'women', 'Nobody', 'A human has a name.'],
  ])('%s', async (_what, type, name, title) => {
    for (const endpoint of ['humans', type]) {
      const body = { data: { type, attributes: { name } } }
      const { body: document } = await family.unchanged(() => family.post(`/${endpoint}`).send(body))
      expect(document.errors).toMatchObject([{ title, source: { pointer: '/data/attributes/name' } }])
    }
  })

  it('inherits the hooks that it leaves out', async () => {
    const body = { data: { type: 'men', attributes: { name: 'Abel' }, relationships: { father: { data: null } } } }
    const { body: document } = await family.unchanged(() => family.post('/humans').send(body))
    expect(document.errors).toMatchObject([{ title: 'No father.', source: { pointer: '/data/relationships/father' } }])
  })

  it('is asked alone: what it does not delegate does not hold', async () => {
    class Lonely extends ResourceDefinition<Woman> {
      readonly resource = Woman
    }
    const lonely = await startApi([Human, Man, Woman], { definitions: [new Baptised(), new Lonely()] })
    const create = (type: string) => lonely.post('/humans').send({ data: { type, attributes: { name: 'Nobody' } } })
    expect([(await create('women')).status, (await create('men')).status]).toEqual([201, 422])
    await lonely.close()
  })
})

function linkage(type: string, id: string): object {
  return { data: { type, id } }
}

function man(id: string | undefined, attributes: object, relationships: object = {}): object {
  return { data: { type: 'men', id, attributes, relationships } }
}

function woman(id: string | undefined, attributes: object, relationships: object = {}): object {
  return { data: { type: 'women', id, attributes, relationships } }
}
