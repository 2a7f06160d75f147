import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type UnmeasuredFiles = Readonly<{ files: readonly string[]; on: 'all' | readonly string[]; why: string }>
type Configuration = Readonly<{ comparedWith?: string; skippedWith?: string }>
type Row = Readonly<{ marks: Readonly<Record<string, string>> }>

const { configurationsOf, skippedPatterns, runsOn, testFiles } = require('../../scripts/runs-on') as {
  configurationsOf(file: string): readonly string[]
  skippedPatterns(name: string, level?: string): readonly string[]
  runsOn(file: string, name: string, level?: string): boolean
  testFiles(): readonly string[]
}
const { UNMEASURED_FILES, findUnmeasured } = require('../../scripts/matrix/unmeasured-files') as {
  readonly UNMEASURED_FILES: readonly UnmeasuredFiles[]
  findUnmeasured(file: string): UnmeasuredFiles | undefined
}
const { SAMPLE, sampleOf, UNSAMPLED } = require('../../scripts/matrix/sample') as {
  readonly SAMPLE: readonly UnmeasuredFiles[]
  readonly UNSAMPLED: readonly string[]
  sampleOf(name: string): readonly string[]
}
const { readTable } = require('../../scripts/matrix/table') as { readTable(): ReadonlyMap<string, Row> }
const { DATABASES } = require('../../scripts/databases') as {
  readonly DATABASES: Readonly<Record<string, Configuration>>
}

const ROOT = join(__dirname, '..', '..')
const files = testFiles()
const names = Object.keys(DATABASES)

it('finds the test files, and runs each of them on SQLite at least', () => {
  expect(files).toContain('test/spec/coverage.test.ts')
  expect(files.filter((file) => !runsOn(file, 'sqlite'))).toEqual([])
})

it('runs a file that was not measured on every configuration', () => {
  expect(configurationsOf('test/new.test.ts')).toEqual(names)
})

it('leaves out exactly the files that do not run on a configuration', () => {
  const [pattern = ''] = skippedPatterns('sqlite-logged')
  const isSkipped = new RegExp(pattern.replace('<rootDir>/', '^'))
  expect(files.filter((file) => isSkipped.test(file))).toEqual(files.filter((file) => !runsOn(file, 'sqlite-logged')))
  expect(skippedPatterns('')).toEqual([])
})

it('leaves files that no other code tells apart to the longer level', () => {
  const [pattern = ''] = skippedPatterns('postgres', 'ci')
  const left = files.filter((file) => runsOn(file, 'postgres') && !runsOn(file, 'postgres', 'ci'))
  expect(left.filter((file) => readTable().get(file)?.marks.postgres !== 'v')).toEqual([])
  expect(left.filter((file) => !new RegExp(pattern.replace('<rootDir>/', '^')).test(file))).toEqual([])
  expect(left.length).toBeGreaterThan(0)
})

it('compares each configuration with one that exists', () => {
  const named = Object.values(DATABASES).flatMap(({ comparedWith, skippedWith }) => [comparedWith, skippedWith])
  expect(named.filter((name) => name !== undefined && !names.includes(name))).toEqual([])
  expect(names.filter((name) => DATABASES[name]?.comparedWith === undefined)).toEqual(['sqlite'])
})

it('has rows in the table only for test files that exist', () => {
  expect([...readTable().keys()].filter((file) => !files.includes(file))).toEqual([])
})

it('names by hand only files and configurations that exist, with a reason', () => {
  expect(UNMEASURED_FILES.filter(({ on }) => on !== 'all' && on.some((name) => !names.includes(name)))).toEqual([])
  expect(UNMEASURED_FILES.flatMap((each) => each.files).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  expect(UNMEASURED_FILES.filter(({ why }) => why === '')).toEqual([])
})

it('names by hand each file that starts processes: what they execute is not measured', () => {
  const starting = files.filter((file) => [...reached(file)].some(startsProcesses))
  expect(starting).toContain('test/guides/examples/ending.test.ts')
  expect(starting.filter((file) => findUnmeasured(file) === undefined)).toEqual([])
})

describe('the covering sample', () => {
  it('has files for each configuration that does not run the whole suite in CI', () => {
    expect(names.filter((name) => sampleOf(name).length === 0)).toEqual(UNSAMPLED)
  })

  it('names only files and configurations that exist, with a reason', () => {
    expect(SAMPLE.flatMap((each) => each.files).filter((file) => !files.includes(file))).toEqual([])
    expect(SAMPLE.flatMap(({ on }) => [...on]).filter((name) => !names.includes(name))).toEqual([])
    expect(SAMPLE.filter(({ why }) => why === '')).toEqual([])
  })

  it('has no file for a configuration that the file does not tell apart', () => {
    const idle = names.flatMap((name) =>
      sampleOf(name)
        .filter((file) => !runsOn(file, name))
        .map((file) => `${name}: ${file}`),
    )
    expect(idle).toEqual([])
  })
})

function startsProcesses(path: string): boolean {
  return path.startsWith('test/') && /from 'node:child_process'/.test(textOf(path))
}

const texts = new Map<string, string>()

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8')
  texts.set(path, text)
  return text
}

/** The file, and all files of the project that it loads. */
function reached(file: string): ReadonlySet<string> {
  const found = new Set([file])
  for (const path of found) for (const place of importsOf(path)) found.add(place)
  return found
}

const imports = new Map<string, readonly string[]>()

function importsOf(path: string): readonly string[] {
  const known = imports.get(path)
  if (known !== undefined) return known
  const matches = textOf(path).matchAll(/^(?:.*\bfrom |import )'([^']+)'$/gm)
  const places = [...matches].flatMap(([, name = '']) => placeOf(name, path) ?? [])
  imports.set(path, places)
  return places
}

/** `undefined`: not a TypeScript file of the project. */
function placeOf(name: string, importer: string): string | undefined {
  const path = /^stemma(?:\/|$)/.test(name)
    ? join('src', name.slice('stemma/'.length) || 'index')
    : join(dirname(importer), name)
  return existsSync(join(ROOT, `${path}.ts`)) ? `${path}.ts` : undefined
}
