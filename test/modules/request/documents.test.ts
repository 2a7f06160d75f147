import { setUp, startApi } from '../../support/api'
import { newResource, toMany, toOne } from '../../support/documents'
import { errorsOf, keysAt, keysOf, outcomeOf, singleError } from '../../support/expectations'
import { KNIGHTS, Man, Sample, Woman } from './support/knights'

// What the errors of documents say. Their codes and pointers: test/spec/hierarchical-resources.

const SHAPE = '400 document.shape'
const ABSTRACT = '422 document.type-abstract /data/type'
const CONFLICT = '409 document.type-conflict /data/type'
const ID = '422 resource.id-value /data/id'
const FORBIDDEN = '403 resource.client-id-forbidden /data/id'
const NOT_TO_MANY = '403 relationship.not-to-many'
const UNKNOWN = '404 relationship.not-found'
const [MEMBERS, RELATED] = ['/data/attributes', '/data/relationships']
const WIFE = `${RELATED}/wife`
const [man, woman] = ['1', '2']
const api = setUp(() => startApi(KNIGHTS))
beforeAll(async () => {
  await api.add(Man, { name: 'Bob' })
  await api.add(Woman, { name: 'Eve' })
  await api.add(Sample, { text: 'x', owner: { id: man } })
})

const ALL = "'men' or 'knights' or 'women' or 'queens'"
const linkage = (relationship: string, id = man) => `/humans/${id}/relationships/${relationship}`
const CHILDREN = linkage('children')
const related = (relationships: object) => ({ type: 'men', relationships })
const wife = (data: unknown) => related({ wife: { data } })
const attribute = (name: string, value: unknown) => ({ type: 'men', attributes: { [name]: value } })
const identifier = (type: string, id = '1') => ({ type, id })
const local = (type: string, lid: unknown = 'me') => ({ type, lid })
const bad = (type: string) => ({ type, id: '7', attributes: { nope: 1 } })

it.each<[request: string, data: unknown, summary: string, words: string]>([
  ['POST /humans', null, `${SHAPE} /data`, 'an object, found null'],
  ['POST /humans', [], `${SHAPE} /data`, 'an object, found an empty array'],
  ['POST /humans', 'x', `${SHAPE} /data`, "an object, found 'x'"],
  ['POST /humans', {}, `${SHAPE} /data`, "a member 'type' that is a string, found nothing"],
  ['POST /humans', { type: 5 }, `${SHAPE} /data/type`, 'a string, found 5'],
  ['POST /humans', { ...identifier('men'), lid: 'a' }, `${SHAPE} /data/lid`, "no 'lid' beside an 'id', found 'a'"],
  ['POST /humans', related({ wife: {} }), `${SHAPE} ${WIFE}`, "a member 'data', found nothing"],
  ['POST /humans', wife([]), `${SHAPE} ${WIFE}/data`, 'a resource identifier or null, found an empty array'],
  ['POST /humans', wife({ id: '2' }), `${SHAPE} ${WIFE}/data`, "'type' that is a string"],
  ['POST /humans', wife({ type: 'women' }), `${SHAPE} ${WIFE}/data`, "'id' that is a string"],
  ['POST /humans', wife(local('women', 2)), `${SHAPE} ${WIFE}/data/lid`, 'found 2'],
  ['POST /humans', related({ no: { data: [null] } }), `${SHAPE} ${RELATED}/no/data/0`, 'an object, found null'],
  ['PATCH /humans/7', { type: 'men' }, `${SHAPE} /data`, "a member 'id'"],
  ['PATCH /humans/7', { ...local('men'), id: '7' }, `${SHAPE} /data/lid`, "no 'lid' in an update, found 'me'."],
  ['PATCH /humans/7', identifier('men', '8'), '409 document.id-conflict /data/id', "id of the URL, '7', found '8'."],
  ['POST /humans', bad('humans'), ABSTRACT, `the abstract type 'humans'. Name ${ALL}.`],
  ['POST /women', bad('humans'), ABSTRACT, "the abstract type 'humans'. Name 'women' or 'queens'."],
  ['PATCH /knights/7', bad('humans'), ABSTRACT, "the abstract type 'humans'. Name 'knights'."],
  ['POST /humans', bad('mne'), CONFLICT, `${ALL}, found 'mne'. Did you mean 'men'?`],
  ['POST /knights', bad('knight'), CONFLICT, "Expected 'knights', found 'knight'."],
  ['PATCH /men/7', bad('women'), CONFLICT, "Expected 'men' or 'knights', found 'women'"],
  ['POST /women', identifier('women'), FORBIDDEN, "Expected no id for 'women', found '1'."],
  ['POST /knights', local('knights'), '422 resource.id-value /data', "Expected an id for 'knights', found nothing."],
  ['POST /men', identifier('men', '1'.repeat(31)), ID, 'an integer between'],
  ['POST /men', attribute('type', 'x'), '422 attribute.unknown /data/attributes/type', "beside 'attributes'"],
  ['POST /men', attribute('maidenName', 'x'), `422 attribute.unknown ${MEMBERS}/maidenName`, "It belongs to 'women'."],
  ['POST /men', attribute('', 1), '422 attribute.unknown /data/attributes/', "found ''"],
  ['POST /men', attribute('createdAt', 1), `422 attribute.read-only ${MEMBERS}/createdAt`, 'the server maintains'],
  ['POST /men', attribute('age', 40_000), '422 attribute.type /data/attributes/age', 'between -32768 and 32767'],
  [`PATCH ${linkage('wife')}`, identifier('womem'), '422 document.type-unknown /data/type', "Did you mean 'women'?"],
  [`PATCH ${linkage('wife')}`, identifier(''), '422 document.type-unknown /data/type', "a resource type, found ''."],
  [`PATCH ${linkage('wife')}`, identifier('men'), CONFLICT, "'women', or a type above or below it"],
  [`PATCH ${CHILDREN}`, {}, `${SHAPE} /data`, 'identifiers, found an object'],
  [`POST ${CHILDREN}`, null, `${SHAPE} /data`, 'an array of resource identifiers'],
  [`POST ${CHILDREN}`, [identifier('samples')], '409 document.type-conflict /data/0/type', "found 'samples'"],
  [`POST ${CHILDREN}`, [local('men')], '400 document.lid-unknown /data/0', "an 'id', found the local id 'me'"],
  [`PATCH ${linkage('chidlren')}?nope=1`, {}, UNKNOWN, "of 'humans', found 'chidlren'. Did you mean 'children'?"],
  [`POST ${linkage('huband')}?nope=1`, {}, UNKNOWN, "Did you mean 'husband'?"],
  [`DELETE ${linkage('father')}`, [], NOT_TO_MANY, "found 'father' of 'humans'. Replace it with PATCH."],
])('%s with data %j returns %s: %s', async (request, data, summary, words) => {
  const [method = '', path = ''] = request.split(' ')
  const response = await api.unchanged(() => api.request(method, path).send({ data }))
  expect(errorsOf(response)).toEqual([summary])
  const { detail } = singleError(response)
  expect(detail).toContain(words)
  expect(/Did you mean/.test(detail)).toBe(/Did you mean/.test(words))
})

it('names the fields that are missing, and the relationship that cannot be empty', async () => {
  const { body } = await api.post('/samples').send(newResource('samples', {}, {}))
  expect(body.errors).toMatchObject([
    { source: { pointer: '/data/attributes' }, detail: "Expected 'text' in 'attributes', found nothing." },
    { source: { pointer: '/data/relationships' }, detail: "Expected 'owner' in 'relationships', found nothing." },
  ])
  const [{ id }] = (await api.get('/samples')).body.data
  const cleared = await api.unchanged(() => api.patch(`/samples/${id}/relationships/owner`).send({ data: null }))
  expect(errorsOf(cleared)).toEqual(['422 relationship.required /data'])
  expect(singleError(cleared).detail).toContain("'owner', which can't be empty")
})

it('refuses included resources with fields', async () => {
  const send = (included: unknown) => api.post('/women').send({ data: { type: 'women' }, included })
  const named = identifier('women', '2')
  expect(errorsOf(await send([named, { ...named, attributes: {}, links: {}, meta: {} }]))).toEqual([])
  const [incomplete, linked] = [{ id: '2' }, { ...named, relationships: { husband: { data: null } } }]
  for (const [included, ...places] of [
    [null, ''],
    [{}, ''],
    [['women', incomplete, { type: 'women' }, linked], '/0', '/1', '/2', '/3/relationships'],
  ] as const) {
    const refused = await api.unchanged(() => send(included))
    expect(errorsOf(refused)).toEqual(places.map((place) => `${SHAPE} /included${place}`))
  }
})

describe('relationships of different kinds with the same name', () => {
  const membersOf = (id: string) => keysAt(api, linkage('squire', id))
  const write = (method: string, id: string, body: object) => api.request(method, linkage('squire', id)).send(body)
  const refuse = async (...words: Parameters<typeof write>) => outcomeOf(await api.unchanged(() => write(...words)))

  it('have their own query parameters', async () => {
    expect(outcomeOf(await api.get(`/humans/${man}/squire?sort=name`))).toBe('400 query.not-allowed sort')
    await api.get(`/humans/${woman}/squire?sort=name`).expect(200)
  })

  it('have their own documents', async () => {
    expect(await refuse('POST', man, toMany('women', woman))).toBe(NOT_TO_MANY)
    await write('POST', woman, toMany('women', woman)).expect(204)
    await write('PATCH', man, toOne('men', man)).expect(204)
    expect(await refuse('PATCH', woman, toOne('men', man))).toBe(`${SHAPE} /data`)
    expect([await membersOf(man), await membersOf(woman)]).toEqual([[`men ${man}`], [`women ${woman}`]])
  })

  it('report the error of the first when the body fits none', async () => {
    expect(await refuse('PATCH', woman, { data: { id: '2' } })).toBe(`${SHAPE} /data`)
    expect(await refuse('POST', woman, { data: {} })).toBe(NOT_TO_MANY)
  })
})

describe('a local id in linkage', () => {
  it('names the created resource by its type or a base', async () => {
    const data = [local('queens'), identifier('men', man), local('women')]
    const sent = { data: { ...local('queens'), relationships: { children: { data } } } }
    const { body } = await api.post('/queens?include=children').send(sent).expect(201)
    expect(keysOf(body.data.relationships.children.data)).toEqual([`men ${man}`, `queens ${body.data.id}`])
  })

  it.each<[type: string, lid: string | undefined, relationship: string, data: object]>([
    ['queens', 'me', 'children', local('queens', 'ghost')],
    ['queens', 'me', 'children', local('men')],
    ['women', 'me', 'children', local('queens')],
    ['queens', undefined, 'children', local('queens')],
    ['men', 'me', 'champion', local('men')],
  ])('of a resource that cannot stand there is refused: %s %s, %s %j', async (type, lid, relationship, identified) => {
    const isToMany = relationship === 'children'
    const relationships = { [relationship]: { data: isToMany ? [identified] : identified } }
    const response = await api.unchanged(() => api.post('/humans').send({ data: { type, lid, relationships } }))
    const pointer = `/data/relationships/${relationship}/data${isToMany ? '/0' : ''}`
    expect(outcomeOf(response)).toBe(`400 document.lid-unknown ${pointer}`)
  })
})
