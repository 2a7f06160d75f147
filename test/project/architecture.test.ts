import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { parseSync } from '@swc/core'

/**
 * Holds `src` to the layout of docs/internals/decisions/004-rooms.md: a room imports from the floors below its own, never sideways or
 * up. Type imports count. The ceiling of functions and the ban of `any` are rules of biome.jsonc.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['document', 'kept'],
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
  ['exchange'],
  ['openapi', 'explorer'],
  ['node-http', 'overview'],
  ['express'],
  ['cli'],
  ['testing', 'client'],
]

/** Packages that belong to one place. */
const KEPT_IN: Readonly<Record<string, string>> = {
  typeorm: 'store/typeorm/',
  sqlite3: 'store/typeorm/sqlite3/',
  express: 'express/',
  '@opentelemetry/api': 'observation/',
  'class-validator': 'validators/',
}

const LONGEST_FILE = 300
const SRC = join(__dirname, '..', '..', 'src')

interface Module {
  /** Below `src`, with slashes: `graph/build-graph.ts`. */
  readonly path: string
  readonly lines: readonly string[]
  /** As written: `./ast`, `node:fs`, `typeorm`. */
  readonly imports: readonly string[]
}

const modules = sourceFiles(SRC).map(readModule)
const rooms = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory() && hasModules(entry.name))

describe('the rooms of src', () => {
  it('have been seen, with their imports', () => {
    expect(modules.length).toBeGreaterThan(30)
    expect(modules.flatMap((module) => module.imports).length).toBeGreaterThan(modules.length)
  })

  it('each have a floor', () => {
    expect(rooms.map((room) => room.name).filter((room) => floorOf(room) === -1)).toEqual([])
  })

  it('each have a README', () => {
    expect(rooms.map((room) => room.name).filter((room) => !existsSync(join(SRC, room, 'README.md')))).toEqual([])
  })

  it('import from lower floors only', () => {
    expect(modules.flatMap(floorMistakes)).toEqual([])
  })

  it('import files that are there', () => {
    const missing = modules.flatMap((module) =>
      neighbours(module)
        .filter((path) => !modules.some((each) => each.path === path))
        .map((path) => `${module.path} imports ${path}`),
    )
    expect(missing).toEqual([])
  })

  it.each([
    ['judges', 'testing'],
    ['runs in browsers', 'client'],
  ])('have one that %s, and knows no other and no package', (_what, room) => {
    const alone = modules.filter(({ path }) => roomOf(path) === room)
    const foreign = alone.flatMap(({ imports }) => imports.filter((specifier) => !/^\.\/[\w-]+$/.test(specifier)))
    expect(alone.length).toBeGreaterThan(5)
    expect(foreign).toEqual([])
  })

  it('have no import circles', () => {
    expect(circles()).toEqual([])
  })

  it.each(Object.entries(KEPT_IN))('import %s only in %s', (name, place) => {
    const foreign = modules.filter((module) => !module.path.startsWith(place) && module.imports.some(isOf(name)))
    expect(foreign.map((module) => module.path)).toEqual([])
  })

  it(`have files of at most ${LONGEST_FILE} lines, or of a reason in the first one`, () => {
    const long = modules.filter(
      ({ lines }) => lines.length > LONGEST_FILE && !/^\/\/ long file: \S/.test(lines[0] ?? ''),
    )
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([])
  })
})

describe('the reading of imports', () => {
  it.each([
    ["import { a } from './a'", './a'],
    ["import type { A } from './a'", './a'],
    ["import './a'", './a'],
    ["export { a } from './a'", './a'],
    ["export type { A } from './a'", './a'],
    ["export * from './a'", './a'],
    ["export const a = import('./a')", './a'],
    ["export type A = import('./a').A", './a'],
    ["export const a = require('./a')", './a'],
    ["import a = require('./a')", './a'],
  ])('finds the one of %s', (source, specifier) => {
    expect(importsOf(source)).toEqual([specifier])
  })
})

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(directory, path))
    .sort()
}

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8')
  const path = relative(SRC, file).split(sep).join('/')
  return { path, lines: source.trimEnd().split('\n'), imports: importsOf(source) }
}

function importsOf(source: string): string[] {
  return specifiersIn(parseSync(source, { syntax: 'typescript', decorators: true }))
}

/** Every place where a module is named, anywhere in a syntax tree. */
function specifiersIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return [...specifierOf(node as SyntaxNode), ...Object.values(node).flatMap(specifiersIn)]
}

/** What is of interest in a node of swc's syntax tree. */
interface SyntaxNode {
  readonly type?: string
  readonly value?: string
  readonly source?: SyntaxNode | null
  readonly argument?: SyntaxNode
  readonly expression?: SyntaxNode
  readonly callee?: SyntaxNode
  readonly arguments?: readonly { readonly expression: SyntaxNode }[]
}

function specifierOf(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return textOf(node.source)
    case 'TsImportType':
      return textOf(node.argument)
    case 'TsExternalModuleReference':
      return textOf(node.expression)
    case 'CallExpression':
      return node.callee?.type === 'Import' || node.callee?.value === 'require'
        ? textOf(node.arguments?.[0]?.expression)
        : []
    default:
      return []
  }
}

function textOf(literal: SyntaxNode | null | undefined): string[] {
  return typeof literal?.value === 'string' ? [literal.value] : []
}

/** The files of `src` that a file imports. */
function neighbours({ path, imports }: Module): string[] {
  return imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => `${posix.join(posix.dirname(path), specifier)}.ts`)
}

function floorMistakes(module: Module): string[] {
  const from = roomOf(module.path)
  return neighbours(module)
    .filter((path) => roomOf(path) !== from && floorOf(roomOf(path)) >= floorOf(from))
    .map((path) => `${module.path} (floor ${floorOf(from)}) imports ${path} (floor ${floorOf(roomOf(path))})`)
}

/** The first folder of a path; `''` for `index.ts`, `client.ts` and their like, which stand above the house. */
function roomOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

function floorOf(room: string): number {
  return room === '' ? FLOORS.length : FLOORS.findIndex((floor) => floor.includes(room))
}

function hasModules(room: string): boolean {
  return modules.some((module) => roomOf(module.path) === room)
}

function isOf(name: string): (specifier: string) => boolean {
  return (specifier) => specifier === name || specifier.startsWith(`${name}/`)
}

/** One circle for each import that closes one: `a.ts -> b.ts -> a.ts`. */
function circles(): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const done = new Set<string>()
  const found: string[] = []
  function walk(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    const module = byPath.get(path)
    if (done.has(path) || module === undefined) return
    done.add(path)
    for (const next of neighbours(module)) walk(next, [...trail, path])
  }
  for (const { path } of modules) walk(path, [])
  return found
}
