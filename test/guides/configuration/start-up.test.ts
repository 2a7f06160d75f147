import {
  type ApiOverview,
  Attribute,
  createJsonApi,
  type JsonApiConfiguration,
  Resource,
  ResourceDefinition,
  ToMany,
  ToOne,
} from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { DATABASE, openDatabase } from '../../support/database'
import { byTables } from '../../support/lay-tables'
import { setUp } from '../../support/set-up'

@Resource('works', { abstract: true })
@Entity('work')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Work {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) year: number
  @ToOne() @ManyToOne('Gallery', 'works', { nullable: true }) gallery: Gallery | null
}

@Resource('drawings')
@ChildEntity()
class Drawing extends Work {
  @Attribute() @Column({ type: 'int' }) sheets: number
}

@Resource('sketches')
@ChildEntity()
class Sketch extends Drawing {
  @Attribute() @Column({ type: 'int' }) minutes: number
}

@Resource('galleries', { endpoints: ['getCollection', 'getResource'] })
@Entity('gallery')
class Gallery {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Work', 'gallery') works: Work[]
}

class DrawingRules extends ResourceDefinition<Drawing> {
  readonly resource = Drawing
}

const database = setUp(() => openDatabase([Gallery, Sketch, Drawing, Work]))

type Options = Partial<JsonApiConfiguration>

function start(options: Options = {}) {
  const resources = [Gallery, Sketch, Drawing, Work]
  const definitions = [new DrawingRules()]
  return createJsonApi({ dataSource: database.dataSource, resources, definitions, ...options })
}

/** The output at start-up with these environment variables. */
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

/** InnoDB creates indexes for foreign keys itself. */
const warnings = DATABASE === 'mariadb' ? 0 : byTables({ single: 1, joined: 1, perConcreteType: 2 })

describe('the option startUp', () => {
  it('prints types below their bases, options that are not defaults, and warnings', () => {
    const [text = '', ...others] = printedIn({ NODE_ENV: undefined }, { page: { size: 20 }, openApi: 'on' })
    const lines = text.split('\n')
    expect(others).toEqual([])
    expect(lines).toEqual([
      `stemma serves 4 resource types from ${database.dataSource.options.type}:`,
      '  /galleries               0 attributes  1 relationship',
      '  /works         abstract  1 attribute   1 relationship',
      '    /drawings              2 attributes  1 relationship  DrawingRules',
      '      /sketches            3 attributes  1 relationship',
      '  /operations    POST  Up to 100 operations, of which all are kept or none',
      '  /openapi.json  GET   The OpenAPI document',
      '  /              GET   The explorer, here and at all other paths, in a browser',
      '  page: { size: 20 }',
      "  openApi: { served: 'on' }",
      ...Array(warnings).fill(expect.stringMatching(/^ {2}warning: Work\.gallery: no index on .* Put @Index\(\)/)),
    ])
  })

  it.each<[string, Record<string, string>, Options, 'all' | 'warnings' | 'nothing']>([
    ['during development', { NODE_ENV: 'development' }, {}, 'all'],
    ['in production', { NODE_ENV: 'production' }, {}, 'warnings'],
    ['in tests', { NODE_ENV: 'test' }, {}, 'warnings'],
    ["in Node's own tests", { NODE_ENV: '', NODE_TEST_CONTEXT: 'child-v8' }, {}, 'warnings'],
    ['in production with printed', { NODE_ENV: 'production' }, { startUp: 'printed' }, 'all'],
    ['during development with warnings', { NODE_ENV: 'development' }, { startUp: 'warnings' }, 'warnings'],
    ['with quiet', { NODE_ENV: 'development' }, { startUp: 'quiet' }, 'nothing'],
    ['with a function', { NODE_ENV: 'development' }, { startUp: () => {} }, 'nothing'],
  ])('%s, it prints the expected parts', (_when, environment, options, expected) => {
    const printed = printedIn(environment, options)
    const warned = expect.stringMatching(/^stemma: Work\.gallery: no index on .* is declared/)
    const all = [expect.stringMatching(/^stemma serves 4 resource types/)]
    expect(printed).toEqual({ all, warnings: Array(warnings).fill(warned), nothing: [] }[expected])
  })

  it('can be a function that receives the overview', () => {
    const received: ApiOverview[] = []
    const api = start({ startUp: (overview) => received.push(overview) })
    expect(received).toEqual([api.overview()])
    expect(received[0]?.warnings).toHaveLength(warnings)
  })

  it('does not reveal secrets', () => {
    const { options } = start({ startUp: 'quiet', etagKey: 'hunter2 hunter2 hunter2' }).overview()
    expect(options).toEqual({ etagKey: 'a secret' })
  })
})

describe('the overview', () => {
  it('lists each type before its derived types', () => {
    const { types } = start({ startUp: 'quiet' }).overview()
    expect(types.map(({ name, base, isAbstract }) => [name, base, isAbstract])).toEqual([
      ['galleries', undefined, false],
      ['works', undefined, true],
      ['drawings', 'works', false],
      ['sketches', 'drawings', false],
    ])
    expect(types.at(-1)).toMatchObject({
      resourceClass: 'Sketch',
      attributes: expect.arrayContaining(['minutes', 'sheets', 'year']),
      relationships: ['gallery'],
      definition: undefined,
    })
  })

  it('lists only enabled endpoints', () => {
    const { endpoints } = start({ startUp: 'quiet', operations: 'off', explorer: 'off' }).overview()
    const ofType = (name: string) => endpoints.filter(({ type }) => type === name)
    expect(ofType('galleries')).toEqual([
      { method: 'GET', path: '/galleries', type: 'galleries', does: 'A page of galleries' },
      { method: 'GET', path: '/galleries/{id}', type: 'galleries', does: 'One of galleries' },
    ])
    expect(ofType('works').map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['GET /works', 'POST /works', 'GET /works/{id}', 'PATCH /works/{id}', 'DELETE /works/{id}'],
      ...['GET /works/{id}/gallery', 'GET /works/{id}/relationships/gallery'],
      'PATCH /works/{id}/relationships/gallery',
    ])
    expect(endpoints.filter(({ type }) => type === undefined)).toEqual([])
  })
})
