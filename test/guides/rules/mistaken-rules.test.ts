import { type FilterText, ResourceDefinition } from 'stemma'
import { using } from '../../support/api'
import { startVehicles, Truck } from '../../support/vehicles'

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
    const answer = await api.get('/trucks').expect(500)
    expect(answer.body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
  })
  // How large an integer may be is for the database to say.
  const told = reported.map((error) => String(error).replace(/from -\d+ to \d+/, 'from … to …'))
  expect(told).toEqual([
    `InvariantError: The ${hook} of the definition of Truck, 'trucks', is: ${text}. ${mistake} Rules name fields: a property is one where @Attribute says so, and its capabilities say what clients see.`,
  ])
})

describe('a hook of reading that returns a promise', () => {
  const HOOKS = ['filter', 'sort', 'page', 'fields', 'include', 'serialize', 'meta', 'seeOther'] as const

  it.each(HOOKS)('is a mistake: 500, and nothing is shown that it may have been to cover: %s', async (hook) => {
    class TruckDefinition extends ResourceDefinition {
      readonly resource = Truck
    }
    const definition = Object.assign(new TruckDefinition(), {
      // What fails later is nobody's, and must not end the process.
      [hook]: async () => {
        throw new Error('later')
      },
    })
    const reported: unknown[] = []
    const report = (error: unknown) => reported.push(error)
    await using(startVehicles({ definitions: [definition], report }), async (api) => {
      const id = await api.add(Truck, { licensePlate: 'SECRET' })
      for (const path of hook === 'seeOther' ? [`/trucks/${id}`] : ['/trucks', '/vehicles']) {
        const { status, text } = await api.get(path)
        expect([status, text.includes('SECRET')]).toEqual([500, false])
      }
    })
    expect([...new Set(reported.map(String))]).toEqual([
      `InvariantError: The ${hook} rule of trucks returned a promise: reading does not wait. What it needs to wait for belongs into the option 'context'.`,
    ])
  })
})
