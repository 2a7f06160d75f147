import { Attribute, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { Harbour, Page, Team, VESSELS } from '../../support/writing-models'
import { many, one, startOffice } from './support/office'
import { BLOB } from './support/sheets'

// PATCH of a resource, and whether it answers 200 with the resource or 204.

/** What a test lets the rules of teams do. */
let behaviour: Partial<Pick<ResourceDefinition<Team>, 'prepareWrite' | 'beforeWrite' | 'setToMany'>> = {}

class TeamRules extends ResourceDefinition<Team> {
  override readonly resource = Team
  override prepareWrite(write: ResourceWrite<Team>) {
    return behaviour.prepareWrite?.(write)
  }
  override beforeWrite(write: ResourceWrite<Team>) {
    return behaviour.beforeWrite?.(write)
  }
  override setToMany(...asked: Parameters<ResourceDefinition<Team>['setToMany']>) {
    return behaviour.setToMany?.(...asked)
  }
}

@Resource('notes')
@Entity('notes')
class Note {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: BLOB, nullable: true }) bytes!: Buffer | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) extra!: object | null
}

/** Writes copies of what is there. */
class SameAgain extends ResourceDefinition<Note> {
  override readonly resource = Note
  override beforeWrite({ values: { bytes, extra } }: ResourceWrite<Note>) {
    return { bytes: bytes && Buffer.from(bytes), extra: extra && { ...extra } }
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startOffice({ definitions: [new TeamRules()] })
})
afterAll(() => api.close())
beforeEach(() => {
  behaviour = {}
})

const patch = (members: object, id = '2', query = '') =>
  api.patch(`/teams/${id}${query}`).send({ data: { type: 'teams', id, ...members } })

it('G-01: answers 204 without a body when nothing but what was asked for has changed', async () => {
  const { status, text } = await patch({ attributes: { budget: 1 } })
  expect([status, text]).toEqual([204, ''])
})

it('G-02: answers 200 with the whole resource when more has changed', async () => {
  behaviour.beforeWrite = () => ({ budget: 8 })
  const { status, body } = await patch({ attributes: { name: 'G-02' } })
  const { data } = (await api.get('/teams/2')).body
  expect([status, body.data]).toEqual([200, data])
  expect(data.attributes).toEqual({ name: 'G-02', budget: 8 })
})

describe('what was asked for, and what has become of it', () => {
  it.each([
    ['G-03: a value that was sent became another', { budget: 1 }, { budget: 2 }, 200],
    ['G-03: a value that was sent stayed', { budget: 1 }, { budget: 1 }, 204],
    ['G-03: a value that was not sent became another', { name: 'G-03' }, { budget: 3 }, 200],
    ['G-03: a value that was not sent is written as it was', { name: 'G-03' }, { budget: 3 }, 204],
  ])('%s', async (_rule, attributes, returned, status) => {
    behaviour.beforeWrite = () => returned
    await patch({ attributes }).expect(status)
  })

  it('G-03: version and date count', async () => {
    const id = await api.add(Page, { title: 'G-03' })
    const data = { type: 'pages', id, attributes: { title: 'New' } }
    const { status, body } = await api.patch(`/pages/${id}`).send({ data })
    expect([status, body.data.attributes]).toMatchObject([200, { title: 'New', version: 2 }])
  })

  it('G-04: overruled: a relationship that a rule has changed counts, since it is a part of the resource', async () => {
    const relationships = { tags: many('tags', 'old') }
    await patch({ relationships }).expect(204)
    behaviour.setToMany = () => []
    await patch({ relationships }).expect(200)
  })

  it('G-05: beaten: what a rule fills in counts, whenever it does', async () => {
    behaviour.prepareWrite = () => ({ budget: 77 })
    const { status, body } = await patch({ attributes: { name: 'G-05' } })
    expect([status, body.data.attributes.budget]).toEqual([200, 77])
  })
})

describe('values without an equality of their own', () => {
  let notes: TestApi
  beforeAll(async () => {
    notes = await startApi([Note], { definitions: [new SameAgain()] })
    await notes.add(Note)
  })
  afterAll(() => notes.close())

  it.each([
    ['G-06: beaten: bytes are compared by what is in them', { bytes: 'AP8=' }],
    ['G-06: beaten: objects too', { extra: { a: [1, { b: null }] } }],
  ])('%s', async (_rule, attributes) => {
    const write = () => notes.patch('/notes/1').send({ data: { type: 'notes', id: '1', attributes } })
    await write().expect(204)
    await write().expect(204)
    expect((await notes.get('/notes/1')).body.data.attributes).toMatchObject(attributes)
  })
})

it('G-07: asks for nothing: 204, and nothing is written', async () => {
  expect((await api.unchanged(() => patch({ attributes: {}, relationships: {} }))).status).toBe(204)
})

it('G-08: of what is not there is 404, without a place in the body', async () => {
  const answer = await api.unchanged(() => patch({ attributes: { budget: 1 } }, '99'))
  expect(outcomeOf(answer)).toBe('404 resource.not-found')
  expect(answer.body.errors[0].detail).toBe("There is no resource of type 'teams' with id '99'.")
})

it('G-09: the resource is looked for before what it shall be related to', async () => {
  const relationships = { lead: one('members', 'nobody') }
  expect(outcomeOf(await patch({ relationships }, '99'))).toBe('404 resource.not-found')
})

it('G-09: beaten: in hierarchies too', async () => {
  const harbours = await startApi(VESSELS)
  const vessels = many('boats', '99')
  const id = await harbours.add(Harbour)
  const missing = await harbours.patch('/harbours/99').send({
    data: { type: 'harbours', id: '99', relationships: { vessels } },
  })
  expect(outcomeOf(missing)).toBe('404 resource.not-found')
  const related = await harbours.patch(`/harbours/${id}`).send({
    data: { type: 'harbours', id, relationships: { vessels } },
  })
  expect(outcomeOf(related)).toBe('404 related.not-found /data/relationships/vessels/data/0')
  await harbours.close()
})

it('G-10: attributes and relationships of all kinds are written together, or not at all', async () => {
  const relationships = {
    lead: { data: null },
    tags: many('tags', 'new'),
    parts: many('teams', '1'),
    whole: one('teams', '1'),
  }
  const attributes = { name: 'G-10', budget: 10 }
  await patch({ attributes, relationships }).expect(204)
  const { data } = (await api.get('/teams/2?include=tags,parts,whole')).body
  expect(data.attributes).toEqual(attributes)
  for (const [name, linkage] of Object.entries(relationships)) {
    if (name !== 'lead') expect(data.relationships[name]).toMatchObject(linkage)
  }
  const bad = { ...relationships, tags: many('tags', 'new', 'nothing') }
  expect((await api.unchanged(() => patch({ attributes: { budget: 11 }, relationships: bad }))).status).toBe(404)
})

it.each([
  ['G-11: a list replaces all members', ['old'], ['tags old']],
  ['G-11: an empty one removes all', [], []],
])('%s', async (_rule, ids, tags) => {
  await api.patch('/teams/2/relationships/tags').send(many('tags', 'new'))
  await patch({ relationships: { tags: many('tags', ...ids) } })
  expect(resourceKeys(await api.get('/teams/2/relationships/tags'))).toEqual(tags)
})

it('G-11: what is not sent is left alone, and null clears', async () => {
  await patch({ relationships: { whole: one('teams', '1') } })
  await patch({ attributes: { budget: 2 } })
  expect((await api.get('/teams/2/relationships/whole')).body.data).toEqual({ type: 'teams', id: '1' })
  await patch({ relationships: { whole: { data: null } } })
  expect((await api.get('/teams/2/relationships/whole')).body.data).toBeNull()
})
