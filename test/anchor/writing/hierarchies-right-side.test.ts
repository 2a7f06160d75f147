import type { TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { startGarage } from '../support/garage'

// Hierarchies: the types of what is related. Bikes 1, tandems 2, cars 3, trucks 4; chromeWheels 1 and 3, carbonWheels 2 and 4;
// gasolineEngines 1, dieselEngines 2; manufacturers 1 and 2. Nothing has the id 99.

let api: TestApi
beforeAll(async () => {
  const garage = await startGarage()
  api = garage
})
afterAll(() => api.close())

const named = (keys: string) => keys.split(', ').map((key) => ({ type: key.split(' ')[0], id: key.split(' ')[1] }))
const linked = async (path: string) => resourceKeys(await api.get(`/${path}`)).join(', ')
const MISSING = '404 related.not-found'

type Row = readonly [rule: string, left: string, name: string, sent: string, expected: string]

/** `expected`: what is linked then, or the mistake; `@` is the place of the identifier. */
describe('within a resource, that is created and that is updated', () => {
  it.each<Row>([
    ['HR-01: an abstract type', 'trucks 4', 'engine', 'engines 2', '422 document.type-abstract @/type'],
    ['HR-02: a concrete base of what it is', 'carbonWheels 2', 'vehicle', 'bikes 2', 'tandems 2'],
    ['HR-03: a concrete base of what a member is', 'manufacturers 2', 'vehicles', 'bikes 2', 'tandems 2'],
    ['HR-04: a sibling', 'carbonWheels 2', 'vehicle', 'trucks 2', `${MISSING} @`],
    ['HR-05: a sibling of a member', 'manufacturers 2', 'vehicles', 'cars 4', `${MISSING} @`],
    ['HR-06: what is not there', 'carbonWheels 2', 'vehicle', 'trucks 99', `${MISSING} @`],
    ['HR-06: a member that is not there', 'manufacturers 2', 'vehicles', 'trucks 99', `${MISSING} @`],
  ])('%s', async (_rule, left, name, sent, expected) => {
    const [type = '', id = ''] = left.split(' ')
    const isMany = name === 'vehicles'
    const relationships = { [name]: { data: isMany ? named(sent) : named(sent)[0] } }
    const attributes = type === 'manufacturers' ? { name: 'New' } : {}
    const write = {
      POST: () => api.post(`/${type}`).send({ data: { type, attributes, relationships } }),
      PATCH: () => api.patch(`/${type}/${id}`).send({ data: { type, id, relationships } }),
    }
    const place = `/data/relationships/${name}/data${isMany ? '/0' : ''}`
    for (const [method, sending] of Object.entries(write)) {
      if (/^4/.test(expected)) {
        expect(outcomeOf(await api.unchanged(sending))).toBe(expected.replace('@', place))
      } else {
        const answer = await sending()
        const there = method === 'POST' ? `${type}/${answer.body.data.id}` : `${type}/${id}`
        expect([answer.status, await linked(`${there}/${name}`)]).toEqual([method === 'POST' ? 201 : 204, expected])
      }
    }
  })
})

describe('at a relationship endpoint', () => {
  const reset = async () => {
    await api.patch('/vehicles/1/relationships/wheels').send({ data: named('wheels 1') })
    await api.patch('/manufacturers/1/relationships/vehicles').send({ data: named('vehicles 1, vehicles 2') })
    await api.patch('/wheels/2/relationships/vehicle').send({ data: null })
  }
  beforeEach(reset)

  it.each<readonly [rule: string, method: string, path: string, sent: string, expected: string]>([
    ['HR-07: an abstract type', 'PATCH', 'wheels/2/vehicle', 'vehicles 2', 'tandems 2'],
    ['HR-08: an abstract type of members', 'PATCH', 'vehicles/1/wheels', 'wheels 3', 'chromeWheels 3'],
    ['HR-09: a concrete base', 'PATCH', 'wheels/2/vehicle', 'bikes 2', 'tandems 2'],
    ['HR-10: a concrete base of members', 'PATCH', 'manufacturers/1/vehicles', 'bikes 2', 'tandems 2'],
    ['HR-11: a derived type that it is not', 'PATCH', 'wheels/2/vehicle', 'tandems 1', `${MISSING} /data`],
    ['HR-12: a sibling', 'PATCH', 'manufacturers/1/vehicles', 'cars 4', `${MISSING} /data/0`],
    ['HR-13: what is not there', 'PATCH', 'manufacturers/1/vehicles', 'bikes 1, trucks 99', `${MISSING} /data/1`],
    ['HR-14: an abstract type, added', 'POST', 'vehicles/1/wheels', 'wheels 2', 'chromeWheels 1, carbonWheels 2'],
    ['HR-14: what it is, added', 'POST', 'vehicles/1/wheels', 'chromeWheels 3', 'chromeWheels 1, chromeWheels 3'],
    ['HR-15: a concrete base, added', 'POST', 'manufacturers/1/vehicles', 'bikes 2', 'bikes 1, tandems 2'],
    ['HR-16: a sibling, added', 'POST', 'vehicles/1/wheels', 'carbonWheels 3', `${MISSING} /data/0`],
    ['HR-17: what is not there, added', 'POST', 'manufacturers/1/vehicles', 'trucks 99', `${MISSING} /data/0`],
    ['HR-18: an abstract type, removed', 'DELETE', 'vehicles/1/wheels', 'wheels 1', ''],
    ['HR-18: what it is, removed', 'DELETE', 'vehicles/1/wheels', 'chromeWheels 1', ''],
    ['HR-19: a concrete base, removed', 'DELETE', 'manufacturers/1/vehicles', 'bikes 2', 'bikes 1'],
    [
      'HR-20: overruled: a sibling, removed: no such member',
      'DELETE',
      'vehicles/1/wheels',
      'carbonWheels 1',
      'chromeWheels 1',
    ],
    [
      'HR-21: overruled: what is not there, removed',
      'DELETE',
      'manufacturers/1/vehicles',
      'trucks 99',
      'bikes 1, tandems 2',
    ],
    [
      'HR-15: two names of one, added',
      'POST',
      'manufacturers/1/vehicles',
      'vehicles 3, cars 3',
      'bikes 1, tandems 2, cars 3',
    ],
  ])('%s: %s %s', async (_rule, method, path, sent, expected) => {
    const [type, id, name] = path.split('/')
    const data = name === 'vehicle' ? named(sent)[0] : named(sent)
    const sending = () => api.request(method, `/${type}/${id}/relationships/${name}`).send({ data })
    if (/^4/.test(expected)) expect(outcomeOf(await api.unchanged(sending))).toBe(expected)
    else expect([outcomeOf(await sending()), await linked(path)]).toEqual(['204', expected])
  })

  it('HR-04: says the type that was sent', async () => {
    const { body } = await api.patch('/wheels/2/relationships/vehicle').send({ data: named('trucks 2')[0] })
    expect(body.errors[0].detail).toContain("'trucks'")
  })
})
