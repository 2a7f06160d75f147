import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Defect {
  readonly id: number
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly shows: readonly string[]
}

interface Position {
  readonly path: string
  readonly offset: number
}

interface CoverageLookup {
  covers(name: string, file: string, position: Position): 'yes' | 'no' | 'unknown'
  secondsOf(name: string, file: string): number | undefined
}

const { DEFECTS } = require('../../scripts/defects/defects') as { readonly DEFECTS: readonly Defect[] }
const { planOf } = require('../../scripts/defects/plan') as {
  planOf(
    defect: Pick<Defect, 'shows'>,
    position: Position,
    level: string,
    coverage: CoverageLookup,
  ): readonly { readonly name: string; readonly files: readonly string[] }[]
}
const { positionOf } = require('../../scripts/defects/coverage-lookup') as { positionOf(defect: Defect): Position }
const { sampleOf } = require('../../scripts/matrix/sample') as { sampleOf(name: string): readonly string[] }
const { DATABASES } = require('../../scripts/databases') as { readonly DATABASES: object }

const ROOT = join(__dirname, '..', '..')

describe('the injected defects', () => {
  it('are forty, each with a text of its own', () => {
    expect(DEFECTS).toHaveLength(40)
    expect(new Set(DEFECTS.map(({ what }) => what)).size).toBe(40)
  })

  it.each(DEFECTS.map((defect) => [defect.what, defect] as const))('%s: changes one position', (_what, defect) => {
    const text = readFileSync(join(ROOT, defect.file), 'utf8')
    expect(text.split(defect.find)).toHaveLength(2)
    expect(defect.replace).not.toBe(defect.find)
    expect(positionOf(defect).offset).toBeGreaterThan(0)
  })

  it('show on configurations that exist', () => {
    const names = Object.keys(DATABASES)
    expect(DEFECTS.filter(({ shows }) => shows.length === 0 || shows.some((name) => !names.includes(name)))).toEqual([])
  })
})

describe('the order in which a defect is looked for', () => {
  const position = { path: 'src/store/typeorm/drivers/read-write-lock.ts', offset: 1 }
  const FAST = 'test/guides/sorting/sorting.test.ts'
  const SLOW = 'test/guides/rules/filter-rules.test.ts'
  const known: CoverageLookup = {
    covers: (_name, file) => (file === FAST || file === SLOW ? 'yes' : 'no'),
    secondsOf: (_name, file) => (file === FAST ? 0.5 : 9),
  }

  it('begins on configurations that show it, with quick files that execute the code', () => {
    const [first] = planOf({ shows: ['postgres'] }, position, 'verify', known)
    expect(first).toEqual({ name: 'postgres', files: [FAST, SLOW] })
  })

  it('leaves out files that do not execute the code', () => {
    const steps = planOf({ shows: ['postgres'] }, position, 'verify', known)
    expect(new Set(steps.flatMap(({ files }) => files))).toEqual(new Set([FAST, SLOW]))
  })

  it('has all files of a level where nothing was measured: of other configurations the sample in CI', () => {
    const unknown: CoverageLookup = { covers: () => 'unknown', secondsOf: () => undefined }
    const steps = planOf({ shows: ['sqlite-joined'] }, position, 'ci', unknown)
    const filesOn = (name: string) => steps.filter((step) => step.name === name).flatMap(({ files }) => files)
    expect(new Set(filesOn('sqlite-joined'))).toEqual(new Set(sampleOf('sqlite-joined')))
    expect(filesOn('sqlite').length).toBeGreaterThan(sampleOf('sqlite-joined').length)
  })
})
