import {
  equals,
  JsonApiError,
  not,
  type ResourceClass,
  ResourceDefinition,
  type ResourceWrite,
  type StoredRecord,
} from 'stemma'
import { startApi } from '../../support/api'
import { define } from '../../support/define'
import { outcomeOf } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { setUp } from '../../support/set-up'
import * as models from '../../support/writing-models'

const { Boat, Ferry, Harbour, Member, Sailboat, Tag, Task, Team, Tug, Vessel } = models

/** Each call of a hook with the definition that was called: `Boat: setToOne sailboats`. */
let calls: string[] = []

class Recorder extends ResourceDefinition {
  readonly resource: ResourceClass

  constructor(resource: ResourceClass) {
    super()
    this.resource = resource
  }

  override prepareWrite = this.record('prepareWrite')
  override setToOne = this.record('setToOne')
  override setToMany = this.record('setToMany')
  override addToMany = this.record('addToMany')
  override removeFromMany = this.record('removeFromMany')
  override beforeWrite = this.record('beforeWrite')
  override afterWrite = async (write: ResourceWrite) => this.record('afterWrite')(write)
  override afterCommit = async (write: ResourceWrite) => this.record('afterCommit')(write)

  private record(hook: string) {
    return ({ type, values }: ResourceWrite): undefined => {
      expect(values.constructor).toBe(type.resourceClass)
      calls.push(`${this.resource.name}: ${hook} ${type.name}`)
    }
  }
}

const taskRules = define(Task, {
  setToOne(): null {
    calls.push('Task: setToOne')
    return null
  },
})

/** Lost tags are hidden, only archived ones are deleted, and only packed ones are sent. */
const tagRules = define(Tag, {
  filter: () => not(equals('label', 'lost')),
  beforeWrite({ kind, stored, values }: ResourceWrite<models.Tag>) {
    const label = stored?.instance.label
    if (kind === 'delete' && label !== 'archived') throw new JsonApiError({ status: 403, title: 'Archive it first.' })
    if (values.label === 'sent' && label !== 'packed') throw new JsonApiError({ title: 'Pack it.', field: 'label' })
  },
})

/** Stores names backwards. */
const memberRules = define(Member, {
  beforeWrite: ({ sent, values }: ResourceWrite<models.Member>) =>
    sent.has('name') ? { name: reverse(values.name) } : undefined,
  serialize: ({ instance }: StoredRecord<models.Member>) => ({ name: reverse(instance.name) }),
})

const api = setUp(async () => {
  const recorders = [Vessel, Boat, Sailboat, Harbour, Team].map((each) => new Recorder(each))
  const definitions = [...recorders, taskRules, tagRules, memberRules] as ResourceDefinition[]
  return startApi([...models.TEAMS, ...models.VESSELS], { definitions })
})
let ids: Readonly<Record<'boat' | 'sailboat' | 'ferry' | 'tug' | 'harbour', string>>
beforeEach(async () => {
  ids = {
    boat: await api.add(Boat, { name: 'Bee' }),
    sailboat: await api.add(Sailboat, { name: 'Sea' }),
    ferry: await api.add(Ferry, { name: 'Fay' }),
    tug: await api.add(Tug, { name: 'Tom' }),
    harbour: await api.add(Harbour),
  }
  calls = []
})

const update = (type: string, id: string, attributes: object) =>
  api.patch(`/${type}/${id}`).send({ data: { type, id, attributes } })

describe('the definition of the stored type', () => {
  const harbour = () => ({ type: 'harbours', id: ids.harbour })
  const boat = () => ({ type: 'vessels', id: ids.boat })
  const sailboat = () => ({ type: 'boats', id: ids.sailboat, attributes: { name: 'New' } })
  const newBoat = () => ({ type: 'boats', attributes: { name: 'N' } })

  it.each<readonly [method: string, path: string, data: () => object | undefined, definition: string]>([
    ['PATCH', '/vessels/$sailboat', sailboat, 'Sailboat'],
    ['POST', '/vessels', newBoat, 'Boat'],
    ['PATCH', '/vessels/$sailboat/relationships/harbour', harbour, 'Sailboat'],
    ['PATCH', '/boats/$sailboat/relationships/escort', boat, 'Sailboat'],
    // Ferries have no rules of their own.
    ['POST', '/vessels/$ferry/relationships/stops', () => [harbour()], 'Vessel'],
    ['DELETE', '/harbours/$harbour/relationships/vessels', () => [boat()], 'Harbour'],
    ['DELETE', '/boats/$sailboat', () => undefined, 'Sailboat'],
  ])('runs alone for %s of %s, which names a base type', async (method, path, data, definition) => {
    const sending = api.request(
      method,
      path.replace(/\$(\w+)/, (_, row: keyof typeof ids) => ids[row]),
    )
    const body = data()
    expect((await sending.send(body && { data: body })).status).toBeLessThan(300)
    expect(new Set(calls.map((call) => call.split(':')[0]))).toEqual(new Set([definition]))
  }) // anchor: W/HD-01, W/HD-02, W/HD-03, W/HL-04
})

describe('hooks', () => {
  const after = ['beforeWrite harbours', 'afterWrite harbours', 'afterCommit harbours']

  it.each([
    ['PATCH', 'setToMany', 'W/X-05'],
    ['POST', 'addToMany', 'W/X-06'],
    ['DELETE', 'removeFromMany', 'W/X-07'],
  ])('run for %s of an empty list', async (method, hook) => {
    await api.request(method, `/harbours/${ids.harbour}/relationships/vessels`).send({ data: [] }).expect(204)
    const expected = ['prepareWrite harbours', `${hook} harbours`, ...after]
    expect(calls).toEqual(expected.map((call) => `Harbour: ${call}`))
  })

  it('run in the order of the relationships in the request', async () => {
    const relationships = { ferries: { data: [] }, pilotBoat: { data: null }, vessels: { data: [] } }
    const data = { type: 'harbours', relationships }
    await api.post('/harbours').send({ data }).expect(201)
    const sets = ['setToMany harbours', 'setToOne harbours', 'setToMany harbours']
    expect(calls).toEqual(['prepareWrite harbours', ...sets, ...after].map((call) => `Harbour: ${call}`))
  }) // anchor: W/X-01, W/X-02, W/X-03, W/X-04

  it('do not run after a write that the database refuses', async () => {
    await api.add(Team, { name: 'Red' })
    const id = await api.add(Team, { name: 'Blue' })
    const response = await api.unchanged(() => update('teams', id, { name: 'Red' }))
    expect(outcomeOf(response)).toBe('409 constraint.unique /data/attributes/name')
    expect(calls).toEqual(['Team: prepareWrite teams', 'Team: beforeWrite teams'])
  }) // anchor: W/X-08

  it('cannot empty a required relationship, and do not run when null is sent', async () => {
    const team = await api.add(Team, { name: 'Green' })
    const task = await api.add(Task, { title: 'Dig', team: { id: team } })
    for (const [data, expected] of [
      [null, []],
      [{ type: 'teams', id: team }, ['Task: setToOne']],
    ] as const) {
      const response = await api.unchanged(() => api.patch(`/tasks/${task}/relationships/team`).send({ data }))
      expect(outcomeOf(response)).toBe('422 relationship.required /data')
      expect(calls).toEqual(expected)
    }
  }) // anchor: W/O-08
})

it.each([
  ['PATCH', '', { type: 'tags', id: 'lost' }],
  ['DELETE', '', undefined],
  ['PATCH', '/relationships/teams', []],
  ['POST', '/relationships/teams', []],
  ['DELETE', '/relationships/teams', []],
])('%s of a hidden resource%s returns 404', async (method, end, data) => {
  await api.add(Tag, { id: 'lost', label: 'lost' })
  const response = await api.unchanged(() => api.request(method, `/tags/lost${end}`).send(data && { data }))
  expect(outcomeOf(response)).toBe('404 resource.not-found')
  await api.dataSource.getRepository(Tag).delete('lost')
}) // anchor: W/M-04

it('a rule allows only certain steps from one value to the next', async () => {
  await api.add(Tag, { id: 'parcel' })
  const refused = await api.unchanged(() => update('tags', 'parcel', { label: 'sent' }))
  expect(outcomeOf(refused)).toBe('422 rule.refused /data/attributes/label')
  for (const label of ['packed', 'sent']) await update('tags', 'parcel', { label }).expect(204)
  const { body } = await api.unchanged(() => api.delete('/tags/parcel').expect(403))
  expect(body.errors).toMatchObject([{ title: 'Archive it first.' }])
  await update('tags', 'parcel', { label: 'archived' }).expect(204)
  await api.delete('/tags/parcel').expect(204)
}) // anchor: W/V-03, W/V-05

it('a rule stores a value in another form, and shows it as it was sent', async () => {
  const { body } = await api.post('/members').send({ data: { type: 'members', attributes: { name: 'Eve' } } })
  const { id } = body.data
  const stored = async () => (await findRow(api.dataSource, Member, id)).name
  expect([body.data.attributes.name, await stored()]).toEqual(['Eve', 'evE'])
  const updated = await update('members', id, { name: 'Rob' }).expect(200)
  expect([updated.body.data.attributes.name, await stored()]).toEqual(['Rob', 'boR'])
  await api.patch(`/members/${id}/relationships/team`).send({ data: null }).expect(204)
  expect(await stored()).toBe('boR')
}) // anchor: W/V-08

function reverse(text: string): string {
  return [...text].toReversed().join('')
}
