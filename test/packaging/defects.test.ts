import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Defect {
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly shows: readonly string[]
  readonly noticedBy: string
}

type Step = Readonly<{ name: string; files: readonly string[] }>

interface CoverageLookup {
  covers(name: string, file: string, position: object): 'yes' | 'no' | 'unknown'
  secondsOf(name: string, file: string): number | undefined
}

const { DEFECTS } = require('../../scripts/defects/defects') as { readonly DEFECTS: readonly Defect[] }
const { filesOf, noticingStepOf, planOf } = require('../../scripts/defects/plan') as {
  filesOf(level: string, name: string): readonly string[]
  noticingStepOf(defect: Defect): Step
  planOf(defect: Partial<Defect>, position: object, level: string, coverage: CoverageLookup): readonly Step[]
}
const { positionOf } = require('../../scripts/defects/coverage-lookup') as {
  positionOf(defect: Defect): { offset: number }
}
const { sampleOf } = require('../../scripts/matrix/sample') as { sampleOf(name: string): readonly string[] }
const { DATABASES } = require('../../scripts/databases') as { readonly DATABASES: object }
const ROOT = join(__dirname, '..', '..')

describe('the injected defects', () => {
  it('are forty, each with a text of its own', () => {
    expect([DEFECTS.length, new Set(DEFECTS.map(({ what }) => what)).size]).toEqual([40, 40])
  })

  it.each(DEFECTS)('$what: changes one position, and is noticed by a file of CI', (defect) => {
    expect(readFileSync(join(ROOT, defect.file), 'utf8').split(defect.find)).toHaveLength(2)
    expect(defect.replace).not.toBe(defect.find)
    expect(positionOf(defect).offset).toBeGreaterThan(0)
    const { name, files } = noticingStepOf(defect)
    expect(filesOf('ci', name)).toEqual(expect.arrayContaining([...files]))
  })

  it('show on configurations that exist', () => {
    expect(DEFECTS.filter(({ shows }) => shows.length === 0 || shows.some((name) => !(name in DATABASES)))).toEqual([])
  })
})

describe('the order in which a defect is looked for', () => {
  const position = { path: 'src/store/typeorm/drivers/read-write-lock.ts', offset: 1 }
  const NOTICING = 'test/modules/store/joins.test.ts'
  const FAST = 'test/guides/sorting/sorting.test.ts'
  const SLOW = 'test/guides/rules/filter-rules.test.ts'
  const known: CoverageLookup = {
    covers: (_name, file) => (file === FAST || file === SLOW ? 'yes' : 'no'),
    secondsOf: (_name, file) => (file === FAST ? 0.5 : 9),
  }

  it('begins with the file that notices it, then runs quick files that execute the code', () => {
    const steps = planOf({ shows: ['postgres'], noticedBy: NOTICING }, position, 'verify', known)
    expect(steps[0]).toEqual({ name: 'postgres', files: [NOTICING] })
    expect(steps[1]).toEqual({ name: 'postgres', files: [FAST, SLOW] })
    expect(new Set(steps.flatMap(({ files }) => files))).toEqual(new Set([NOTICING, FAST, SLOW]))
  })

  it('has all files of a level where nothing was measured: of other configurations the sample in CI', () => {
    const unknown: CoverageLookup = { covers: () => 'unknown', secondsOf: () => undefined }
    const steps = planOf({ shows: ['sqlite-joined'], noticedBy: NOTICING }, position, 'ci', unknown)
    const filesOn = (name: string) => steps.filter((step) => step.name === name).flatMap(({ files }) => files)
    expect(new Set(filesOn('sqlite-joined'))).toEqual(new Set(sampleOf('sqlite-joined')))
    expect(filesOn('sqlite').length).toBeGreaterThan(sampleOf('sqlite-joined').length)
  })
})
