import type { Response } from 'supertest'
import { startApi, type TestApi } from '../../support/api'
import { errorsOf, expectError, singleError } from '../../support/expectations'
import { KNIGHTS, Woman } from './support/knights'

const SHAPE = '400 document.shape'
const UUID = '123e4567-e89b-42d3-a456-426614174000'

let api: TestApi
let woman: string

beforeAll(async () => {
  api = await startApi(KNIGHTS)
  woman = await api.add(Woman, { name: 'Eve' })
})
afterAll(() => api.close())

const create = (data: unknown, path = '/humans') => api.unchanged(() => api.post(path).send({ data }))
const update = (data: object, path = '/humans') =>
  api.unchanged(() => api.patch(`${path}/7`).send({ data: { id: '7', ...data } }))
const related = (relationships: object) => ({ type: 'men', relationships })
const identifier = (type: unknown, id: unknown = '1', more = {}) => ({ type, id, ...more })
const local = (type: string, lid: unknown) => ({ type, lid })

/** Expects a single error, in the form of `errorsOf`, whose detail has these words. */
function expectRefused(response: Response, summary: string, words = ''): void {
  expect(errorsOf(response)).toEqual([summary])
  expect(singleError(response).detail).toContain(words)
}

describe('the shape of a resource object', () => {
  const wife = (data: unknown) => related({ wife: { data } })
  const children = (...data: unknown[]) => related({ children: { data } })
  const WIFE = '/data/relationships/wife'
  const CHILDREN = '/data/relationships/children/data'

  it.each<[unknown, place: string, words: string]>([
    [null, '/data', 'an object, found null'],
    [[], '/data', 'an object, found an array'],
    ['x', '/data', "an object, found 'x'"],
    [{}, '/data', "a member 'type' that is a string, found nothing"],
    [{ type: 5 }, '/data/type', 'a string, found 5'],
    [{ type: null }, '/data/type', 'a string, found null'],
    [{ type: 'men', id: 1 }, '/data/id', 'a string, found 1'],
    [{ type: 'men', lid: 1 }, '/data/lid', 'a string, found 1'],
    [{ type: 'men', id: '1', lid: 'a' }, '/data/lid', "no 'lid' beside an 'id', found 'a'"],
    [{ type: 'men', attributes: [] }, '/data/attributes', 'an object, found an array'],
    [{ type: 'men', attributes: null }, '/data/attributes', 'an object, found null'],
    [{ type: 'men', relationships: [] }, '/data/relationships', 'an object, found an array'],
    [related({ wife: null }), WIFE, 'an object, found null'],
    [related({ wife: [] }), WIFE, 'an object, found an array'],
    [related({ wife: {} }), WIFE, "a member 'data', found nothing"],
    [related({ wife: { meta: {} } }), WIFE, "a member 'data', found nothing"],
    [wife([]), `${WIFE}/data`, 'a resource identifier or null, found an array'],
    [wife('x'), `${WIFE}/data`, "an object, found 'x'"],
    [related({ children: { data: null } }), CHILDREN, 'an array of resource identifiers'],
    [related({ children: { data: {} } }), CHILDREN, 'identifiers, found an object'],
    [children(1), `${CHILDREN}/0`, 'an object, found 1'],
    [related({ nope: { data: [null] } }), '/data/relationships/nope/data/0', 'an object, found null'],
    [wife({ id: '2' }), `${WIFE}/data`, "'type' that is a string"],
    [wife({ type: 'women' }), `${WIFE}/data`, "'id' that is a string"],
    [wife(identifier(1)), `${WIFE}/data/type`, 'a string, found 1'],
    [wife(identifier('women', 2)), `${WIFE}/data/id`, 'found 2'],
    [wife(local('women', 2)), `${WIFE}/data/lid`, 'found 2'],
    [wife(identifier('women', '2', { lid: 'a' })), `${WIFE}/data/lid`, "no 'lid' beside an 'id'"],
  ])('is checked in %j', async (data, place, words) => {
    expectRefused(await create(data), `${SHAPE} ${place}`, words)
  })

  it('is checked first, with all errors together', async () => {
    const relationships = { wife: {}, children: { data: [{ type: 'men' }, { id: '1' }, {}] } }
    const data = { id: 5, attributes: { nope: 1, age: 'x' }, relationships }
    const places = ['/data/id', WIFE, ...[0, 1, 2, 2].map((index) => `${CHILDREN}/${index}`)]
    expect(errorsOf(await create({ ...data, type: 'men' }))).toEqual(places.map((place) => `${SHAPE} ${place}`))
    expect(errorsOf(await create(data))[0]).toBe(`${SHAPE} /data`)
  })

  it.each(['create', 'update'])('refuses included resources with fields in a %s', async (purpose) => {
    const send = (included: unknown) => {
      const body = { data: identifier('women', woman), included }
      if (purpose === 'update') return api.patch(`/women/${woman}`).send(body)
      return api.post('/women').send({ ...body, data: { type: 'women' } })
    }
    const named = identifier('women', '2')
    for (const included of [[], [named, { ...named, attributes: {}, links: {}, meta: {} }]])
      expect(errorsOf(await send(included))).toEqual([])
    const places = async (included: unknown) => errorsOf(await api.unchanged(() => send(included)))
    expect(await places(null)).toEqual([`${SHAPE} /included`])
    expect(await places({})).toEqual([`${SHAPE} /included`])
    const wrong = await places(['women', { id: '2' }, { type: 'women' }])
    expect(wrong).toEqual([0, 1, 2].map((index) => `${SHAPE} /included/${index}`))
    const attributes = { name: 'Eve' }
    expect(await places([named, { ...named, attributes }])).toEqual([`${SHAPE} /included/1/attributes`])
    const relationships = { husband: { data: null } }
    expect(await places([{ ...named, relationships }])).toEqual([`${SHAPE} /included/0/relationships`])
  })

  it.each([
    [{ type: 'men', id: undefined }, '/data', "a member 'id'"],
    [{ type: 'men', id: 7 }, '/data/id', 'a string, found 7'],
    [{ type: 'men', lid: 'a' }, '/data/lid', "Expected no 'lid' in an update, found 'a'."],
  ])('has an id and no local id in an update: %j', async (data, place, words) => {
    expectRefused(await update(data), `${SHAPE} ${place}`, words)
  })
})

it('ignores unknown members and members that begin with @', async () => {
  const wife = { '@y': 1, foo: 2, data: identifier('women', woman, { '@x': 1, meta: {}, foo: 1 }) }
  const data = { type: 'men', '@context': 'x', foo: 1, meta: {}, links: {}, attributes: { '@id': 1, '@type': [] } }
  const { body } = await api.post('/humans').send({ data: { ...data, relationships: { '@x': null, wife } } })
  expect(body.data).toMatchObject({ type: 'men', attributes: { name: null, age: null } })
  expect((await api.get(`/men/${body.data.id}/wife`)).body.data).toMatchObject(identifier('women', woman))
})

it('treats __proto__ as a member', async () => {
  const data = '{"type":"men","__proto__":{"id":"1"},"attributes":{"__proto__":{"name":1}}}'
  const response = await api.unchanged(() => api.post('/men').send(`{"data":${data}}`))
  expectError(response, 422, '/data/attributes/__proto__', 'attribute.unknown')
})

describe('the type of a resource object', () => {
  const ABSTRACT = '422 document.type-abstract /data/type'
  const CONFLICT = '409 document.type-conflict /data/type'
  const ALL = "'men' or 'knights' or 'women' or 'queens'"

  it.each([
    ['humans', 'humans', ABSTRACT, `the abstract type 'humans'. Name ${ALL}.`],
    ['humans', 'women', ABSTRACT, "the abstract type 'humans'. Name 'women' or 'queens'."],
    ['humans', 'knights', ABSTRACT, "the abstract type 'humans'. Name 'knights'."],
    ['mne', 'humans', CONFLICT, `${ALL}, found 'mne'. Did you mean 'men'?`],
    ['', 'humans', CONFLICT, "found ''"],
    ['constructor', 'humans', CONFLICT, "found 'constructor'"],
    ['samples', 'humans', CONFLICT, "found 'samples'"],
    ['women', 'men', CONFLICT, "Expected 'men' or 'knights', found 'women'"],
    ['men', 'knights', CONFLICT, "Expected 'knights', found 'men'"],
  ])('refuses %s at %s without further errors', async (type, endpoint, summary, words) => {
    const data = { type, id: '7', attributes: { nope: 1 } }
    for (const send of [create, update]) expectRefused(await send(data, `/${endpoint}`), summary, words)
  })
})

describe('the id of a resource object', () => {
  const VALUE = '422 resource.id-value /data/id'
  const SAMPLE = { attributes: { text: 'x' }, relationships: { owner: { data: identifier('women') } } }

  it.each([
    ['women', { id: '1' }, '403 resource.client-id /data/id', "Expected no id for 'women', found '1'."],
    ['knights', {}, '422 resource.id-value /data', "Expected an id for 'knights', found nothing."],
    ['knights', { lid: 'a' }, '422 resource.id-value /data', "Expected an id for 'knights'"],
    ['men', { id: '' }, VALUE, 'an id that is not empty'],
    ['men', { id: '01' }, VALUE, "an integer in digits, found '01'"],
    ['men', { id: '-0' }, VALUE, 'an integer in digits'],
    ['men', { id: '1e3' }, VALUE, 'an integer in digits'],
    ['men', { id: '9007199254740993' }, VALUE, 'an integer between'],
    ['men', { id: '1'.repeat(31) }, VALUE, 'an integer between'],
    ['samples', { id: 'abc', ...SAMPLE }, VALUE, 'a UUID like'],
  ])('of new %s refuses %j', async (type, identity, summary, words) => {
    expectRefused(await create({ type, ...identity }, `/${type}`), summary, words)
  })

  it('is accepted with clientIds', async () => {
    const owner = { data: identifier('women', woman) }
    const sample = { ...identifier('samples', UUID.toUpperCase()), attributes: { text: 'x' }, relationships: { owner } }
    const { body } = await api.post('/samples').send({ data: sample }).expect(201)
    expect(body.data.id).toBe(UUID)
    await api
      .post('/humans')
      .send({ data: identifier('knights', '1200') })
      .expect(201)
    expect((await api.get('/men/1200')).body.data).toMatchObject(identifier('knights', '1200'))
  })

  it('must equal the id of the URL', async () => {
    const { body } = await update({ type: 'men', id: '8', attributes: { age: 'x' } })
    const detail = "Expected the id of the URL, '7', found '8'."
    expect(body.errors).toMatchObject([
      { status: '409', code: 'document.id-conflict', source: { pointer: '/data/id' }, detail },
      { status: '422', code: 'attribute.value' },
    ])
  })
})

describe('the fields of a resource object', () => {
  const attribute = (name: string, value: unknown) => ({ attributes: { [name]: value } })
  const relationship = (name: string) => ({ relationships: { [name]: { data: null } } })

  it.each<[object, string, string]>([
    [attribute('hasbeard', 1), '422 attribute.unknown /data/attributes/hasbeard', "Did you mean 'hasBeard'?"],
    [attribute('maidenName', 'x'), '422 attribute.unknown /data/attributes/maidenName', "of 'men'"],
    [attribute('wife', null), '422 attribute.unknown /data/attributes/wife', "send it under 'relationships'"],
    [attribute('id', '1'), '422 attribute.unknown /data/attributes/id', "stands beside 'attributes'"],
    [attribute('type', 'x'), '422 attribute.unknown /data/attributes/type', "stands beside 'attributes'"],
    [attribute('a:b', 1), '422 attribute.unknown /data/attributes/a:b', "found 'a:b'"],
    [attribute('a/b', 1), '422 attribute.unknown /data/attributes/a~1b', "found 'a/b'"],
    [attribute('', 1), '422 attribute.unknown /data/attributes/', "found ''"],
    [attribute('createdAt', 'x'), '422 attribute.read-only /data/attributes/createdAt', 'the server maintains'],
    [attribute('age', 40_000), '422 attribute.value /data/attributes/age', 'an integer between -32768 and 32767'],
    [relationship('wive'), '422 relationship.unknown /data/relationships/wive', "mean 'wife'?"],
    [relationship('name'), '422 relationship.unknown /data/relationships/name', "send it under 'attributes'"],
    [relationship('husband'), '422 relationship.unknown /data/relationships/husband', "a relationship of 'men'"],
  ])('are checked in %j', async (members, summary, words) => {
    for (const send of [create, update]) expectRefused(await send({ type: 'men', ...members }), summary, words)
  })

  it('are checked together, each with its own status', async () => {
    const husband = { data: identifier('humans') }
    const children = { data: [identifier('samples'), identifier('human')] }
    const attributes = { nope: 1, name: 'Elizabeth', age: 30 }
    expect(
      errorsOf(await create({ type: 'women', id: '1', attributes, relationships: { husband, children } })),
    ).toEqual([
      ...['403 resource.client-id /data/id', '422 attribute.unknown /data/attributes/nope'],
      ...['422 attribute.value /data/attributes/name'],
      ...['422 document.type-abstract /data/relationships/husband/data/type'],
      ...['409 document.type-conflict /data/relationships/children/data/0/type'],
      ...['422 document.type-unknown /data/relationships/children/data/1/type'],
    ])
  })

  it.each([
    [{}, '/data', '/data'],
    [{ attributes: {}, relationships: {} }, '/data/attributes', '/data/relationships'],
  ])('are reported as missing with the pointer of the nearest member in %j', async (members, text, owner) => {
    const { body } = await create({ type: 'samples', ...members }, '/samples')
    const attribute = { status: '422', code: 'attribute.required', source: { pointer: text } }
    const relationship = { status: '422', code: 'relationship.required', source: { pointer: owner } }
    expect(body.errors).toMatchObject([
      { ...attribute, detail: "Expected 'text' in 'attributes', found nothing." },
      { ...relationship, detail: "Expected 'owner' in 'relationships', found nothing." },
    ])
  })

  it('have pointers from the start of a document with operations', async () => {
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const operate = (...operations: object[]) => {
      const sending = api.post('/operations').send({ 'atomic:operations': operations })
      return api.unchanged(() => sending.set({ 'content-type': type, accept: type }).start())
    }
    const place = '/atomic:operations/1/data'
    const woman = { op: 'add', data: { type: 'women' } }
    const man = { op: 'add', data: { type: 'men', attributes: { 'a/b': 1 } } }
    expect(errorsOf(await operate(woman, man))).toEqual([`422 attribute.unknown ${place}/attributes/a~1b`])
    const sample = { op: 'add', data: { type: 'samples', attributes: {} } }
    const missing = [`422 attribute.required ${place}/attributes`, `422 relationship.required ${place}`]
    expect(errorsOf(await operate(woman, sample))).toEqual(missing)
    expectRefused(await operate(woman, { op: 'add' }), `${SHAPE} /atomic:operations/1`)
  })

  it('refuse to clear a required to-one relationship', async () => {
    const owner = { data: null }
    const sample = { type: 'samples', id: UUID, attributes: { text: 'x' }, relationships: { owner } }
    const summary = '422 relationship.required /data/relationships/owner/data'
    expectRefused(await create(sample, '/samples'), summary)
    expectRefused(await api.patch(`/samples/${UUID}`).send({ data: sample }), summary)
  })
})
