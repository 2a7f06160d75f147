import type { FilterText } from 'stemma'
import { using } from '../../support/api'
import { define } from '../../support/define'
import { startVehicles, Truck } from '../../support/vehicles'

it.each([
  ['filter', "equals(chassis,'X1')", "Expected an attribute of 'trucks', found 'chassis'."],
  ['filter', "equals(weight,'heavy')", "Expected an integer from … to …, found 'heavy'."],
  ['sort', '-chassis', "Expected an attribute of 'trucks', found 'chassis'."],
])('returns 500 and reports the definition when a %s rule is %s', async (hook, text, mistake) => {
  const reported: unknown[] = []
  const definitions = [define(Truck, { [hook]: () => text as FilterText })]
  await using(startVehicles({ definitions, report: (error) => reported.push(error) }), async (api) => {
    const { body } = await api.get('/trucks').expect(500)
    expect(body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
  })
  // The range of integers depends on the database.
  expect(reported.map((error) => String(error).replace(/from -\d+ to \d+/, 'from … to …'))).toEqual([
    `InvariantError: The ${hook} of the definition of Truck, 'trucks', is: ${text}. ${mistake} Rules name fields: a property is one where @Attribute says so, and its capabilities say what clients see.`,
  ])
})

const HOOKS = ['filter', 'sort', 'page', 'fields', 'include', 'serialize', 'meta', 'seeOther']
it.each(HOOKS)('returns 500 without any data when the %s hook returns a promise', async (hook) => {
  // The rejection must not end the process.
  const definitions = [define(Truck, { [hook]: () => Promise.reject(new Error('later')) })]
  const reported: unknown[] = []
  await using(startVehicles({ definitions, report: (error) => reported.push(error) }), async (api) => {
    const id = await api.add(Truck, { licensePlate: 'SECRET' })
    for (const path of hook === 'seeOther' ? [`/trucks/${id}`] : ['/trucks', '/vehicles']) {
      const { text } = await api.get(path).expect(500)
      expect(text).not.toContain('SECRET')
    }
  })
  expect([...new Set(reported.map(String))]).toEqual([
    `InvariantError: The ${hook} rule of trucks returned a promise: reading does not wait. What it needs to wait for belongs into the option 'context'.`,
  ])
})
