import { transformSync as transformWithSwc } from '@swc/core'
import { transformSync } from 'esbuild'
import { Attribute, ConfigurationError, createJsonApi, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  DataSource,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { openDatabase } from '../../support/database'

// Decorators, options and definitions that are written wrong are reported by createJsonApi, all together.

/** A value or a use that only JavaScript allows. */
// biome-ignore lint/suspicious/noExplicitAny: the tests pass options that the types forbid
const wrong = (value: unknown) => value as any

/** The decorators for any arguments. */
const Loose = { Resource: wrong(Resource), Attribute: wrong(Attribute), ToOne: wrong(ToOne), ToMany: wrong(ToMany) }

async function problemsOf(resources: readonly unknown[], options: object = {}): Promise<readonly string[]> {
  const classes = resources.filter((each) => typeof each === 'function') as never
  const database = await openDatabase(classes)
  try {
    createJsonApi({ dataSource: database.dataSource, resources: wrong(resources), startUp: 'quiet', ...options })
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.split('\n')
  } finally {
    await database.close()
  }
}

@Resource('planets')
@Entity()
class Planet {
  @PrimaryGeneratedColumn() id: number
}

it('reports options that do not exist, with the nearest that does', async () => {
  @Resource('notes', wrong({ abstrakt: true, pageSize: 5, clientIDs: 'allowed' }))
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Attribute(wrong({ capabilties: ['view'] })) @Column({ type: 'varchar' }) text: string
    @ToOne(wrong({ inverse: 'replies' })) @ManyToOne('Note', 'replies', { nullable: true }) parent: Note | null
    @ToMany(wrong({ totls: 'off', linkage: 'always' })) @OneToMany('Note', 'parent') replies: Note[]
  }
  const remedy = 'Correct the name, or leave it out.'
  expect(
    await problemsOf([Note], { contxt: () => 1, extensions: [{ uri: 'https://a.example', endpoint: [] }] }),
  ).toEqual([
    `createJsonApi: it has no option 'contxt'. Did you mean 'context'? ${remedy}`,
    `createJsonApi: its extension 'https://a.example' has no 'endpoint'. Did you mean 'endpoints'? ${remedy}`,
    `Note: its @Resource has no option 'abstrakt'. Did you mean 'abstract'? ${remedy}`,
    `Note: its @Resource has no option 'pageSize'. ${remedy}`,
    `Note: its @Resource has no option 'clientIDs'. Did you mean 'clientIds'? ${remedy}`,
    `Note.text: its @Attribute has no option 'capabilties'. Did you mean 'capabilities'? ${remedy}`,
    `Note.parent: its @ToOne has no option 'inverse'. ${remedy}`,
    `Note.replies: its @ToMany has no option 'totls'. Did you mean 'totals'? ${remedy}`,
    `Note.replies: its @ToMany has no option 'linkage'. Did you mean 'links'? ${remedy}`,
  ])
})

it('reports values that are none of their options', async () => {
  @Resource('notes', wrong({ abstract: 'no', pagination: 'cursor', clientIds: 'yes', page: 5, links: 'off' }))
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Attribute(wrong({ name: 5 })) @Column({ type: 'varchar' }) text: string
    @ManyToOne('Note', 'replies', { nullable: true }) parent: Note | null
    @ToMany(wrong({ pagination: 'pages', totals: { upTo: 5, downTo: 1 } })) @OneToMany('Note', 'parent') replies: Note[]
  }
  const found = await problemsOf([Note], { pagination: 'page', clientIds: 'never' })
  expect(found.map((each) => each.replace(/\. .*/, '.')).toSorted()).toEqual([
    "Note.replies: its pagination is 'pages'.",
    "Note.replies: its totals have no 'downTo'.",
    "Note.text: its public name '5' is not a legal one.",
    "Note: its abstract is 'no'.",
    "Note: its clientIds is 'yes'.",
    "Note: its links are 'off'.",
    'Note: its page is 5.',
    "Note: its pagination is 'cursor'.",
    "createJsonApi: its clientIds is 'never'.",
    "createJsonApi: its pagination is 'page'.",
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
  expect(await problemsOf([Bare, Note, Nameless])).toEqual([
    'Bare.text: its @Attribute has no parentheses. Write @Attribute().',
    'Bare.parent: its @ToOne has no parentheses. Write @ToOne().',
    'Bare.replies: its @ToMany has no parentheses. Write @ToMany().',
    `Bare: its @Resource has no parentheses. ${named}`,
    "Note.text: its @Attribute is given 'content', { … }. Write @Attribute({ name: '…' }).",
    "Note.title: its @Attribute is given null. Write @Attribute({ name: '…' }).",
    'Note.size: its @Attribute is on a static property. Take the decorator or `static` away.',
    `Note: its @Resource is given { … }. ${named}`,
    `Nameless: its @Resource is given nothing. ${named}`,
  ])
})

it('reports an object that is given to @ChildEntity', async () => {
  @Resource('bodies', { abstract: true })
  @Entity()
  @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
  class Body {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('comets')
  @ChildEntity({ name: 'comet' })
  class Comet extends Body {}
  const problems = await problemsOf([Body, Comet])
  expect(problems).toContain(
    "Comet: its @ChildEntity is given an object. Give @ChildEntity the value itself, @ChildEntity('man'), or nothing for the name of the class.",
  )
})

it('reports members of resources and definitions that are none', async () => {
  class Rules extends ResourceDefinition<Planet> {
    readonly resource = Planet
    beforeWirte() {}
    fitler() {}
    seeother() {}
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
  const definitions = [Rules, new Rules(), {}, undefined, new Empty(), new Text()]
  const own = 'or make a method of your own private:'
  expect(await problemsOf([Planet, undefined, 'Planet'], { definitions, context: 5, report: 'console' })).toEqual([
    'createJsonApi: its resources[1] is undefined. Modules that import each other see undefined first: name the class of a relation by a string, and import it once.',
    'createJsonApi: its resources[2] is no class. Give the class that has @Resource.',
    'createJsonApi: its context is no function. Give a function, or leave it out.',
    'createJsonApi: its report is no function. Give a function, or leave it out.',
    'createJsonApi: its definitions[0] is the class Rules. Give an instance: new Rules().',
    `Rules.beforeWirte: it is no hook. Did you mean 'beforeWrite'? Correct the name, ${own} #beforeWirte().`,
    `Rules.fitler: it is no hook. Did you mean 'filter'? Correct the name, ${own} #fitler().`,
    `Rules.seeother: it is no hook. Did you mean 'seeOther'? Correct the name, ${own} #seeother().`,
    'createJsonApi: its definitions[2] is no instance of a class that extends ResourceDefinition. Give instances: definitions: [new NoteDefinition()].',
    'createJsonApi: its definitions[3] is no instance of a class that extends ResourceDefinition. Give instances: definitions: [new NoteDefinition()].',
    'Empty: it has no resource. Name the class that its rules are for: readonly resource = Note.',
    'Text: there is another definition for Planet. Put the rules of one resource type into one definition.',
    'Text.sort: it is a hook, and no function. Make it a method.',
  ])
})

it('reports resources and definitions that are no lists', async () => {
  const { dataSource, close } = await openDatabase([Planet])
  const parts = { dataSource, startUp: 'quiet', definitions: {} }
  expect(() => createJsonApi(wrong(parts))).toThrow(
    [
      'createJsonApi: its resources are missing. Give a list of classes with @Resource.',
      'createJsonApi: its definitions are no list. Give instances: definitions: [new NoteDefinition()].',
    ].join('\n'),
  )
  await close()
})

it.each([[undefined], [{}], [DataSource]])('reports a dataSource that is none: %p', (dataSource) => {
  expect(() => createJsonApi(wrong({ dataSource, resources: [Planet] }))).toThrow(
    'createJsonApi: its dataSource is no DataSource of TypeORM. Give an initialized one: await new DataSource({ … }).initialize().',
  )
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
    'Add "experimentalDecorators": true to the compilerOptions of tsconfig.json. tsx and esbuild read the tsconfig.json of the folder that they start in.'
  const problem = 'the decorators are compiled as standard decorators, which TypeORM does not support.'

  it.each(['esbuild', 'swc'] as const)('are refused before TypeORM fails on them: %s', (compiler) => {
    const code = compile[compiler](text('@PrimaryGeneratedColumn()'))
    expect(() => run(code)).toThrow(new ConfigurationError([{ at: "@Resource('notes')", problem, remedy }]))
  })

  it.each([
    ['Attribute', 'class Note { @Attribute() text = 1 }', '@Attribute text'],
    ['Attribute without parentheses', 'class Note { @Attribute text = 1 }', '@Attribute text'],
    ['Resource', "@Resource('notes') class Note { }", '@Resource Note'],
    ['Resource without parentheses', '@Resource class Note { }', '@Resource Note'],
  ])('are refused where a class has no other: %s', (_what, source, at) => {
    const code = compile.esbuild(`import { Attribute, Resource } from 'stemma'\n${source}`)
    expect(() => run(code)).toThrow(new ConfigurationError([{ at, problem, remedy }]))
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
    expect(await problemsOf([Star])).toEqual([])
  })
})
