import {
  ConfigurationError,
  createJsonApi,
  type IdempotencyOptions,
  type JsonApiConfiguration,
  Resource,
  ResourceDefinition,
} from 'stemma'
import { Entity, PrimaryGeneratedColumn } from 'typeorm'
import { openDatabase } from '../../support/database'
import { setUp } from '../../support/set-up'

@Resource('planets')
@Entity()
class Planet {
  @PrimaryGeneratedColumn() id: number
}

@Resource('data base')
@Entity()
class Base {
  @PrimaryGeneratedColumn() id: number
}

class Comet {}

class PlanetRules extends ResourceDefinition<Planet> {
  readonly resource = Planet
}
class CometRules extends ResourceDefinition<Comet> {
  readonly resource = Comet
}

const database = setUp(() => openDatabase([Planet, Base]))

function problemsOf(configuration: Partial<JsonApiConfiguration> & Record<string, unknown>): readonly string[] {
  try {
    createJsonApi({ dataSource: database.dataSource, resources: [Planet], ...configuration })
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n')
    throw error
  }
  return []
}

it('refuses a configuration only if it has problems', () => {
  expect(problemsOf({ definitions: [new PlanetRules()] })).toEqual([])
  expect(problemsOf({ definitions: [new CometRules()] })).toHaveLength(1)
})

it('reports all problems of options, classes and definitions at once', () => {
  const definitions = [new PlanetRules(), new CometRules(), new PlanetRules()]
  expect(problemsOf({ resources: [Planet, Base], definitions, page: { size: 0 }, pagnation: 'cursors' })).toEqual([
    "createJsonApi: it has no option 'pagnation'. Did you mean 'pagination'? Correct the name, or leave it out.",
    'createJsonApi: its page.size is 0. Give a whole number from 1 on, or null for no limit.',
    "Base: its public name 'data base' is not a legal one. Use letters and digits, with '-' and '_' only in between.",
    'CometRules: its resource Comet is not registered. Add Comet to the resources of createJsonApi, or leave the definition out.',
    'PlanetRules: there is another definition for Planet. Put the rules of one resource type into one definition.',
  ])
})

it('reports problems of idempotency', () => {
  const idempotency = { requiredFor: ['GET'], keptFor: 0, claimedFor: Number.NaN } as unknown as IdempotencyOptions
  expect(problemsOf({ idempotency })).toEqual([
    'createJsonApi: its idempotency has no store. Add IdempotencyKey to the entities of the DataSource, or give a store of your own.',
    "createJsonApi: its idempotency has no owner. Give a function of the context: owner: ({ user }) => user.id, or () => 'everyone'.",
    'createJsonApi: its idempotency keptFor is 0. Give a number of seconds.',
    'createJsonApi: its idempotency claimedFor is NaN. Give a number of seconds.',
    "createJsonApi: its idempotency requiredFor has 'GET'. Give some of POST, PATCH, DELETE.",
  ])
})

const OPEN_API = 'served, title, version, description, servers, securitySchemes, security'

describe.each([
  [false, 'false'],
  [null, 'null'],
  [true, 'true'],
  [[], 'a list'],
  [7, '7'],
])('refuses %p as the value of an option', (given, shown) => {
  it.each([
    ['overload', "Give concurrent, wait, retryAfter, 'on' or 'off'."],
    ['operations', "Give path, maximum or both, or 'off'."],
    ['openApi', `Give some of ${OPEN_API}, or 'on' or 'off'.`],
    ['page', 'Give an object, or leave it out.'],
    ['capabilities', 'Give an object, or leave it out.'],
    ['links', 'Give an object, or leave it out.'],
    ['limits', 'Give an object, or leave it out.'],
  ])('%s', (name, remedy) => {
    expect(problemsOf({ [name]: given })).toEqual([`createJsonApi: its ${name} is ${shown}. ${remedy}`])
  })
})

const CAPABILITIES = 'Give some of attribute, toOne, toMany.'
const CAPABILITY = `Did you mean 'attribute'? ${CAPABILITIES}`
const PAGE = 'Give some of size, maximumSize, maximumNumber.'

it.each([
  ['capabilities', 'no', `its capabilities have no '0', '1'. ${CAPABILITIES}`],
  ['capabilities', { attributes: [] }, `its capabilities have no 'attributes'. ${CAPABILITY}`],
  ['page', 'no', `its page has no '0', '1'. ${PAGE}`],
  ['page', { maximunSize: 5 }, `its page has no 'maximunSize'. Did you mean 'maximumSize'? ${PAGE}`],
])('reports unknown members of %s: %p', (name, given, problem) => {
  expect(problemsOf({ [name]: given })).toEqual([`createJsonApi: ${problem}`])
})
