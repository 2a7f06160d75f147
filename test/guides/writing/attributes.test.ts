import { Attribute } from 'stemma'
import { Column, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource, updateResource } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { operate } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'
import { startServer, type TestServer } from '../../support/server'
import { TEAMS, Team } from '../../support/writing-models'

const BLOB = DATABASE === 'postgres' ? 'bytea' : 'blob'

@StoredResource('sheets')
class Sheet {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) title!: string
  @Attribute() @Column({ type: 'int', default: 3 }) height!: number
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) extra!: object | null
  @Attribute() @Column({ type: BLOB, nullable: true }) bytes!: Buffer | null
  /** Computed by the database. */
  @Attribute()
  @Column({ type: 'int', generatedType: 'STORED', asExpression: 'height * 2', insert: false, update: false })
  doubled!: number
}

@StoredResource('copies')
class Copied {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: BLOB, nullable: true }) bytes!: Buffer | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) extra!: object | null
}

/** Returns a copy of each value. */
const copyingRules = define(Copied, {
  beforeWrite: ({ values: { bytes, extra } }) => ({ bytes: bytes && Buffer.from(bytes), extra: extra && { ...extra } }),
})

const api = setUp(() => startApi([Sheet, Copied], { definitions: [copyingRules] }))
const tolerant = setUp(() => startServer({ dataSource: api.dataSource, resources: [Sheet], unknownFields: 'ignore' }))
let id: string
beforeEach(async () => {
  id = await api.add(Sheet, { title: 'Map', note: 'old' })
})

const create = (attributes: object) => createResource(api, 'sheets', attributes)
const update = (attributes: object, server: TestServer = api) => updateResource(server, 'sheets', id, attributes)
const stored = async () => (await api.get(`/sheets/${id}`)).body.data.attributes

it('returns defaults, null and values that the database computes', async () => {
  const { body } = await create({ title: 'Map' }).expect(201)
  expect(body.data.attributes).toEqual({ title: 'Map', height: 3, note: null, extra: null, bytes: null, doubled: 6 })
  const { data } = (await update({ height: 5 }).expect(200)).body
  expect(data.attributes).toMatchObject({ height: 5, doubled: 10 })
}) // anchor: W/D-12, W/D-13

it('replaces an object as a whole', async () => {
  await update({ extra: { a: { b: 1 }, c: [1] } })
  await update({ extra: { a: { d: null } } })
  expect((await stored()).extra).toEqual({ a: { d: null } })
}) // anchor: W/D-10

it.each([
  ['text that is no base64', { bytes: '?' }, '422 attribute.type /data/attributes/bytes'],
  ['a value that the database computes', { doubled: 6 }, '422 attribute.read-only /data/attributes/doubled'],
])('refuses %s', async (_title, attributes, expected) => {
  for (const send of [create, update])
    expect(outcomeOf(await api.unchanged(() => send({ title: 'Map', ...attributes })))).toBe(expected)
}) // anchor: W/D-06, W/D-11

it.each([
  ['bytes', { bytes: 'AP8=' }],
  ['objects', { extra: { a: [1, { b: null }] } }],
])('returns 204 when a rule returns equal %s', async (_title, attributes) => {
  const copy = await api.add(Copied)
  for (const _time of [1, 2]) await updateResource(api, 'copies', copy, attributes).expect(204)
  expect((await api.get(`/copies/${copy}`)).body.data.attributes).toMatchObject(attributes)
}) // anchor: W/G-06

describe("unknownFields: 'ignore'", () => {
  const unknown = { pages: 'no relationship object', title: {} }
  const sheet = (attributes: object) => ({
    data: { type: 'sheets', attributes: { ...attributes, titel: 'x', pages: 1 }, relationships: unknown },
  })

  it('stores the known fields of requests and operations', async () => {
    const { body } = await tolerant.post('/sheets').send(sheet({ title: 'Plan' }))
    expect(body.data.attributes.title).toBe('Plan')
    const target = (attributes: object) => ({ data: { ...sheet(attributes).data, id } })
    const { status } = await tolerant.patch(`/sheets/${id}`).send(target({ height: 7 }))
    expect(status).toBe(200)
    const [add, change] = [sheet({ title: 'Plan' }), target({ note: 'new' })]
    await operate(tolerant, { op: 'add', ...add }, { op: 'update', ...change }).expect(200)
    expect(await stored()).toMatchObject({ title: 'Map', height: 7, note: 'new' })
  })

  it('refuses wrong values of known fields', async () => {
    const response = await api.unchanged(() => update({ unknown: 1, height: 'x', doubled: 1 }, tolerant))
    const [value, readOnly] = ['422 attribute.type', '422 attribute.read-only']
    expect(outcomeOf(response)).toBe(`${value} /data/attributes/height, ${readOnly} /data/attributes/doubled`)
  })
}) // anchor: W/D-03

it('names fields in bodies and pointers as namingStrategy says', async () => {
  const namingStrategy = (property: string) => property.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)
  await useApi(startApi(TEAMS, { namingStrategy }), async (kebab) => {
    const team = await kebab.add(Team, { name: 'Red' })
    const patch = (members: object) =>
      kebab.patch(`/teams/${team}`).send({ data: { type: 'teams', id: team, ...members } })
    await patch({ relationships: { 'partner-of': { data: [{ type: 'teams', id: team }] } } }).expect(204)
    for (const [members, expected] of [
      [{ attributes: { 'budget-x': 1 } }, '422 attribute.unknown /data/attributes/budget-x'],
      [{ relationships: { partnerOf: { data: [] } } }, '422 relationship.unknown /data/relationships/partnerOf'],
    ] as const)
      expect(outcomeOf(await kebab.unchanged(() => patch(members)))).toBe(expected)
  })
}) // anchor: W/B-17
