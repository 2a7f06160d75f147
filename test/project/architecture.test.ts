import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { parseSync } from '@swc/core'

/**
 * The folders of `src`, the lowest first (docs/internals/architecture.md). A module imports only from lower layers, type imports included.
 * biome.jsonc limits the length of functions and forbids `any`.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['document', 'cache'],
  ['errors'],
  ['declarations'],
  ['graph'],
  ['query', 'records'],
  ['definitions', 'request', 'validators', 'observation'],
  ['plan'],
  ['store'],
  ['response'],
  ['endpoints'],
  ['operations'],
  ['request-handler'],
  ['openapi', 'explorer'],
  ['node-http', 'api-summary'],
  ['express'],
  ['cli'],
  ['testing', 'client'],
]

/** The folders inside large modules, the lowest first. */
const STORE_LAYERS: readonly (readonly string[])[] = [
  ...[['sql'], ['dialects'], ['metadata'], ['inheritance'], ['mapping'], ['drivers'], ['sqlite3'], ['transactions']],
  ...[['joins'], ['filters'], ['select'], ['diagnostics'], ['idempotency'], ['cluster'], ['reading'], ['writing']],
]

const GRAPH_LAYERS: readonly (readonly string[])[] = [['model'], ['options'], ['checks']]
const QUERY_LAYERS: readonly (readonly string[])[] = [['tree'], ['parsing'], ['parameters']]
const REQUEST_LAYERS: readonly (readonly string[])[] = [['http'], ['intent'], ['values'], ['body'], ['operations']]

/** Packages that only one folder may import. */
const OWNERS = {
  typeorm: 'store/typeorm/',
  sqlite3: 'store/typeorm/sqlite3/',
  express: 'express/',
  '@opentelemetry/api': 'observation/',
  'class-validator': 'validators/',
}

/** Folders of `src/store/typeorm` that may import files of TypeORM beside its entry. */
const TYPEORM_FILES = /^store\/typeorm\/(?:drivers|inheritance|metadata|sqlite3|transactions)\//

/** The files that hold what TypeORM and the drivers do not declare for applications, with the members that no other file may name. */
const INTERNALS = {
  'drivers/typeorm-internals.ts':
    /\b(?:databaseConnection|isLogEnabledFor|createDatabaseConnection|transactionDepth)\b/,
  'drivers/pg-internals.ts': /\b(?:processID|handleReadyForQuery|parsedStatements)\b/,
  'drivers/mysql2-internals.ts': /\bon\?\.\('error'/,
  'inheritance/build-metadata-offline.ts': /\bas unknown as DataSourceInternals\b/,
}

const MAXIMUM_LINES = 300
const EXPORT = /^export (?:abstract |async )?(?:function\*?|const|class|interface|type) (\w+)/
const SRC = join(__dirname, '..', '..', 'src')

interface SourceFile {
  /** Below `src`, with slashes: `graph/build-graph.ts`. */
  readonly path: string
  readonly lines: readonly string[]
  /** As written: `./ast`, `node:fs`, `typeorm`. */
  readonly imports: readonly string[]
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readSource(join(SRC, path)))

describe('the modules of src', () => {
  it('are found with their imports', () => {
    expect(files.length).toBeGreaterThan(30)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(files.length)
  })

  // The client builds the same filters as the server, decorators declare what the graph describes, `testing` and the page import nothing of `src`.
  it('give each exported name one meaning', () => {
    const own = files.filter(({ path }) => !/^(?:client|declarations|testing|explorer\/page)\//.test(path))
    const names = own.flatMap(({ lines }) => [...new Set(lines.flatMap((line) => EXPORT.exec(line)?.[1] ?? []))])
    expect(names.length).toBeGreaterThan(1000)
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
  })

  it('import only existing files, without cycles', () => {
    const paths = files.map(({ path }) => path)
    const missing = files.flatMap((file) => importedFiles(file).filter((path) => !paths.includes(path)))
    expect(missing).toEqual([])
    expect(findCycles()).toEqual([])
  })

  it.each(['testing', 'client'])('include %s, which imports no other module and no package', (name) => {
    const own = files.filter(({ path }) => path.startsWith(`${name}/`))
    expect(own.length).toBeGreaterThan(5)
    expect(own.flatMap(({ imports }) => imports.filter((each) => !/^\.\/[\w-]+$/.test(each)))).toEqual([])
  })

  it.each(Object.entries(OWNERS))('import %s only in %s', (name, owner) => {
    const importsPackage = ({ imports }: SourceFile) =>
      imports.some((each) => each === name || each.startsWith(`${name}/`))
    const others = files.filter((file) => !file.path.startsWith(owner) && importsPackage(file))
    expect(others.map(({ path }) => path)).toEqual([])
  })

  it('import files of TypeORM beside its entry only where its internals are used', () => {
    const importing = files.filter(({ imports }) => imports.some((each) => each.startsWith('typeorm/')))
    expect(importing.length).toBeGreaterThan(2)
    expect(importing.map(({ path }) => path).filter((path) => !TYPEORM_FILES.test(path))).toEqual([])
  })

  it.each(Object.entries(INTERNALS))('name the internal members of %s nowhere else', (owner, members) => {
    const others = files.filter(({ path }) => !path.startsWith('store/typeorm/sqlite3/'))
    const naming = others.filter(({ lines }) => lines.some((line) => members.test(line)))
    expect(naming.map(({ path }) => path)).toEqual([`store/typeorm/${owner}`])
  })

  it(`have files of at most ${MAXIMUM_LINES} lines, or a reason in the first line`, () => {
    const long = files.filter(
      ({ lines }) => lines.length > MAXIMUM_LINES && !/^\/\/ long file: \S/.test(lines[0] ?? ''),
    )
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([])
  })
})

describe.each([
  ['src', '', LAYERS],
  ['src/graph', 'graph/', GRAPH_LAYERS],
  ['src/query', 'query/', QUERY_LAYERS],
  ['src/request', 'request/', REQUEST_LAYERS],
  ['src/store/typeorm', 'store/typeorm/', STORE_LAYERS],
])('the folders of %s', (_name, parent, layers) => {
  const inside = files.filter(({ path }) => path.startsWith(parent))
  const folders = [...new Set(inside.map(({ path }) => folderOf(path)))].filter((name) => name !== '')

  it('each belong to a layer and have a README', () => {
    expect(folders.filter((name) => layerOf(name) === -1)).toEqual([])
    expect(folders.filter((name) => !existsSync(join(SRC, parent, name, 'README.md')))).toEqual([])
    expect([...folders].sort()).toEqual(layers.flat().sort())
  })

  it('import only from lower layers', () => expect(inside.flatMap(violationsIn)).toEqual([]))

  function violationsIn(file: SourceFile): string[] {
    const from = folderOf(file.path)
    return importedFiles(file)
      .filter((path) => path.startsWith(parent) && folderOf(path) !== from && layerOf(folderOf(path)) >= layerOf(from))
      .map((path) => `${file.path} (layer ${layerOf(from)}) imports ${path} (layer ${layerOf(folderOf(path))})`)
  }

  /** The first folder of a path below `parent`; `''` for files such as `index.ts`, which may import everything. */
  function folderOf(path: string): string {
    const below = path.slice(parent.length)
    return below.includes('/') ? below.slice(0, below.indexOf('/')) : ''
  }

  function layerOf(name: string): number {
    return name === '' ? layers.length : layers.findIndex((layer) => layer.includes(name))
  }
})

it.each([
  ...["import { a } from './a'", "import type { A } from './a'", "import './a'", "export { a } from './a'"],
  ...["export type { A } from './a'", "export * from './a'", "export const a = import('./a')"],
  ...["export type A = import('./a').A", "export const a = require('./a')", "import a = require('./a')"],
])('finds the import of %s', (source) => expect(specifiersIn(parse(source))).toEqual(['./a']))

function readSource(file: string): SourceFile {
  const source = readFileSync(file, 'utf8')
  const path = relative(SRC, file).split(sep).join('/')
  return { path, lines: source.trimEnd().split('\n'), imports: specifiersIn(parse(source, path)) }
}

function parse(source: string, path = ''): unknown {
  return parseSync(source, { syntax: 'typescript', decorators: true, tsx: path.endsWith('.tsx') })
}

/** The parts of a node of swc's syntax tree that name another file. */
interface SyntaxNode {
  readonly type?: string
  readonly value?: string
  readonly source?: SyntaxNode | null
  readonly argument?: SyntaxNode
  readonly expression?: SyntaxNode
  readonly callee?: SyntaxNode
  readonly arguments?: readonly { readonly expression: SyntaxNode }[]
}

function specifiersIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const literal = specifierOf(node as SyntaxNode)
  const nested = Object.values(node).flatMap(specifiersIn)
  return typeof literal?.value === 'string' ? [literal.value, ...nested] : nested
}

function specifierOf({ type, source, argument, expression, callee, ...node }: SyntaxNode) {
  if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(type ?? '')) return source
  if (type === 'TsImportType') return argument
  if (type === 'TsExternalModuleReference') return expression
  const isImport = callee?.type === 'Import' || callee?.value === 'require'
  return type === 'CallExpression' && isImport ? node.arguments?.[0]?.expression : undefined
}

function importedFiles({ path, imports }: SourceFile): string[] {
  const relatives = imports.filter((specifier) => specifier.startsWith('.'))
  return relatives.map((specifier) => {
    const imported = posix.join(posix.dirname(path), specifier)
    return existsSync(join(SRC, `${imported}.tsx`)) ? `${imported}.tsx` : `${imported}.ts`
  })
}

/** Import cycles such as `a.ts -> b.ts -> a.ts`. */
function findCycles(): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const visited = new Set<string>()
  const cycles: string[] = []
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    const file = byPath.get(path)
    if (visited.has(path) || file === undefined) return
    visited.add(path)
    for (const next of importedFiles(file)) visit(next, [...trail, path])
  }
  for (const { path } of files) visit(path, [])
  return cycles
}
