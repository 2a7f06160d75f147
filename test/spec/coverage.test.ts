import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BY_DESIGN, DEVIATIONS, LEFT_OUT } from './left-out'
import { REQUIREMENTS, SECTIONS } from './requirements/requirements'
import { reportOf, type TestResult } from './support/conformance'
import { requirementsIn, requirementsOf } from './support/named-ids'

const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.test.ts') && path !== 'coverage.test.ts',
)
const tested = new Set(files.flatMap((path) => requirementsIn(readFileSync(join(__dirname, path), 'utf8'))))
const known = REQUIREMENTS.map(({ id }) => id)

describe('the requirements of JSON:API', () => {
  it('have unique ids', () => {
    expect(known).toHaveLength(366)
    expect(new Set(known).size).toBe(known.length)
  })

  it('include each id that a test or a reason names', () => {
    const named = [...tested, ...[LEFT_OUT, BY_DESIGN, DEVIATIONS].flatMap(Object.keys)]
    expect(named.filter((id) => !known.includes(id))).toEqual([])
  })

  it('have a test or a reason for a missing test, never both', () => {
    const reasoned = Object.keys({ ...LEFT_OUT, ...BY_DESIGN })
    expect(known.filter((id) => !tested.has(id) && !reasoned.includes(id))).toEqual([])
    expect(reasoned.filter((id) => tested.has(id))).toEqual([])
    expect(Object.keys(DEVIATIONS).filter((id) => !tested.has(id))).toEqual([])
  })
})

describe('the names of tests', () => {
  it.each([
    ['fields have names', []],
    ['the rule XY-12', []],
    ['RO-7 fields have names', ['RO-7']],
    ['RO-7: fields have names', ['RO-7']],
    ['RO-7, RO-12 fields have names', ['RO-7', 'RO-12']],
  ])('start with the ids of requirements: %s', (title, ids) => expect(requirementsOf(title)).toEqual(ids))

  it.each([
    ["it('RO-7 fields', () => {})"],
    ["  describe(\n    'RO-7 fields', () => {})"],
    ["it.each([1])('RO-7 %s', () => {})"],
    ["it.each(\n  TABLE)(\n  'RO-7 %s', () => {})"],
    ["it.each([\n  ['RO-7', 'fields'],\n])"],
  ])('have ids that are found in %j', (source) => expect(requirementsIn(source)).toEqual(['RO-7']))
})

describe('the report', () => {
  const section = SECTIONS.slice(0, 1)
  const result = (title: string, status = 'passed', ...ancestorTitles: string[]): TestResult => {
    return { title, status, ancestorTitles }
  }
  const passed = ['MT-1 a', 'MT-1 b', 'MT-2, MT-3 c'].map((title) => result(title))

  it('counts requirements with a passing test', () => {
    const { lines, mistakes } = reportOf(section, passed, {
      leftOut: {},
      byDesign: { 'MT-4': 'not applicable' },
      deviations: { 'MT-3': 'quoted otherwise' },
    })
    expect(lines[0]).toMatch(/^Media type parameters +3 of 3 +100 % {2}1 by design$/)
    expect(lines).toEqual(expect.arrayContaining(['  MT-4  not applicable', '  MT-3  quoted otherwise']))
    expect(mistakes).toEqual([])
  })

  it.each([
    [passed, {}, 'MT-4 has neither a test nor a reason.'],
    [[...passed, result('MT-4 d', 'pending')], {}, 'MT-4 has pending.'],
    [[...passed, result('d', 'failed', 'MT-4 d')], {}, 'MT-4 has failed.'],
    [[...passed, result('MT-4 d'), result('MT-4 e', 'failed'), result('MT-4 f')], {}, 'MT-4 has failed.'],
    [[...passed, result('MT-4 d'), result('MT-5 e')], {}, 'MT-5 is no requirement.'],
    [[...passed, result('MT-4 d')], { 'MT-4': 'why' }, 'MT-4 has a test, and a reason for having none.'],
  ])('names missing and failed tests: %#', (results, leftOut, mistake) => {
    expect(reportOf(section, results, { leftOut, byDesign: {}, deviations: {} }).mistakes).toEqual([mistake])
  })
})
