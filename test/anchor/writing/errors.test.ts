import { JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Team } from '../../support/writing-models'
import { startOffice } from './support/office'

// What becomes of errors of the application, and who is outcomeOf of them.

const reported: unknown[] = []

class Failing extends ResourceDefinition<Team> {
  override readonly resource = Team
  override beforeWrite({ values: { name } }: ResourceWrite<Team>) {
    if (name === 'fails') throw new TypeError('secret')
    if (name === 'refused') throw new JsonApiError({ title: 'No.', status: 402, code: 'pay', field: 'name' })
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startOffice({ definitions: [new Failing()], report: (error) => reported.push(error) })
})
afterAll(() => api.close())
beforeEach(() => {
  reported.length = 0
})

const create = (name: string) =>
  api.unchanged(() => api.post('/teams').send({ data: { type: 'teams', attributes: { name } } }))

it('U-01: overruled: an unexpected error is 500, and says nothing of itself', async () => {
  const { status, body } = await create('fails')
  expect([status, body.errors]).toEqual([500, [{ status: '500', code: 'server.error', title: expect.any(String) }]])
})

it('U-02: a rule decides on the status of what it refuses', async () => {
  expect(outcomeOf(await create('refused'))).toBe('402 pay /data/attributes/name')
})

it.each([
  ['U-03: what was not expected is reported', 'fails', [new TypeError('secret')]],
  ['U-03: what a rule refuses is not', 'refused', []],
  ['U-03: nor what the database refuses', 'Red', []],
])('%s', async (_rule, name, expected) => {
  await create(name)
  expect(reported).toEqual(expected)
})
