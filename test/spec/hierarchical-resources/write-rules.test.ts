import { JsonApiError, type ResourceClass, ResourceDefinition, type ResourceRecord, type ResourceWrite } from 'stemma'
import { setUp, startApi } from '../../support/api'
import { resource, toMany, toOne } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { Human, Man, startHumans, Woman } from '../../support/humans'
import { operate, toOperation } from '../../support/operate'

// The heading "Errors" of the specification: the rules of the stored type hold for every request that writes it.

const api = setUp(startHumans)
const [adam, bert, bearded, clara, dora, nameless] = ['1', '2', '3', '4', '5', '6']

beforeAll(async () => {
  await api.addMan({ name: 'Adam', hasBeard: false })
  await api.addMan({ name: 'Bert', hasBeard: false })
  await api.addMan({ name: 'Hugo', hasBeard: true })
  await api.addWoman({ name: 'Clara', maidenName: 'Clay' })
  await api.addWoman({ name: 'Dora', maidenName: 'Dorn' })
  await api.addWoman({ name: 'Nora', maidenName: null })
  await api.link(clara, 'husband', adam)
  await api.link(adam, 'bestFriend', bert)
  await api.link(nameless, 'children', [adam])
  await api.link(nameless, 'husband', adam)
})

type ToRequest = (endpoint: string) => readonly [method: string, path: string, body: object]

const post =
  (body: object): ToRequest =>
  (endpoint) => ['POST', `/${endpoint}`, body]
const patch =
  (body: { readonly data: { readonly id?: string | undefined } }): ToRequest =>
  (endpoint) => ['PATCH', `/${endpoint}/${body.data.id}`, body]
const link =
  (method: string, id: string, relationship: string, body: object): ToRequest =>
  (endpoint) => [method, `/${endpoint}/${id}/relationships/${relationship}`, body]
const patchLink = (id: string, relationship: string, body: object) => link('PATCH', id, relationship, body)
const children = (method: string, id: string, type: string, child: string) =>
  link(method, id, 'children', toMany(type, child))
const man = (id: string | undefined, attributes: object, linked: object = {}) => resource('men', id, attributes, linked)
const woman = (id: string | undefined, attributes: object, linked: object = {}) =>
  resource('women', id, attributes, linked)

/** Each way in which a request can break a rule, and the pointer of the error. */
const RULES: readonly {
  readonly title: string
  readonly type: string
  readonly ways: readonly (readonly [way: string, toRequest: ToRequest, pointer: string])[]
}[] = [
  {
    title: "A man's best friend must be a man.",
    type: 'men',
    ways: [
      ['PATCH of the relationship to humans', patchLink(adam, 'bestFriend', toOne('humans', clara)), '/data'],
      ['PATCH of the relationship to women', patchLink(adam, 'bestFriend', toOne('women', clara)), '/data'],
      ['PATCH of the man', patch(man(adam, {}, { bestFriend: toOne('women', clara) })), '@bestFriend'],
      ['POST', post(man(undefined, { name: 'Noah' }, { bestFriend: toOne('women', clara) })), '@bestFriend'],
    ],
  },
  {
    title: 'A man must be shaved.',
    type: 'men',
    ways: [
      ['PATCH of hasBeard', patch(man(adam, { hasBeard: true })), '/data/attributes/hasBeard'],
      ['POST', post(man(undefined, { name: 'Noah', hasBeard: true })), '/data/attributes/hasBeard'],
      ['PATCH of the name of a bearded man', patch(man(bearded, { name: 'Hans' })), '/data/attributes'],
      ['PATCH of his best friend', patch(man(bearded, {}, { bestFriend: toOne('men', bert) })), '/data/attributes'],
      ['PATCH of a bearded man without fields', patch(resource('men', bearded)), '/data'],
    ],
  },
  {
    title: 'A husband cannot be taken away.',
    type: 'women',
    ways: [
      ['PATCH of the relationship', patchLink(clara, 'husband', { data: null }), '/data'],
      ['PATCH of the woman', patch(woman(clara, {}, { husband: { data: null } })), '@husband'],
      ['PATCH of a woman who has none', patch(woman(dora, {}, { husband: { data: null } })), '@husband'],
      ['POST', post(woman(undefined, { name: 'Eve', maidenName: 'E' }, { husband: { data: null } })), '@husband'],
    ],
  },
  {
    title: 'A woman must have a maiden name.',
    type: 'women',
    ways: [
      ['PATCH with null', patch(woman(clara, { maidenName: null })), '/data/attributes/maidenName'],
      ['POST of null', post(woman(undefined, { name: 'E', maidenName: null })), '/data/attributes/maidenName'],
      ['POST without the attribute', post(woman(undefined, { name: 'E' })), '/data/attributes'],
      ['PATCH of another attribute', patch(woman(nameless, { name: 'Nina' })), '/data/attributes'],
      ['PATCH of her husband', patchLink(nameless, 'husband', toOne('men', bert)), '/data'],
      ['PATCH of her best friend', patchLink(nameless, 'bestFriend', toOne('humans', dora)), '/data'],
      ['PATCH of her children', patchLink(nameless, 'children', { data: [] }), '/data'],
      ['POST of a child', children('POST', nameless, 'humans', bert), '/data'],
      ['DELETE of a child', children('DELETE', nameless, 'men', adam), '/data'],
    ],
  },
]

describe.each(RULES)('the rule "$title"', ({ title, type, ways }) => {
  const rows = ['humans', type].flatMap((endpoint) => ways.map((way) => [endpoint, ...way] as const))

  it.each(rows)('refuses at /%s, alone and as an operation: %s', async (endpoint, _way, toRequest, end) => {
    const [method, path, body] = toRequest(endpoint)
    const pointer = end.replace('@', '/data/relationships/')
    const { status, body: document } = await api.unchanged(() => api.request(method, path).send(body))
    expect({ status, errors: document.errors }).toEqual({
      status: 422,
      errors: [{ status: '422', code: 'rule.rejected', title, detail: expect.any(String), source: { pointer } }],
    })
    for (const target of ['href', 'ref'] as const) {
      const response = await api.unchanged(() => operate(api, toOperation(method, path, body, target)))
      expect(outcomeOf(response)).toBe(`422 rule.rejected /atomic:operations/0${pointer}`)
      expect(response.body.errors).toMatchObject([{ title }])
    }
  })
})

describe('the rules allow', () => {
  it.each(['humans', 'men'])('PATCH of a bearded man who is shaved at /%s', async (endpoint) => {
    const id = await api.addMan({ name: 'Otto', hasBeard: true })
    const body = man(id, { hasBeard: false, name: 'Olaf' })
    await api.patch(`/${endpoint}/${id}`).send(body).expect(204)
    expect((await api.get(`/men/${id}`)).body.data.attributes).toEqual({ name: 'Olaf', hasBeard: false })
  })

  it.each([
    ['PATCH', 'bestFriend', toOne('humans', bert)],
    ['PATCH', 'wife', toOne('women', dora)],
    ['PATCH', 'children', { data: [{ type: 'men', id: bert }] }],
    ['POST', 'children', { data: [{ type: 'women', id: dora }] }],
    ['DELETE', 'children', { data: [{ type: 'humans', id: dora }] }],
  ])('%s of %s of a bearded man at the relationship endpoints', async (method, name, body) => {
    for (const endpoint of ['humans', 'men']) {
      const path = `/${endpoint}/${bearded}/relationships/${name}`
      await api.request(method, path).send(body).expect(204)
    }
  })

  it.each(['humans', 'women'])('a name for a nameless woman, and her deletion, at /%s', async (endpoint) => {
    const id = await api.addWoman({ name: 'Olga', maidenName: null })
    const deleted = await api.addWoman({ name: 'Olga', maidenName: null })
    const body = woman(id, { maidenName: 'Oak' })
    await api.patch(`/${endpoint}/${id}`).send(body).expect(204)
    await api.delete(`/${endpoint}/${deleted}`).expect(204)
    expect((await api.get(`/women/${id}`)).body.data.attributes.maidenName).toBe('Oak')
    await api.get(`/women/${deleted}`).expect(404)
  })

  it('the same request for another type', async () => {
    await api.patch(`/humans/${adam}/relationships/wife`).send({ data: null }).expect(204)
    await api.patch(`/humans/${clara}/relationships/bestFriend`).send(toOne('men', adam)).expect(204)
    await api.patch(`/humans/${clara}/relationships/bestFriend`).send(toOne('women', dora)).expect(204)
  })

  it('POST of a woman without a husband', async () => {
    const body = woman(undefined, { name: 'Eve', maidenName: 'Elm' })
    expect((await api.post('/humans').send(body).expect(201)).body.data.type).toBe('women')
  })
})

describe('a derived definition', () => {
  class Baptised<Resource extends Human = Human> extends ResourceDefinition<Resource> {
    readonly resource: ResourceClass = Human

    override setToOne(_write: ResourceWrite<Resource>, relationship: string, related: ResourceRecord | null): void {
      if (relationship === 'father' && related === null)
        throw new JsonApiError({ title: 'No father.', field: 'father' })
    }

    override beforeWrite({ values }: ResourceWrite<Resource>): void {
      if (values.name === 'Unknown') throw new JsonApiError({ title: 'A human has a name.', field: 'name' })
    }
  }

  class BaptisedMan extends Baptised<Man> {
    override readonly resource = Man

    override beforeWrite(write: ResourceWrite<Man>): void {
      super.beforeWrite(write)
      if (write.values.name === 'Eve') throw new JsonApiError({ title: 'No name for a man.', field: 'name' })
    }
  }

  const family = setUp(() => startApi([Human, Man, Woman], { definitions: [new Baptised(), new BaptisedMan()] }))

  it.each([
    ['calls the rules of its base', 'men', 'Unknown', 'A human has a name.'],
    ['adds rules', 'men', 'Eve', 'No name for a man.'],
    ['is replaced by the definition of the base when there is none', 'women', 'Unknown', 'A human has a name.'],
  ])('%s', async (_what, type, name, title) => {
    for (const endpoint of ['humans', type]) {
      const body = { data: { type, attributes: { name } } }
      const { body: document } = await family.unchanged(() => family.post(`/${endpoint}`).send(body))
      expect(document.errors).toMatchObject([{ title, source: { pointer: '/data/attributes/name' } }])
    }
  })

  it('inherits the hooks that it does not override', async () => {
    const body = { data: { type: 'men', attributes: { name: 'Abel' }, relationships: { father: { data: null } } } }
    const { body: document } = await family.unchanged(() => family.post('/humans').send(body))
    expect(document.errors).toMatchObject([{ title: 'No father.', source: { pointer: '/data/relationships/father' } }])
  })

  it('replaces the definition of the base when it extends ResourceDefinition', async () => {
    class Lonely extends ResourceDefinition<Woman> {
      readonly resource = Woman
    }
    const lonely = await startApi([Human, Man, Woman], { definitions: [new Baptised(), new Lonely()] })
    const create = (type: string) => lonely.post('/humans').send({ data: { type, attributes: { name: 'Unknown' } } })
    expect([(await create('women')).status, (await create('men')).status]).toEqual([201, 422])
    await lonely.close()
  })
})
