import { type FilterText, ResourceDefinition } from 'stemma'
import { using } from '../support/stock'
import { startVehicles, Truck } from '../support/vehicles'

// A rule that names what is no field is a mistake of the application: 500, and what is reported says where to mend it.

it.each([
  ['filter', "equals(chassis,'X1')", "Expected an attribute of 'trucks', found 'chassis'."],
  ['filter', "equals(weight,'heavy')", "Expected an integer from … to …, found 'heavy'."],
  ['sort', '-chassis', "Expected an attribute of 'trucks', found 'chassis'."],
] as const)('tells whose %s it is: %s', async (hook, text, mistake) => {
  class TruckDefinition extends ResourceDefinition {
    readonly resource = Truck
    override filter() {
      return hook === 'filter' ? (text as FilterText) : undefined
    }
    override sort() {
      return hook === 'sort' ? text : undefined
    }
  }
  const reported: unknown[] = []
  const report = (error: unknown) => reported.push(error)
  await using(startVehicles({ definitions: [new TruckDefinition()], report }), async (api) => {
    const answer = await api.get('/trucks')
    expect(answer.status).toBe(500)
    expect(answer.document.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
  })
  // How large an integer may be is for the database to say.
  const told = reported.map((error) => String(error).replace(/from -\d+ to \d+/, 'from … to …'))
  expect(told).toEqual([
    `InvariantError: The ${hook} of the definition of Truck, 'trucks', is: ${text}. ${mistake} Rules name fields: a property is one where @Attribute says so, and its capabilities say what clients see.`,
  ])
})
