import { transformSync as transformWithSwc } from '@swc/core'
import { transformSync } from 'esbuild'
import { Attribute, ConfigurationError, createJsonApi, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  DataSource,
  Entity,
  EntitySchema,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
} from 'typeorm'
import { ENDPOINT_NAMES } from '../../../src/declarations/field-options'
import { ALL_LINKS_ENABLED } from '../../../src/declarations/link-options'
import { buildApiWithCore } from '../../../src/express/create-json-api'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { setUp } from '../../support/api'
import { openDatabase } from '../../support/database'
import { HierarchyRoot, StoredResource } from '../../support/resource-decorators'

// Decorators, options and definitions that are written wrong are reported by createJsonApi, all together.

/** A value or a use that only JavaScript allows. */
// biome-ignore lint/suspicious/noExplicitAny: the tests pass options that the types forbid
const wrong = (value: unknown) => value as any

function mapMembers(members: object, convert: (value: object) => unknown): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, convert(value)]))
}

/** The decorators for any arguments. */
const Loose = { Resource: wrong(Resource), Attribute: wrong(Attribute), ToOne: wrong(ToOne), ToMany: wrong(ToMany) }

@StoredResource('planets')
class Planet {
  @PrimaryGeneratedColumn() id: number
}

@StoredResource('stars', wrong({ description: 5, deprecated: 'soon', links: { topLevel: 'none' } }))
class Star {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ description: '' }) @Column({ type: 'int', nullable: true }) planets: number | null
  /** Has no column. */
  @Attribute() get half(): number {
    return this.id / 2
  }
  @ToOne({ links: wrong(1) }) @ManyToOne('Star', 'below') above: Star
  @ToMany({ links: wrong('none') }) @OneToMany('Star', 'above') below: Star[]
}

@StoredResource('moons')
class Moon {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ example: 'many' }) @Column({ type: 'int', nullable: true }) craters: number | null
  @Attribute({ example: 4.5 }) @Column({ type: 'double precision' }) brightness: number
}

class Comet {}

class CometRules extends ResourceDefinition<Comet> {
  readonly resource = Comet
}

const database = setUp(() => openDatabase([Planet, Star, Moon]))

function problemsOf(configuration: object): readonly string[] {
  try {
    createJsonApi({ dataSource: database.dataSource, resources: [Planet], ...configuration })
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n')
    throw error
  }
  return []
}

/** The problems of resources that have a database of their own. */
async function problemsIn(resources: readonly unknown[], options: object = {}): Promise<readonly string[]> {
  const { dataSource, close } = await openDatabase(resources.filter((each) => typeof each === 'function') as never)
  try {
    return problemsOf({ dataSource, resources, startupLog: false, ...options })
  } finally {
    await close()
  }
}

it('reports problems of idempotency', () => {
  const idempotency = { requiredMethods: ['GET'], retentionSeconds: 0, leaseSeconds: Number.NaN }
  expect(problemsOf({ idempotency })).toEqual([
    'createJsonApi: its idempotency has no store. Add IdempotencyKey to the entities of the DataSource, or give a store of your own.',
    "createJsonApi: its idempotency has no owner. Give a function of the context: owner: ({ user }) => user.id, or () => 'everyone'.",
    'createJsonApi: its idempotency retentionSeconds is 0. Give a number of seconds.',
    'createJsonApi: its idempotency leaseSeconds is NaN. Give a number of seconds.',
    "createJsonApi: its idempotency requiredMethods has 'GET'. Give a list of some of POST, PATCH, DELETE.",
  ])
})

describe('values of any type', () => {
  const method = () => undefined
  const bare = Object.create(null)
  const values = [null, 'text', 7, true, [], [null], ['text'], [bare], {}, bare, Symbol('text'), method]
  const store = { completion: 'afterCommit', claim: method, complete: method, release: method }
  /** The other members that an option needs. */
  const needed: Readonly<Record<string, object>> = {
    idempotency: { owner: method, store },
    extensions: { uri: 'urn:a' },
    functions: { name: 'f', argumentTypes: ['string'], returnType: 'string', toSql: method },
  }
  const isOfOption = (problem: string) => !problem.includes('not mapped by the DataSource')
  /** Sets an option of createJsonApi, or of a decorator of a class without columns. */
  function configure(path: string, value: unknown): object {
    const [name = '', ...members] = path.split('.')
    const given = members.reduceRight((inner, member) => ({ ...needed[name], [member]: inner }), value)
    const decorate = Object.entries(Loose).find(([decorator]) => decorator === name)?.[1]
    const isMemberOfList = members.length > 0 && ['extensions', 'functions'].includes(name)
    if (decorate === undefined) return { [name]: isMemberOfList ? [given] : given }
    class Thing {}
    if (name !== 'Resource') decorate(given)(Thing.prototype, 'field')
    Loose.Resource('things', name === 'Resource' ? given : {})(Thing)
    return { resources: [Thing] }
  }

  it.each<[accepted: readonly unknown[], paths: string]>([
    [[], 'ToMany.pagination pagination totals toOneLinkage clientGeneratedIds ifMatch updates unknownFields explain'],
    [[], 'etags etagSecret describedBy links.base idempotency idempotency.store extensions.uri functions.returnType'],
    [[], 'Resource.abstract Resource.pagination Resource.totals Resource.clientGeneratedIds Resource.unknownFields'],
    [[], 'Resource.ifMatch Resource.schema Resource.idCodec ToOne.linkage ToMany.totals functions.argumentTypes'],
    [[true], 'includedPagination preparedStatements fieldFilters telemetry explorer serverTiming openApi.served'],
    [[true], 'links.topLevel links.resource links.pages ToOne.links ToMany.links Attribute.deprecated'],
    [[true, {}, bare], 'loadShedding openApi'],
    [[7], 'maxRetries limits.bodySize limits.bodyDepth limits.filterDepth loadShedding.retryAfter totals.maxCount'],
    [[7], 'idempotency.retentionSeconds idempotency.leaseSeconds Resource.totals.maxCount ToMany.totals.maxCount'],
    [[null, 7], 'streamThreshold page.size page.maxNumber limits.cost limits.timeout Resource.page.size'],
    [[null, 7], 'ToMany.page.size loadShedding.maxConcurrency loadShedding.queueTimeout operations.maxOperations'],
    [[null], 'page.maxSize'],
    [['text'], 'operations.path openApi.title openApi.version openApi.description functions.name'],
    [['text'], 'Resource.description Attribute.description ToOne.description ToMany.description'],
    [[null, 'text'], 'Attribute.name ToOne.name ToMany.name'],
    [[[]], 'unknownParameters endpoints parameters functions extensions extensions.endpoints definitions resources'],
    [[[]], 'capabilities.attribute capabilities.toOne capabilities.toMany idempotency.requiredMethods'],
    [[[]], 'Resource.endpoints Resource.parameters Attribute.capabilities ToOne.capabilities ToMany.capabilities'],
    [[[], [bare]], 'openApi.security'],
    [[{}, bare], 'page capabilities links limits operations openApi.securitySchemes Resource.page Resource.links'],
    [[{}, bare], 'Resource Attribute ToOne ToMany ToMany.page'],
    [[method], 'meta namingStrategy context readFromMaster onError startupLog idempotency.owner functions.toSql'],
    [['text', method], 'cacheControl'],
  ])('only %p are accepted by %s', (accepted, paths) => {
    for (const path of paths.split(' ')) {
      const found = values.map((value) => problemsOf({ another: 1, ...configure(path, value) }).filter(isOfOption))
      const shown = (path.split('.').at(-1) ?? '').replace(/s$/, '').toLowerCase()
      const unnamed = found.filter((each) => each.length > 1 && !each.some((one) => one.toLowerCase().includes(shown)))
      // No value hides the problem of another option.
      const hiding = found.filter((each) => !each.some((problem) => problem.includes("'another'")))
      expect([unnamed, hiding]).toEqual([[], []])
      expect([path, ...values.filter((_, index) => found[index]?.length === 1)]).toEqual([path, ...accepted])
    }
  })

  it('undefined leaves out an option', () => {
    const names = Object.keys(DEFAULT_API_OPTIONS)
    expect(problemsOf(Object.fromEntries(names.map((name) => [name, undefined])))).toEqual([])
  })

  it('undefined leaves out a member of an option', async () => {
    const { page, limits, links, capabilities } = DEFAULT_API_OPTIONS
    const options = { page, limits, links, capabilities, operations: { path: '' }, loadShedding: { retryAfter: 1 } }
    const withoutMembers = (given: object) => mapMembers(given, () => undefined)
    const nothing = wrong(mapMembers(options, withoutMembers))
    class Ring {}
    StoredResource('rings', { links: withoutMembers(ALL_LINKS_ENABLED), page: nothing.page })(Ring)
    PrimaryGeneratedColumn()(Ring.prototype, 'id')
    const { dataSource, close } = await openDatabase([Ring])
    const { core } = buildApiWithCore({ dataSource, resources: [Ring], startupLog: false, ...nothing })
    const { graph, options: merged } = core
    expect(merged).toMatchObject({ page, limits, links, capabilities, operations: { path: 'operations' } })
    expect(graph.typeOf(Ring)).toMatchObject({ page, links: ALL_LINKS_ENABLED })
    await close()
  })

  it.each([[null], [undefined], ['text'], [[]]])('is refused in place of all options: %p', (value) => {
    expect(() => createJsonApi(wrong(value))).toThrow(
      /^createJsonApi: it is called with .*\. Give an object: createJsonApi/,
    )
  })
})

const OPEN_API = 'served, title, version, description, servers, securitySchemes, security'

const TOTALS = "Give one of 'exact', 'estimated', false, or { maxCount: 1000 } with a whole number from 1 on."
const CAPABILITIES = 'Give some of attribute, toOne, toMany.'
const PAGE = 'Give some of size, maxSize, maxNumber.'
const OPERATIONS = 'Give path, maxOperations or both, or false.'
const WHOLE_NUMBER = 'Give a whole number from 1, or null for any number.'
const PATH_OR_URL = "Give a path from the root, like '/openapi.json', or a URL."

it.each<[options: object, ...problems: readonly string[]]>([
  [{ loadShedding: null }, 'its loadShedding is null. Give maxConcurrency, queueTimeout, retryAfter, true or false.'],
  [{ openApi: 7 }, `its openApi is 7. Give some of ${OPEN_API}, or true or false.`],
  [{ capabilities: [] }, 'its capabilities is a list. Give an object, or leave it out.'],
  [{ capabilities: 'no' }, `its capabilities have no '0', '1'. ${CAPABILITIES}`],
  [
    { capabilities: { attributes: [] } },
    `its capabilities have no 'attributes'. Did you mean 'attribute'? ${CAPABILITIES}`,
  ],
  [{ page: { maximunSize: 5 } }, `its page has no 'maximunSize'. Did you mean 'maxSize'? ${PAGE}`],
  [{ operations: { maxOperations: 1.5 } }, `its operations.maxOperations is 1.5. ${WHOLE_NUMBER}`],
  [{ totals: { maxCount: 5, downTo: 1 } }, `its totals have no 'downTo'. ${TOTALS}`],
  [{ operations: { limit: 5 } }, `its operations have no 'limit'. ${OPERATIONS}`],
  [
    { operations: { path: 'a/b', maxOperations: 0 } },
    "its operations.path is 'a/b'. Give one name without slashes, like 'operations'.",
    `its operations.maxOperations is 0. ${WHOLE_NUMBER}`,
  ],
  [{ streamThreshold: -1 }, 'its streamThreshold is -1. Give a number of characters, or null.'],
  [{ startupLog: 'silent' }, "its startupLog is 'silent'. Give 'summary', 'warnings', false or a function."],
  [{ meta: { a: 1 } }, 'its meta is an object. Set a function, or remove the option.'],
  [{ preparedStatements: 'sometimes' }, "its preparedStatements is 'sometimes'. Give one of true, false."],
  [{ explain: true }, "its explain is true. Give one of false, 'development', 'always'."],
  [{ describedBy: 'openapi.json' }, `its describedBy is 'openapi.json'. ${PATH_OR_URL}`],
  [{ describedBy: '//example.com' }, `its describedBy is '//example.com'. ${PATH_OR_URL}`],
  [{ describedBy: '/a b' }, `its describedBy is '/a b'. ${PATH_OR_URL}`],
  [{ extensions: [{ uri: 'audit' }] }, "its extension 'audit' has no URI. Give an absolute URI."],
  [{ extensions: [{ uri: 'urn:a b' }] }, "its extension 'urn:a b' has no URI. Give an absolute URI."],
  [
    { extensions: [{ uri: 'urn:a' }, { uri: 'urn:a' }] },
    "its extension 'urn:a' is listed more than once. Name it once, with all of its endpoints.",
  ],
  [
    { extensions: [{ uri: 'urn:a', endpoints: ['fetch'] }] },
    `its extension 'urn:a' has the endpoint 'fetch'. Give some of ${ENDPOINT_NAMES.join(', ')}.`,
  ],
])('refuses %j', (options, ...problems) => {
  expect(problemsOf(options)).toEqual(problems.map((problem) => `createJsonApi: ${problem}`))
})

it.each<[options: object, problem: string]>([
  [{ ifMatch: 'always' }, "its ifMatch is 'always'. Give 'optional' or 'required'."],
  [{ ifMatch: 'required', etags: false }, "its ifMatch is 'required', but its etags are false"],
  [{ maxRetries: -1 }, 'its maxRetries are -1. Give a whole number; 0 for none.'],
  [{ etagSecret: 'short' }, 'its etagSecret is not a text of at least 16 characters.'],
  [{ links: { base: 'api.example.com' } }, "its links.base is 'api.example.com'."],
  [{ links: { base: 'ftp://api.example.com' } }, "its links.base is 'ftp://api.example.com'."],
  [{ links: { base: 'https://example.com?a=b' } }, "its links.base is 'https://example.com?a=b'."],
  [{ links: { resources: false } }, "its links have no 'resources'."],
  [{ openApi: { tilte: 'x' } }, "its openApi has no 'tilte'. Did you mean 'title'? Give some of"],
  [{ openApi: 'yes' }, "its openApi has no '0', '1', '2'."],
  [{ openApi: { title: '' } }, 'its openApi.title is invalid. Give a text that is not empty.'],
  [{ openApi: { servers: [{}] } }, "its openApi.servers is invalid. Give a list of { url: '…' }."],
  [{ openApi: { security: [{ bearer: [] }] } }, 'its openApi.security is invalid. Give a list of objects whose names'],
])('refuses the options %j', (options, problem) => {
  expect(problemsOf(options)).toEqual([expect.stringContaining(`createJsonApi: ${problem}`)])
})

it('refuses operations at the path of a resource type', () => {
  expect(problemsOf({ operations: { path: 'planets' } })).toEqual([
    "Planet: its public name 'planets' is the path of operations. Give it another name in @Resource, or set operations: false or operations: { path: '...' } in createJsonApi.",
  ])
})

it('refuses invalid options of types, attributes and relationships', () => {
  expect(problemsOf({ resources: [Star] })).toEqual([
    "Star: its links.topLevel is 'none'. Give true or false.",
    'Star.above: its links are 1. Give true or false.',
    "Star.below: its links are 'none'. Give true or false.",
    'Star: its description is not a text. Give a text that is not empty, or leave it out.',
    "Star: its deprecated is 'soon'. Give true, or leave it out.",
    'Star.planets: its description is not a text. Give a text that is not empty, or leave it out.',
    expect.stringMatching(/^Star\.half: it is an attribute, but the property has no column of its own\./),
  ])
  expect(problemsOf({ resources: [Moon] })).toEqual([
    expect.stringMatching(
      /^Moon\.craters: its example is not a valid value\. Expected an integer .*, found 'many'\. Set a value as it appears in a document\.$/,
    ),
  ])
}) // anchor: R/F-31

it('reports options that do not exist, with the nearest that does', async () => {
  @StoredResource('notes', wrong({ abstrakt: true, pageSize: 5, clientGeneratedIDs: 'allowed' }))
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Attribute(wrong({ capabilties: ['view'] })) @Column({ type: 'varchar' }) text: string
    @ToOne(wrong({ inverse: 'replies' })) @ManyToOne('Note', 'replies', { nullable: true }) parent: Note | null
    @ToMany(wrong({ totls: false, linkage: 'always' })) @OneToMany('Note', 'parent') replies: Note[]
  }
  const remedy = 'Correct the name, or leave it out.'
  expect(
    await problemsIn([Note], { contxt: () => 1, extensions: [{ uri: 'https://a.example', endpoint: [] }] }),
  ).toEqual([
    `createJsonApi: it has no option 'contxt'. Did you mean 'context'? ${remedy}`,
    `createJsonApi: its extension 'https://a.example' has no 'endpoint'. Did you mean 'endpoints'? ${remedy}`,
    `Note: its @Resource has no option 'abstrakt'. Did you mean 'abstract'? ${remedy}`,
    `Note: its @Resource has no option 'pageSize'. ${remedy}`,
    `Note: its @Resource has no option 'clientGeneratedIDs'. Did you mean 'clientGeneratedIds'? ${remedy}`,
    `Note.text: its @Attribute has no option 'capabilties'. Did you mean 'capabilities'? ${remedy}`,
    `Note.parent: its @ToOne has no option 'inverse'. ${remedy}`,
    `Note.replies: its @ToMany has no option 'totls'. Did you mean 'totals'? ${remedy}`,
    `Note.replies: its @ToMany has no option 'linkage'. Did you mean 'links'? ${remedy}`,
  ])
})

it('reports decorators without parentheses, and with arguments that they do not take', async () => {
  @Loose.Resource
  @Entity()
  class Bare {
    @PrimaryGeneratedColumn() id: number
    @Loose.Attribute @Column({ type: 'varchar' }) text: string
    @Loose.ToOne @ManyToOne('Bare', 'replies', { nullable: true }) parent: Bare | null
    @Loose.ToMany @OneToMany('Bare', 'parent') replies: Bare[]
  }
  @Loose.Resource({ name: 'notes' })
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Loose.Attribute('content', {}) @Column({ type: 'varchar' }) text: string
    @Loose.Attribute(null) @Column({ type: 'varchar' }) title: string
    @Attribute() static size = 1
  }
  @Loose.Resource()
  @Entity()
  class Nameless {
    @PrimaryGeneratedColumn() id: number
  }
  const named =
    "Write @Resource('things') with the public name of the type; options come second: @Resource('things', { … })."
  expect(await problemsIn([Bare, Note, Nameless])).toEqual([
    'Bare.text: its @Attribute has no parentheses. Write @Attribute().',
    'Bare.parent: its @ToOne has no parentheses. Write @ToOne().',
    'Bare.replies: its @ToMany has no parentheses. Write @ToMany().',
    `Bare: its @Resource has no parentheses. ${named}`,
    "Note.text: its @Attribute is called with 'content', { … }. Write @Attribute({ name: '…' }).",
    "Note.title: its @Attribute is called with null. Write @Attribute({ name: '…' }).",
    'Note.size: its @Attribute is on a static property. Remove the decorator or `static`.',
    `Note: its @Resource is called with { … }. ${named}`,
    `Nameless: its @Resource is called with nothing. ${named}`,
  ])
})

it('reports an object that is given to @ChildEntity', async () => {
  @HierarchyRoot('bodies', { abstract: true })
  class Body {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('comets')
  @ChildEntity({ name: 'comet' })
  class Comet extends Body {}
  expect(await problemsIn([Body, Comet])).toContain(
    "Comet: its @ChildEntity has an object. Give @ChildEntity the value itself, @ChildEntity('man'), or nothing for the name of the class.",
  )
})

it('reports members of resources and definitions that are none', async () => {
  class Rules extends ResourceDefinition<Planet> {
    readonly resource = Planet
    beforeWirte() {}
    fitler() {}
    rediret() {}
    /** A method of the application's own. */
    filters() {}
    pages() {}
  }
  class Empty extends ResourceDefinition {
    readonly resource = wrong(undefined)
  }
  class Text extends ResourceDefinition<Planet> {
    readonly resource = Planet
    override readonly sort = wrong('name')
  }
  const definitions = [Rules, new Rules(), {}, undefined, new Empty(), new Text(), new CometRules()]
  const own = 'or make a method of your own private:'
  const schema = new EntitySchema({ name: 'Ring', columns: { id: { type: 'int', primary: true } } })
  expect(
    await problemsIn([Planet, undefined, 'Planet', schema], { definitions, context: 5, onError: 'console' }),
  ).toEqual([
    'createJsonApi: its resources[1] is undefined. Modules that import each other see undefined first: name the class of a relation by a string, and import it once.',
    'createJsonApi: its resources[2] is not a class. Give the class with @Resource.',
    "createJsonApi: its resources[3] is an EntitySchema. Give the class that is its target, and declare it: Resource('things')(Thing).",
    'createJsonApi: its context is not a function. Set a function, or remove the option.',
    'createJsonApi: its onError is not a function. Set a function, or remove the option.',
    'createJsonApi: its definitions[0] is the class Rules. Give an instance: new Rules().',
    `Rules.beforeWirte: it is not a hook. Did you mean 'beforeWrite'? Correct the name, ${own} #beforeWirte().`,
    `Rules.fitler: it is not a hook. Did you mean 'filter'? Correct the name, ${own} #fitler().`,
    `Rules.rediret: it is not a hook. Did you mean 'redirect'? Correct the name, ${own} #rediret().`,
    'createJsonApi: its definitions[2] is not an instance of a class that extends ResourceDefinition. Give instances: definitions: [new NoteDefinition()].',
    'createJsonApi: its definitions[3] is not an instance of a class that extends ResourceDefinition. Give instances: definitions: [new NoteDefinition()].',
    'Empty: it has no resource. Set it to the class that its rules apply to: readonly resource = Note.',
    'Text: there is another definition for Planet. Put the rules of one resource type into one definition.',
    'Text.sort: it is a hook but not a function. Make it a method.',
    'CometRules: its resource Comet is not registered. Add Comet to the resources of createJsonApi, or leave the definition out.',
  ])
}) // anchor: W/A-16

it('reports resources and definitions that are no lists', () => {
  expect(problemsOf({ resources: undefined, definitions: {} })).toEqual([
    'createJsonApi: its resources are missing. Give a list of classes with @Resource.',
    'createJsonApi: its definitions are not a list. Give instances: definitions: [new NoteDefinition()].',
  ])
})

it.each([[undefined], [{}], [DataSource]])('reports a dataSource that is none: %p', (dataSource) => {
  expect(problemsOf({ dataSource })).toEqual([
    'createJsonApi: its dataSource is not a DataSource of TypeORM. Pass an initialized one: await new DataSource({ … }).initialize().',
  ])
})

describe('standard decorators, which compilers emit without experimentalDecorators', () => {
  const text = (column: string) => `
    import { Attribute, Resource } from 'stemma'
    import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
    @Entity()
    @Resource('notes')
    class Note {
      ${column} id!: number
      @Attribute() @Column({ type: 'varchar' }) text!: string
    }`
  const compile = {
    esbuild: (code: string) =>
      transformSync(code, { loader: 'ts', format: 'cjs', target: 'es2022', tsconfigRaw: {} }).code,
    swc: (code: string) =>
      transformWithSwc(code, {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { decoratorVersion: '2022-03' },
          target: 'es2022',
        },
        module: { type: 'commonjs' },
      }).code,
  }
  const run = (code: string) => new Function('require', 'exports', 'module', code)(require, {}, { exports: {} })
  const remedy =
    'Add "experimentalDecorators": true to the compilerOptions of tsconfig.json. tsx and esbuild read the tsconfig.json of the folder that they start in, and tsx applies it only to files that its include or files names.'
  const message = 'the decorators are compiled as standard decorators, which TypeORM does not support.'

  it.each(['esbuild', 'swc'] as const)('are refused before TypeORM fails on them: %s', (compiler) => {
    const code = compile[compiler](text('@PrimaryGeneratedColumn()'))
    expect(() => run(code)).toThrow(new ConfigurationError([{ location: "@Resource('notes')", message, remedy }]))
  })

  it.each([
    ['Attribute', 'class Note { @Attribute() text = 1 }', '@Attribute text'],
    ['Attribute without parentheses', 'class Note { @Attribute text = 1 }', '@Attribute text'],
    ['Resource', "@Resource('notes') class Note { }", '@Resource Note'],
    ['Resource without parentheses', '@Resource class Note { }', '@Resource Note'],
  ])('are refused where a class has no other: %s', (_what, source, location) => {
    const code = compile.esbuild(`import { Attribute, Resource } from 'stemma'\n${source}`)
    expect(() => run(code)).toThrow(new ConfigurationError([{ location, message, remedy }]))
  })

  it('are not taken for those of TypeScript, however these are used', async () => {
    const asResource = Resource('stars')
    await Promise.resolve()
    @Entity()
    class Star {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'varchar' }) text: string
    }
    asResource(Star)
    expect(await problemsIn([Star])).toEqual([])
  })
})
