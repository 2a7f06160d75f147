import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Intervals = readonly number[]
type Range = Readonly<{ startOffset: number; endOffset: number; count: number }>
interface RecordOfFile {
  readonly file: string
  readonly tests: { readonly passed: string }
  readonly executed: Readonly<Record<string, string>>
  readonly typeorm: string
}

const { differenceOf, executedOf, unionOf, without } = require('../../scripts/matrix/coverage') as {
  differenceOf(one: Intervals, other: Intervals): Intervals
  executedOf(script: { readonly functions: readonly { readonly ranges: readonly Range[] }[] }): Intervals
  unionOf(one: Intervals, other: Intervals): Intervals
  without(one: Intervals, other: Intervals): Intervals
}
const { digestOf, readTable, writeTable } = require('../../scripts/matrix/table') as {
  digestOf(text: string): string
  readTable(path: string): Map<string, unknown>
  writeTable(rows: ReadonlyMap<string, unknown>, path: string): void
}
const { chooseQuickFiles } = require('../../scripts/matrix/choose-quick-files') as {
  chooseQuickFiles(measured: {
    readonly records: ReadonlyMap<string, object>
    readonly onSqlite: ReadonlyMap<string, object>
    readonly candidates: readonly string[]
    readonly always: readonly string[]
    readonly patternOf: (id: string) => Intervals
  }): ReadonlySet<string>
}
const { createComparison } = require('../../scripts/matrix/compare') as {
  createComparison(
    recordsOf: (name: string) => ReadonlyMap<string, RecordOfFile>,
    patternOf: (id: string) => readonly unknown[],
  ): { mark(file: string, name: string, marks: Readonly<Record<string, string>>): string }
}

describe('executed parts of a file', () => {
  const range = (startOffset: number, endOffset: number, count: number): Range => ({ startOffset, endOffset, count })

  it('are those of the innermost block, of functions that were called and of functions that were not', () => {
    const outer = { ranges: [range(0, 100, 1), range(20, 30, 0)] }
    const called = { ranges: [range(40, 60, 2), range(45, 50, 0)] }
    const notCalled = { ranges: [range(70, 80, 0)] }
    expect(executedOf({ functions: [outer, called, notCalled] })).toEqual([0, 20, 30, 45, 50, 70, 80, 100])
  })

  it('are those of functions that run again after their file was loaded', () => {
    expect(executedOf({ functions: [{ ranges: [range(0, 100, 0)] }, { ranges: [range(40, 60, 3)] }] })).toEqual([
      40, 60,
    ])
  })

  it('are compared, joined and taken away', () => {
    expect(differenceOf([0, 10, 20, 30], [0, 10, 25, 40])).toEqual([20, 25, 30, 40])
    expect(differenceOf([0, 10], [0, 10])).toEqual([])
    expect(unionOf([0, 10], [10, 20, 30, 40])).toEqual([0, 20, 30, 40])
    expect(without([0, 30], [10, 20])).toEqual([0, 10, 20, 30])
  })
})

describe('the digest of a test file', () => {
  it('stays the same when the file is moved or formatted', () => {
    const here = "import { a } from '../support/a'\nimport b = require('../../scripts/b')\nit('x', () => {})\n"
    const there =
      "import { a } from '../../support/a'\nimport b = require('../../../scripts/b')\nit('x',\n  () => {})\n"
    expect(digestOf(there)).toBe(digestOf(here))
  })

  it('changes with its tests', () => expect(digestOf("it('x', () => {})")).not.toBe(digestOf("it('y', () => {})")))
})

it('reads the table that it has written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-table-'))
  const path = join(folder, 'table.txt')
  writeTable(new Map([['test/a.test.ts', { digest: 'abc', marks: { sqlite: 'x', postgres: '.' } }]]), path)
  expect(readTable(path).get('test/a.test.ts')).toMatchObject({
    digest: 'abc',
    marks: { sqlite: 'x', postgres: '.', mariadb: '?' },
  })
  rmSync(folder, { recursive: true })
})

describe('the files of a database in .ci/run', () => {
  const [SHARED, OUTSIDE] = ['src/store/a.ts', 'src/query/a.ts']
  const records = (files: Readonly<Record<string, readonly [seconds: number, path: string, pattern: string]>>) =>
    new Map(Object.entries(files).map(([file, [seconds, path, id]]) => [file, { seconds, executed: { [path]: id } }]))
  const chosenOf = (files: Parameters<typeof records>[0], always: readonly string[] = []) => [
    ...chooseQuickFiles({
      records: records(files),
      onSqlite: records({ one: [1, SHARED, 'all'], other: [1, OUTSIDE, 'all'] }),
      candidates: Object.keys(files),
      always,
      patternOf: (id) => ({ all: [0, 100], begin: [0, 50], end: [50, 100] })[id] ?? [],
    }),
  ]

  it('are the quickest that execute each part of the store', () => {
    expect(chosenOf({ slow: [9, SHARED, 'all'], a: [1, SHARED, 'begin'], b: [1, SHARED, 'end'] })).toEqual(['a', 'b'])
    expect(chosenOf({ slow: [9, SHARED, 'begin'], all: [1, SHARED, 'all'] }, ['slow'])).toEqual(['slow', 'all'])
  })

  it('are three for a part that SQLite does not execute, and none for a part outside of the store', () => {
    const at = (path: string) =>
      ({ a: [1.3, path, 'all'], b: [1.2, path, 'all'], c: [1.1, path, 'all'], d: [1, path, 'all'] }) as const
    expect(chosenOf(at('src/store/own.ts'))).toEqual(['d', 'c', 'b'])
    expect([chosenOf(at(SHARED)), chosenOf(at(OUTSIDE))]).toEqual([['d'], []])
  })

  it('include a file that adds little for its time only if no chosen file or SQLite executes the same', () => {
    const at = (path: string) => chosenOf({ slow: [9, path, 'all'], slower: [10, path, 'all'] })
    expect([at('src/store/own.ts'), at(SHARED)]).toEqual([['slow'], []])
  })
})

describe('a test file tells two configurations apart', () => {
  const FILE = 'test/reading/sort.test.ts'
  const PROBE = 'scripts/matrix/probes/basic-use.test.ts'
  const PATTERNS: Readonly<Record<string, readonly unknown[]>> = {
    usual: [0, 10],
    other: [0, 20],
    another: [0, 30],
    noFunctions: [],
    functions: ['typeorm/query-builder/QueryBuilder.js:andWhere'],
  }
  const DATABASE = 'test/support/database.ts'
  const recordOf = (file: string, code: string, more: Partial<RecordOfFile> = {}): RecordOfFile => ({
    file,
    tests: { passed: 'all' },
    executed: { 'src/a.ts': code, [DATABASE]: 'usual' },
    typeorm: 'noFunctions',
    ...more,
  })
  const markOf = (name: string, records: Readonly<Record<string, readonly RecordOfFile[]>>, marks = {}): string => {
    const recordsOf = (each: string) => new Map((records[each] ?? []).map((record) => [record.file, record]))
    return createComparison(recordsOf, (id) => PATTERNS[id] ?? []).mark(FILE, name, marks)
  }
  const usual = [recordOf(FILE, 'usual'), recordOf(PROBE, 'usual')]
  const [other, another] = [[recordOf(FILE, 'other')], [recordOf(FILE, 'another')]]
  const fewer = [recordOf(FILE, 'usual', { tests: { passed: 'some' } })]
  const alone = [recordOf(FILE, 'usual', { executed: { 'src/a.ts': 'usual' } })]
  const calling = [recordOf(FILE, 'usual', { typeorm: 'functions' }), recordOf(PROBE, 'usual')]
  const probed = (file: RecordOfFile) => [file, recordOf(PROBE, 'other')]

  it.each<[when: string, name: string, mark: string, records: Readonly<Record<string, readonly RecordOfFile[]>>]>([
    ['when it executes other code', 'postgres', 'x', { postgres: other }],
    ['but not when it executes the same code', 'postgres', '.', { postgres: usual }],
    ['when other tests pass', 'postgres', 'x', { postgres: fewer }],
    ['but not by code of the probe', 'sqlite-logged', '.', { 'sqlite-logged': other.flatMap(probed) }],
    ['by code that the probe does not execute', 'sqlite-logged', 'x', { 'sqlite-logged': another.flatMap(probed) }],
    ['but not by code that differs on SQLite too', 'postgres', '.', { 'sqlite-again': other, postgres: other }],
    ['by code that is the same on SQLite', 'postgres', 'x', { 'sqlite-again': other, postgres: another }],
    ['when the probe calls no such functions of TypeORM', 'sqlite-0.3', 'x', { sqlite: calling, 'sqlite-0.3': usual }],
    ['but not when both call the same functions', 'sqlite-0.3', '.', { 'sqlite-0.3': usual }],
    ['never, when nothing that it loads asks for the configuration', 'postgres', '.', { sqlite: alone }],
    ['unknown, when it was not measured', 'postgres', '?', {}],
    ['unknown, when the probe was not measured', 'sqlite-logged', '?', { 'sqlite-logged': other }],
  ])('%s: %s is %s', (_when, name, mark, records) => expect(markOf(name, { sqlite: usual, ...records })).toBe(mark))

  it('not on joined tables of PostgreSQL, when joined tables of SQLite make no difference', () => {
    expect(markOf('postgres-joined', { sqlite: usual }, { 'sqlite-joined': '.' })).toBe('.')
    expect(markOf('postgres-joined', { sqlite: usual }, { 'sqlite-joined': 'x' })).toBe('?')
  })
})
