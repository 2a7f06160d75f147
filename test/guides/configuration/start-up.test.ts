import { type ApiSummary, createJsonApi, defineFunction, type JsonApiOptions, ResourceDefinition } from 'stemma'
import { setUp } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { KeysInMemory } from '../../support/keys-in-memory'
import { byLayout } from '../../support/table-layout'
import { Boat, VESSELS } from '../../support/writing-models'

const database = setUp(() => openDatabase(VESSELS))
type Options = Partial<JsonApiOptions>

class BoatRules extends ResourceDefinition<Boat> {
  readonly resource = Boat
}

function start(options: Options = {}) {
  const definitions = [new BoatRules()]
  return createJsonApi({ dataSource: database.dataSource, resources: VESSELS, definitions, ...options })
}

function printedIn(environment: NodeJS.ProcessEnv, options: Options = {}): readonly string[] {
  const { warn } = console
  const { env } = process
  const printed: string[] = []
  console.warn = (text: string) => printed.push(text)
  process.env = { ...env, NODE_TEST_CONTEXT: undefined, ...environment }
  try {
    start(options)
    return printed
  } finally {
    console.warn = warn
    process.env = env
  }
}

/** InnoDB creates indexes for foreign keys itself. A reference to rows of several tables has no foreign key. */
const missing =
  DATABASE === 'mariadb'
    ? byLayout({ single: 0, joined: 0, tablePerConcreteClass: 5 })
    : byLayout({ single: 3, joined: 3, tablePerConcreteClass: 9 })
/** On SQLite all text is sorted byte by byte; elsewhere one warning names the columns of text. */
const warnings = missing + (DATABASE === 'sqlite' ? 0 : 1)

describe('the option startupLog', () => {
  it('prints types below their bases, options that are not defaults, and warnings', () => {
    const [text = '', ...others] = printedIn({ NODE_ENV: undefined }, { page: { size: 20 }, openApi: true })
    const lines = text.split('\n')
    expect(others).toEqual([])
    expect(lines).toEqual([
      `stemma serves 7 resource types from ${database.dataSource.options.type}:`,
      '  /vessels        abstract  1 attribute   2 relationships',
      '    /boats                  2 attributes  2 relationships  BoatRules',
      '      /sailboats            3 attributes  2 relationships  BoatRules of boats',
      '    /ships        abstract  2 attributes  2 relationships',
      '      /tugs                 2 attributes  2 relationships',
      '      /ferries              2 attributes  3 relationships',
      '  /harbours                 1 attribute   3 relationships',
      '  /operations    POST  Up to 100 operations in one transaction',
      '  /openapi.json  GET   The OpenAPI document',
      '  /              GET   The explorer, here and at all other paths, in a browser',
      '  page: { size: 20 }',
      '  openApi: { served: true }',
      ...Array(warnings).fill(
        expect.stringMatching(/^ {2}warning: [\w., ]+: (no index on .* Add @Index\(\)|its sort order)/),
      ),
    ])
  })

  it.each<[string, Record<string, string>, Options, 'all' | 'warnings' | 'nothing']>([
    ['during development', { NODE_ENV: 'development' }, {}, 'all'],
    ['in production', { NODE_ENV: 'production' }, {}, 'warnings'],
    ['in tests', { NODE_ENV: 'test' }, {}, 'warnings'],
    ["in Node's own tests", { NODE_ENV: '', NODE_TEST_CONTEXT: 'child-v8' }, {}, 'warnings'],
    ['in production with summary', { NODE_ENV: 'production' }, { startupLog: 'summary' }, 'all'],
    ['during development with warnings', { NODE_ENV: 'development' }, { startupLog: 'warnings' }, 'warnings'],
    ['with false', { NODE_ENV: 'development' }, { startupLog: false }, 'nothing'],
    ['with a function', { NODE_ENV: 'development' }, { startupLog: () => {} }, 'nothing'],
  ])('%s, it prints the expected parts', (_when, environment, options, expected) => {
    const printed = printedIn(environment, options)
    const warned = expect.stringMatching(/^stemma: [\w., ]+: (no index on .* is declared|its sort order)/)
    const all = [expect.stringMatching(/^stemma serves 7 resource types/)]
    expect(printed).toEqual({ all, warnings: Array(warnings).fill(warned), nothing: [] }[expected])
  })

  it('can be a function that receives the summary', () => {
    const received: ApiSummary[] = []
    const api = start({ startupLog: (summary) => received.push(summary) })
    expect(received).toEqual([api.summary()])
    expect(received[0]?.warnings).toHaveLength(warnings)
  })
})

describe('the summary', () => {
  it('has the names of custom functions, and no functions within options', () => {
    const types = { argumentTypes: ['string'], returnType: 'boolean' } as const
    const isLong = defineFunction({ name: 'isLong', ...types, toSql: (sql) => sql`1` })
    const idempotency = { owner: () => 'all', store: new KeysInMemory() }
    const { options } = start({ startupLog: false, functions: [isLong], idempotency }).summary()
    expect(options).toMatchObject({ functions: "[ 'isLong' ]", idempotency: expect.not.stringContaining('owner') })
  })

  // Each type before its derived types: what startupLog prints.
  it('lists each type with its fields and its definition', () => {
    const { types } = start({ startupLog: false }).summary()
    expect(types[2]).toMatchObject({
      base: 'boats',
      isAbstract: false,
      resourceClass: 'Sailboat',
      attributes: expect.arrayContaining(['masts', 'oars', 'name']),
      relationships: ['harbour', 'escort'],
      definition: 'BoatRules',
      definitionInheritedFrom: 'boats',
    })
  })

  it('lists only enabled endpoints', () => {
    const listed = (name: string | undefined, options: Options = {}) =>
      start({ startupLog: false, ...options })
        .summary()
        .endpoints.filter(({ type }) => type === name)
    expect(listed('boats', { endpoints: ['getCollection', 'getResource'] })).toEqual([
      { method: 'GET', path: '/boats', type: 'boats', description: 'A page of boats' },
      { method: 'GET', path: '/boats/{id}', type: 'boats', description: 'One of boats' },
    ])
    expect(listed('tugs').map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['GET /tugs', 'POST /tugs', 'GET /tugs/{id}', 'PATCH /tugs/{id}', 'DELETE /tugs/{id}'],
      ...['GET /tugs/{id}/harbour', 'GET /tugs/{id}/escort'],
      ...['GET /tugs/{id}/relationships/harbour', 'PATCH /tugs/{id}/relationships/harbour'],
      ...['GET /tugs/{id}/relationships/escort', 'PATCH /tugs/{id}/relationships/escort'],
    ])
    expect(listed(undefined, { operations: false, explorer: false })).toEqual([])
  })
})
