import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Manufacturer, Vehicle } from '../../support/vehicles'
import { Team } from '../../support/writing-models'
import { startGarage } from '../support/garage'
import { startOffice } from './support/office'
import { Recorder } from './support/recorder'

// The hooks of each kind of write, in their order. The anchor has no `afterCommit`, and no `prepareWrite` on adding.

const lines: string[] = []
let api: TestApi
beforeAll(async () => {
  const garage = await startGarage({ definitions: [new Recorder(Vehicle, lines), new Recorder(Manufacturer, lines)] })
  api = garage
})
afterAll(() => api.close())
beforeEach(() => {
  lines.length = 0
})

const vehicles = (...keys: readonly (readonly [string, string])[]) => ({
  data: keys.map(([type, id]) => ({ type, id })),
})
const RELATIONSHIPS = { wheels: { data: [] }, manufacturer: { data: { type: 'manufacturers', id: '1' } } }
const MAKER = '/manufacturers/1/relationships/vehicles'
const CAR = '/vehicles/3'
const EMPTY = { data: null }

const BEFORE = 'beforeWrite'
const AFTER = ['afterWrite', 'afterCommit']

it.each<readonly [rule: string, method: string, path: string, body: unknown, hooks: readonly string[]]>([
  [
    'X-01: a new resource, its relationships in the order of the request',
    ...(['POST', '/vehicles', { data: { type: 'bikes', relationships: RELATIONSHIPS } }] as const),
    ['prepareWrite', 'setToMany', 'setToOne', BEFORE, ...AFTER],
  ],
  [
    'X-02: an update',
    ...(['PATCH', CAR, { data: { type: 'cars', id: '3', relationships: RELATIONSHIPS } }] as const),
    ['prepareWrite', 'setToMany', 'setToOne', BEFORE, ...AFTER],
  ],
  ['X-02: one of attributes', 'PATCH', CAR, { data: { type: 'cars', id: '3' } }, ['prepareWrite', BEFORE, ...AFTER]],
  ['X-04: setting one', 'PATCH', `${CAR}/relationships/engine`, EMPTY, ['prepareWrite', 'setToOne', BEFORE, ...AFTER]],
  ['X-05: setting many', 'PATCH', MAKER, vehicles(['cars', '3']), ['prepareWrite', 'setToMany', BEFORE, ...AFTER]],
  ['X-06: adding', 'POST', MAKER, vehicles(['cars', '3']), ['prepareWrite', 'addToMany', BEFORE, ...AFTER]],
  ['X-06: beaten: adding nothing', 'POST', MAKER, vehicles(), ['prepareWrite', 'addToMany', BEFORE, ...AFTER]],
  ['X-07: removing', 'DELETE', MAKER, vehicles(['cars', '3']), ['prepareWrite', 'removeFromMany', BEFORE, ...AFTER]],
  ['X-07: beaten: removing nothing', 'DELETE', MAKER, vehicles(), ['prepareWrite', 'removeFromMany', BEFORE, ...AFTER]],
  ['X-03: a deletion', 'DELETE', CAR, undefined, [BEFORE, ...AFTER]],
])('%s', async (_rule, method, path, body, hooks) => {
  expect((await api.request(method, path).send(body)).status).toBeLessThan(300)
  expect(lines.map((line) => line.split(' ')[0])).toEqual(hooks)
})

it('X-08: what the database refuses had been asked about, and nothing is outcomeOf afterwards', async () => {
  const office = await startOffice({ definitions: [new Recorder(Team, lines)] })
  const data = { type: 'teams', id: '2', attributes: { name: 'Red' } }
  expect(outcomeOf(await office.unchanged(() => office.patch('/teams/2').send({ data })))).toMatch(
    /^409 constraint.unique/,
  )
  expect(lines).toEqual(['prepareWrite teams', 'beforeWrite teams'])
  await office.close()
})

it.each([
  ['X-08: what is not there', '/vehicles/99', { data: { type: 'cars', id: '99' } }],
  [
    'X-08: what is related and is not there',
    '/vehicles/1/relationships/manufacturer',
    { data: { type: 'manufacturers', id: '99' } },
  ],
])('%s: no rule is asked', async (_rule, path, body) => {
  expect((await api.unchanged(() => api.patch(path).send(body))).status).toBe(404)
  expect(lines).toEqual([])
})
