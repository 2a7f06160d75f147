import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { idsOf, outcomeOf } from '../../support/expectations'
import { operate } from '../../support/operate'
import { DerivedResource, HierarchyRoot } from '../../support/resource-decorators'
import { Boat, Sailboat, VESSELS } from '../../support/writing-models'

// A name that a rule or the capabilities hide is answered as a name that does not exist.

@HierarchyRoot('people')
class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @Attribute() @Column({ type: 'int', nullable: true }) grade: number | null
  @Attribute({ capabilities: [] }) @Column({ type: 'int', nullable: true }) score: number | null
  @Attribute({ capabilities: ['create', 'change'] }) @Column({ type: 'int', nullable: true }) passcode: number | null
  @ToOne() @ManyToOne('Person', 'pupils', { nullable: true }) tutor: Person | null
  @ToMany() @OneToMany('Person', 'tutor') pupils: Person[]
  @ToOne({ capabilities: [] }) @ManyToOne('Person', { nullable: true }) guard: Person | null
}

@DerivedResource('guests')
class Guest extends Person {
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) motto: string | null
}

const HIDDEN = ['grade', 'tutor', 'pupils', 'motto']
const hide = (names: ReadonlySet<string>) => [...names].filter((name) => !HIDDEN.includes(name))
const rules = define(Person, { fields: hide, include: () => ['tutor', 'pupils'] })
const api = setUp(() => startApi([Person, Guest], { definitions: [rules] }))
beforeAll(async () => {
  await api.add(Person, { name: 'A', grade: 1, score: 2, passcode: 3 })
  await api.add(Guest, { name: 'B', tutor: { id: 1 } })
})

/** As far from all other names as the hidden one is. */
const unknown = (name: string) => 'z'.repeat(name.length)
const renamed = (text: string, name: string) => text.replaceAll(name, unknown(name))
const ATTRIBUTES = ['grade', 'score', 'motto']
const TO_ONE = ['tutor', 'guard']
const RELATIONSHIPS = [...TO_ONE, 'pupils']

it.each(
  [
    ...[...ATTRIBUTES, 'passcode'].flatMap((name) => [
      `/people?filter=equals(${name},'1')`,
      `/people?filter=equals(${name},null)`,
      `/people?sort=-${name}`,
      `/people?sort=name,guests:${name}`,
      `/people?fields[people]=name,${name}`,
      `/guests?fields[guests]=${name}`,
      `/people/1?fields[people]=${name}`,
      `/people?filter[${name}]=1`,
      `/people?filter=isType(,guests,equals(${name},'1'))`,
    ]),
    ...RELATIONSHIPS.flatMap((name) => [
      `/people?include=${name}`,
      `/people?include=guests:${name}`,
      `/people?filter[${name}]=equals(name,'A')`,
      `/people?sort[${name}]=name`,
      `/people?page[size]=2,${name}:3`,
      `/people?filter=has(${name})`,
      `/people?filter=equals(${name}.name,'A')`,
      `/people?sort=${name}.name`,
      `/people?sort=count(${name})`,
      `/people?fields[people]=${name}`,
      `/people/1/${name}`,
      `/people/2/relationships/${name}`,
      `/people/1/relationships/${name}?include=${name}`,
    ]),
  ].map((path) => [path, /grade|score|motto|passcode|tutor|guard|pupils/.exec(path)?.[0] ?? '']),
)('answers GET %s as with an unknown name', async (path, name) => {
  const [hidden, other] = [await api.get(path), await api.get(renamed(path, name))]
  expect(hidden.status).toBeGreaterThanOrEqual(400)
  expect([hidden.status, renamed(hidden.text, name)]).toEqual([other.status, other.text])
})

const linkage = (name: string) => (name === 'pupils' ? [] : null)
const WRITES: readonly (readonly [name: string, method: string, path: string, data: unknown])[] = [
  ...ATTRIBUTES.flatMap((name) => [
    [name, 'POST', '/people', { type: 'people', attributes: { name: 'N', [name]: 1 } }] as const,
    [name, 'POST', '/people', { type: 'guests', attributes: { [name]: 'x' } }] as const,
    [name, 'PATCH', '/people/1', { type: 'people', id: '1', attributes: { [name]: 1 } }] as const,
    [name, 'PATCH', '/people/2', { type: 'people', id: '2', attributes: { [name]: 1 } }] as const,
    [name, 'PATCH', '/people/1', { type: 'people', id: '1', relationships: { [name]: { data: null } } }] as const,
  ]),
  ...RELATIONSHIPS.flatMap((name) => [
    [name, 'POST', '/people', { type: 'people', relationships: { [name]: { data: linkage(name) } } }] as const,
    [name, 'PATCH', '/people/1', { type: 'people', id: '1', relationships: { [name]: { data: 1 } } }] as const,
    [name, 'PATCH', '/people/1', { type: 'people', id: '1', attributes: { [name]: 1 } }] as const,
    [name, 'PATCH', `/people/1/relationships/${name}`, linkage(name)] as const,
    [name, 'POST', `/people/1/relationships/${name}`, []] as const,
    [name, 'DELETE', `/people/2/relationships/${name}`, []] as const,
  ]),
]

it.each(WRITES)('answers a write of %s as with an unknown name: %s %s %j', async (name, method, path, data) => {
  const send = (text: string, to: string) => api.request(method, to).send(JSON.parse(text))
  const text = JSON.stringify({ data })
  const hidden = await api.unchanged(() => send(text, path))
  const other = await api.unchanged(() => send(renamed(text, name), renamed(path, name)))
  expect(hidden.status).toBeGreaterThanOrEqual(400)
  expect([hidden.status, renamed(hidden.text, name)]).toEqual([other.status, other.text])
})

it.each([
  ['reject', '422 attribute.unknown /data/attributes/oars, 422 relationship.unknown /data/relationships/escort'],
  ['ignore', '204'],
] as const)(
  'with unknownFields %s treats what only the stored type hides as it does by its own name',
  async (unknownFields, expected) => {
    const hiding = define(Sailboat, {
      fields: (names, context) => (context === 'all' ? names : [...names].filter((each) => !/oars|escort/.test(each))),
    })
    const context = (request: { get(name: string): string | undefined }) => request.get('x-fields')
    await useApi(startApi(VESSELS, { definitions: [hiding], context, unknownFields }), async (vessels) => {
      const ids = [await vessels.add(Sailboat, { name: 'A' }), await vessels.add(Sailboat, { name: 'A' })]
      await vessels.add(Boat, { name: 'A' })
      expect(idsOf(await vessels.get('/boats?filter=equals(oars,null)'))).toBe(ids.join(' '))
      const update = (type: string, id: unknown) => {
        const relationships = { escort: { data: { type, id } } }
        return { data: { type, id, attributes: { name: 'B', oars: 9 }, relationships } }
      }
      for (const type of ['sailboats', 'boats']) {
        const response = await vessels.patch(`/boats/${ids[0]}`).send(update(type, ids[0]))
        expect([outcomeOf(response), response.text]).toEqual([expected, expect.not.stringContaining('belongs')])
      }
      const operations = ids.map((id) => ({ op: 'update', ...update('boats', id) }))
      expect((await operate(vessels, ...operations)).status).toBe(Number(expected.slice(0, 3)))
      const { body } = await vessels.get('/sailboats?include=escort').set('x-fields', 'all')
      const stored = { name: expected === '204' ? 'B' : 'A', oars: 2 }
      const relationships = { escort: { data: null } }
      expect(body.data).toMatchObject(ids.map(() => ({ attributes: stored, relationships })))
    })
  },
)

it('includes nothing through a relationship that only the stored type hides', async () => {
  const hiding = define(Sailboat, { fields: (names) => [...names].filter((name) => name !== 'escort') })
  await useApi(startApi(VESSELS, { definitions: [hiding] }), async (vessels) => {
    const escort = { id: Number(await vessels.add(Boat, { name: 'Hidden' })) }
    await vessels.add(Sailboat, { name: 'Escorted', escort })
    expect((await vessels.get('/sailboats?include=boats:escort')).status).toBe(400)
    expect(
      (await vessels.get('/boats?include=escort&filter=equals(name,%27Escorted%27)').expect(200)).body,
    ).toMatchObject({
      data: [{ type: 'sailboats' }],
      included: [],
    })
  })
})

it('shows no hidden field in the response to a write, nor what an include rule adds', async () => {
  const data = { type: 'guests', attributes: { name: 'New' } }
  const { body } = await api.post('/people').send({ data }).expect(201)
  expect([Object.keys(body.data.attributes), body.data.relationships]).toEqual([['name'], undefined])
  expect((await api.get('/people/2')).body).not.toHaveProperty('included')
})

it('suggests no hidden name', async () => {
  for (const end of ['?sort=grad', '?include=tuto', '?filter=equals(scor,null)', '/1/pupil'])
    expect(JSON.stringify((await api.get(`/people${end}`)).body.errors)).not.toMatch(/grade|tutor'|score|pupils/)
  const data = { type: 'people', id: '1', attributes: { grad: 1, passcod: 1 }, relationships: { tuto: { data: null } } }
  expect(JSON.stringify((await api.patch('/people/1').send({ data })).body)).not.toMatch(/grade|passcode'|tutor/)
})
