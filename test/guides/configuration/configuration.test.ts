import { Attribute, ConfigurationError, createJsonApi, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
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

/** Values that only JavaScript can give. */
const wrong = (value: unknown) => value as never

@Resource('stars', wrong({ description: 5, deprecated: 'soon', links: { topLevel: 'none' } }))
@Entity()
class Star {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ description: '' }) @Column({ type: 'int', nullable: true }) planets: number | null
  /** Has no column. */
  @Attribute() get half(): number {
    return this.id / 2
  }
  @ToOne({ links: wrong(true) }) @ManyToOne('Star', 'below') above: Star
  @ToMany({ links: wrong('none') }) @OneToMany('Star', 'above') below: Star[]
}

@Resource('moons')
@Entity()
class Moon {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ example: 'many' }) @Column({ type: 'int', nullable: true }) craters: number | null
  @Attribute({ example: 4.5 }) @Column({ type: 'double precision' }) brightness: number
}

class Comet {}

class PlanetRules extends ResourceDefinition<Planet> {
  readonly resource = Planet
}
class CometRules extends ResourceDefinition<Comet> {
  readonly resource = Comet
}

const database = setUp(() => openDatabase([Planet, Base, Star, Moon]))

function problemsOf(configuration: object): readonly string[] {
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
  const idempotency = { requiredFor: ['GET'], keptFor: 0, claimedFor: Number.NaN }
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
const PAGE = 'Give some of size, maximumSize, maximumNumber.'
const OPERATIONS = "Give path, maximum or both, or 'off'."
const WHOLE_NUMBER = 'Give a whole number from 1, or null for any number.'
const PATH_OR_URL = "Give a path from the root, like '/openapi.json', or a URL."

it.each<[options: object, ...problems: readonly string[]]>([
  [{ capabilities: 'no' }, `its capabilities have no '0', '1'. ${CAPABILITIES}`],
  [
    { capabilities: { attributes: [] } },
    `its capabilities have no 'attributes'. Did you mean 'attribute'? ${CAPABILITIES}`,
  ],
  [{ page: 'no' }, `its page has no '0', '1'. ${PAGE}`],
  [{ page: { maximunSize: 5 } }, `its page has no 'maximunSize'. Did you mean 'maximumSize'? ${PAGE}`],
  [{ operations: { maximum: 1.5 } }, `its operations.maximum is 1.5. ${WHOLE_NUMBER}`],
  [{ operations: { limit: 5 } }, `its operations have no 'limit'. ${OPERATIONS}`],
  [{ operations: 'on' }, `its operations have no '0', '1'. ${OPERATIONS}`],
  [
    { operations: { path: 'a/b', maximum: 0 } },
    "its operations.path is 'a/b'. Give one name without slashes, like 'operations'.",
    `its operations.maximum is 0. ${WHOLE_NUMBER}`,
  ],
  [{ streamFrom: -1 }, 'its streamFrom is -1. Give a number of characters, or null.'],
  [{ streamFrom: 'always' }, "its streamFrom is 'always'. Give a number of characters, or null."],
  [{ etags: 'some' }, "its etags is 'some'. Give one of 'individuals', 'all', 'off'."],
  [{ explorer: 'yes' }, "its explorer is 'yes'. Give one of 'on', 'off'."],
  [{ startUp: 'silent' }, "its startUp is 'silent'. Give 'printed', 'warnings', 'quiet' or a function."],
  [{ cacheControl: 60 }, 'its cacheControl is 60. Give a function, or leave it out.'],
  [{ meta: { a: 1 } }, 'its meta is [object Object]. Give a function, or leave it out.'],
  [{ describedBy: 'openapi.json' }, `its describedBy is 'openapi.json'. ${PATH_OR_URL}`],
  [{ describedBy: '//example.com' }, `its describedBy is '//example.com'. ${PATH_OR_URL}`],
  [{ describedBy: '/a b' }, `its describedBy is '/a b'. ${PATH_OR_URL}`],
])('refuses %j', (options, ...problems) => {
  expect(problemsOf(options)).toEqual(problems.map((problem) => `createJsonApi: ${problem}`))
})

it.each([
  [{ base: 'api.example.com' }, "its links.base is 'api.example.com'."],
  [{ base: 'ftp://api.example.com' }, "its links.base is 'ftp://api.example.com'."],
  [{ base: 'https://example.com?a=b' }, "its links.base is 'https://example.com?a=b'."],
  [{ base: 'https://example.com/a b' }, "its links.base is 'https://example.com/a b'."],
  [{ base: 'https://' }, "its links.base is 'https://'."],
  [{ base: 7 }, 'its links.base is 7.'],
  [{ resource: 'no' }, "its links.resource is 'no'."],
  [{ pages: false }, 'its links.pages is false.'],
  [{ resources: 'off' }, "its links have no 'resources'."],
])('refuses the links %j', (links, problem) => {
  expect(problemsOf({ links })).toEqual([expect.stringContaining(`createJsonApi: ${problem}`)])
})

it.each([
  [{ tilte: 'x' }, "its openApi has no 'tilte'. Did you mean 'title'? Give some of"],
  ['yes', "its openApi has no '0', '1', '2'."],
  [{ served: 'maybe' }, "its openApi.served is not what it can be. Give 'on' or 'off'."],
  [{ title: '' }, 'its openApi.title is not what it can be. Give a text that is not empty.'],
  [{ version: 2 }, "its openApi.version is not what it can be. Give a text like '1.0.0'."],
  [{ description: null }, 'its openApi.description is not what it can be. Give a text, or leave it out.'],
  [{ servers: [{}] }, "its openApi.servers is not what it can be. Give a list of { url: '…' }."],
  [{ securitySchemes: [] }, 'its openApi.securitySchemes is not what it can be. Give an object:'],
  [{ security: [{ bearer: [] }] }, 'its openApi.security is not what it can be. Give a list of objects whose names'],
])('refuses openApi: %j', (openApi, problem) => {
  expect(problemsOf({ openApi })).toEqual([expect.stringContaining(`createJsonApi: ${problem}`)])
})

it('refuses operations at the path of a resource type', () => {
  expect(problemsOf({ operations: { path: 'planets' } })).toEqual([
    "Planet: its public name 'planets' is the path of operations. Give it another name in @Resource, or say in createJsonApi operations: 'off' or operations: { path: '...' }.",
  ])
})

it('refuses invalid options of types, attributes and relationships', () => {
  expect(problemsOf({ resources: [Star] })).toEqual([
    "Star: its links.topLevel is 'none'. Give 'on' or 'off'.",
    "Star.above: its links are true. Give 'on' or 'off'.",
    "Star.below: its links are 'none'. Give 'on' or 'off'.",
    'Star: its description is no text. Give a text that is not empty, or leave it out.',
    "Star: its deprecated is 'soon'. Give true, or leave it out.",
    'Star.planets: its description is no text. Give a text that is not empty, or leave it out.',
    expect.stringMatching(/^Star\.half: it is an attribute, but the property has no column of its own\./),
  ])
  expect(problemsOf({ resources: [Moon] })).toEqual([
    expect.stringMatching(
      /^Moon\.craters: its example does not fit\. Expected an integer .*, found 'many'\. Give a value as a document shows it\.$/,
    ),
  ])
}) // anchor: R/F-31
