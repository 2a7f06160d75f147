import { join } from 'node:path'
import { modulePath, PARCELS, ROOT, run, TEA } from './support/run'

const check = (...words: readonly string[]) => run('check', ...words)

/** The lines under a heading. */
function sectionOf(lines: readonly string[], title: string): readonly string[] {
  const start = lines.indexOf(title)
  return start === -1 ? [] : lines.slice(start + 1, lines.indexOf('', start))
}

it('prints resource types and totals', async () => {
  const { status, lines } = await check(join(ROOT, 'examples/humans/configuration.ts'))
  expect(status).toBe(0)
  expect(sectionOf(lines, 'Resource types').map((line) => line.split(/ {2,}/).slice(0, -2).join(' '))).toEqual([
    ' /humans abstract 1 attribute',
    ' /men 2 attributes',
    ' /women 2 attributes',
  ])
  expect(lines.at(-1)).toMatch(
    /^3 resource types, \d+ endpoints, 6 recommended indexes, 0 missing, 0 other warnings, 0 issues$/,
  )
})

it('prints the definition of each type, also an inherited one, and the relationships that hooks guard', async () => {
  const { lines } = await check(PARCELS)
  expect(lines.slice(0, 12)).toEqual([
    ...['Resource types', '  /people               0 attributes  1 relationship  PersonDefinition'],
    '  /parcels    abstract  1 attribute   1 relationship  ParcelDefinition',
    '    /boxes              1 attribute   1 relationship  ParcelDefinition of parcels',
    ...['    /letters            1 attribute   1 relationship  LetterDefinition', '', 'Guarded relationships'],
    '  people.parcels  PersonDefinition  addToMany, removeFromMany',
    ...['  parcels.sender  ParcelDefinition  setToOne', '  boxes.sender    ParcelDefinition  setToOne'],
    ...['  letters.sender  LetterDefinition  setToOne', ''],
  ])
})

it('has the definitions and the guarded relationships in its JSON too', async () => {
  const { types } = JSON.parse((await check(PARCELS, '--json')).output)
  expect(types[2]).toMatchObject({
    name: 'boxes',
    definition: 'ParcelDefinition',
    definitionInheritedFrom: 'parcels',
    guardedRelationships: [{ relationship: 'sender', hooks: ['setToOne'] }],
  })
})

it('prints all issues with remedies, and exits with 1', async () => {
  const { status, lines } = await check(modulePath('broken.ts'))
  expect({ status, lines }).toEqual({
    status: 1,
    lines: [
      'Issues',
      "  createJsonApi: it has no option 'pagnation'. Did you mean 'pagination'? Correct the name, or leave it out.",
      '  createJsonApi: its page.size is 0. Give a whole number from 1 on, or null for no limit.',
      "  Planet: its public name 'my planets' is invalid. Use letters and digits, with '-' and '_' only in between.",
      ...['', '3 issues'],
    ],
  })
})

it('prints missing indexes with the statements that create them', async () => {
  const { status, lines } = await check(TEA)
  expect(status).toBe(0)
  expect(sectionOf(lines, 'Missing indexes')).toEqual([
    expect.stringMatching(/^ {2}Cup\.pot {2}create index "IDX_\w+" on "cup" \("potId"\)$/),
  ])
  expect(sectionOf(lines, 'Options')).toEqual(['  etagSecret  a secret'])
  expect(lines.at(-1)).toBe(
    '2 resource types, 21 endpoints, 1 recommended index, 1 missing, 0 other warnings, 0 issues',
  )
})

it('exits with 1 for a warning with --strict', async () => {
  const strict = await check('--strict', TEA)
  expect(strict).toEqual({ ...(await check(TEA)), status: 1 })
  expect(strict.lines.length).toBeGreaterThan(10)
})

it.each(['createApi', 'promised', 'unreachable'])('reads the configuration from the export %s', async (name) => {
  const { status, lines } = await check(TEA, '--export', name)
  const totals = expect.stringMatching(/^2 resource types, 21 endpoints, 1 recommended index/)
  expect([status, lines.at(-1)]).toEqual([0, totals])
})

it.each([
  ['no resources', 'empty', /the API serves nothing/],
  ['an error that the module throws itself', 'notInitialized', /^ {2}dataSource: it is not initialized/],
])('exits with 1, and prints the issue, for %s', async (_what, name, issue) => {
  const { status, lines } = await check(TEA, '--export', name)
  expect([status, sectionOf(lines, 'Issues')]).toEqual([1, [expect.stringMatching(issue)]])
})

describe('stemma check --json', () => {
  it('prints one JSON object with the totals', async () => {
    const { status, lines } = await check('--json', TEA)
    const report = JSON.parse(lines.join('\n'))
    expect(status).toBe(0)
    expect(report).toMatchObject({
      totals: { types: 2, endpoints: 21, indexes: 1, missingIndexes: 1, warnings: 1, issues: 0 },
      issues: [],
      database: 'better-sqlite3',
      types: [{ name: 'pots' }, { name: 'cups' }],
      indexes: [{ declareAt: 'Cup.pot', isDeclared: false }],
      warnings: [{ kind: 'missing-index' }],
    })
    expect(report.endpoints).toHaveLength(21)
  })

  it('prints each issue with its place and remedy', async () => {
    const { status, lines } = await check('--json', modulePath('broken.ts'))
    const report = JSON.parse(lines.join('\n'))
    expect(status).toBe(1)
    expect(report.totals).toEqual({ types: 0, endpoints: 0, indexes: 0, missingIndexes: 0, warnings: 0, issues: 3 })
    expect(report.issues[1]).toEqual({
      location: 'createJsonApi',
      message: 'its page.size is 0.',
      remedy: 'Give a whole number from 1 on, or null for no limit.',
    })
  })
})

it.each<[string, readonly string[], RegExp]>([
  ['no module', [], /^error: missing required argument 'module'\n/],
  ['two modules', ['a.js', 'b.js'], /^error: too many arguments for 'check'\. Expected 1 argument but got 2\.\n/],
  ['an unknown option', ['a.js', '--jsn'], /^error: unknown option '--jsn'\n\(Did you mean --json\?\)\n/],
  [
    'a missing module',
    ['none.js'],
    /^There is no module at \/.*\/none\.js\. Compile the project first, or correct the/,
  ],
  ['a folder', ['test/guides'], /^There is no module at \/.*\/test\/guides\. Compile the project first/],
  ['a module with a missing import', [modulePath('incomplete.ts')], /Cannot find module '\.\/none'(?!.*\n +at )/s],
  ['a module that throws', [modulePath('throwing.ts')], /can't be used: Error: There is no tea\./],
  ['no configuration', [modulePath('other.ts')], /has no export 'configuration', .* but 'app', 'port'\./],
  ['a missing export', [TEA, '--export', 'apis'], /has no export 'apis', but .*'configuration'/],
  [
    'TypeScript without a loader',
    [modulePath('unread.ts')],
    /unread\.ts is TypeScript, and Node\.js cannot load it\. Compile it/,
  ],
  ['TypeScript that imports a file without its extension', [modulePath('unresolved.ts')], /d\.ts is TypeScript, and/],
  ['an export of another kind', [TEA, '--export', 'port'], /'port' of .* is neither the configuration/],
])('exits with 2 for %s', async (_what, words, message) => {
  const { status, output, errors } = await check(...words)
  expect([status, output, errors]).toEqual([2, '', expect.stringMatching(message)])
})
