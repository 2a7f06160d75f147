import type { TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { Tandem } from '../../support/vehicles'
import { startGarage } from '../support/garage'
import { Recorder } from './support/recorder'

// Hierarchies: whose relationship it is. Bikes 1, tandems 2, cars 3, trucks 4.

const lines: string[] = []
let api: TestApi
beforeAll(async () => {
  const garage = await startGarage({ definitions: [new Recorder(Tandem, lines)] })
  api = garage
})
afterAll(() => api.close())
beforeEach(() => {
  lines.length = 0
})

it.each([
  ['HL-01: a sibling has no such URL, on setting', 'PATCH', '/cars/4/relationships/engine', null],
  ['HL-02: on adding nothing', 'POST', '/cars/4/relationships/wheels', []],
  ['HL-03: on removing nothing', 'DELETE', '/cars/4/relationships/wheels', []],
])('%s', async (_rule, method, path, data) => {
  const answer = await api.unchanged(() => api.request(method, path).send({ data }))
  expect(outcomeOf(answer)).toBe('404 resource.not-found')
  expect(answer.body.errors[0].detail).toBe("There is no resource of type 'cars' with id '4'.")
})

it.each([
  ['HL-04: the relationship is that of what is stored, on setting', 'PATCH', 'setToMany'],
  ['HL-04: on adding', 'POST', 'addToMany'],
  ['HL-04: on removing', 'DELETE', 'removeFromMany'],
])('%s', async (_rule, method, hook) => {
  const body = { data: [{ type: 'carbonWheels', id: '2' }] }
  expect(outcomeOf(await api.request(method, '/vehicles/2/relationships/wheels').send(body))).toBe('204')
  expect(lines).toContain(`${hook} tandems wheels: carbonWheels 2`)
})

it('HL-05: overruled: a relationship of a derived type can be written through its base', async () => {
  const data = { type: 'dieselEngines', id: '2' }
  expect(outcomeOf(await api.patch('/vehicles/3/relationships/engine').send({ data }))).toBe('204')
  expect(resourceKeys(await api.get('/cars/3/engine'))).toEqual(['dieselEngines 2'])
  const sending = () => api.patch('/vehicles/1/relationships/engine').send({ data })
  expect(outcomeOf(await api.unchanged(sending))).toBe('404 relationship.not-found')
})
