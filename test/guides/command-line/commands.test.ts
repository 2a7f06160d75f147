import { join } from 'node:path'
import { run } from './support/run'

const ROOT = join(__dirname, '..', '..', '..')
const modulePath = (name: string) => join(__dirname, 'modules', name)
const TEA = modulePath('tea.ts')

const check = (...words: readonly string[]) => run('check', ...words)

/** The lines under a heading. */
function sectionOf(lines: readonly string[], title: string): readonly string[] {
  const start = lines.indexOf(title)
  return start === -1 ? [] : lines.slice(start + 1, lines.indexOf('', start))
}

it('prints resource types, endpoints and totals', async () => {
  const { status, lines } = await check(join(ROOT, 'examples/humans/configuration.ts'))
  expect(status).toBe(0)
  expect(sectionOf(lines, 'Resource types').map((line) => line.split(/ {2,}/).slice(0, -2).join(' '))).toEqual([
    ' /humans abstract 1 attribute',
    ' /men 2 attributes',
    ' /women 2 attributes',
  ])
  const endpoints = sectionOf(lines, 'Endpoints').map((line) => line.trim().split(/ {2,}/))
  expect(endpoints[0]).toEqual(['GET', '/humans', 'A page of humans'])
  expect(endpoints).toContainEqual(['PATCH', '/men/{id}/relationships/wife', 'Replace wife of men'])
  expect(lines.at(-1)).toMatch(
    /^3 resource types, \d+ endpoints, 6 recommended indexes, 0 missing, 0 other warnings, 0 issues$/,
  )
  expect(lines.at(-1)).toContain(` ${endpoints.length} endpoints,`)
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
      '',
      '3 issues',
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
  const { status, lines } = await check('--strict', TEA)
  expect({ status, lines }).toEqual({ ...(await check(TEA)), status: 1 })
  expect(lines.length).toBeGreaterThan(10)
})

it.each(['createApi', 'promised', 'unreachable'])('reads the configuration from the export %s', async (name) => {
  const { status, lines } = await check(TEA, '--export', name)
  expect([status, lines.at(-1)]).toEqual([
    0,
    expect.stringMatching(/^2 resource types, 21 endpoints, 1 recommended index/),
  ])
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
  ['no module', [], /^Expected one module/],
  ['two modules', ['a.js', 'b.js'], /^Expected one module/],
  ['an unknown option', ['a.js', '--jsn'], /--jsn/],
  ['a missing module', ['none.js'], /^none\.js can't be checked: .*Cannot find module/],
  ['a module that throws', [modulePath('throwing.ts')], /can't be checked: Error: There is no tea\./],
  ['no configuration', [modulePath('other.ts')], /has no export 'configuration', .* but 'app', 'port'\./],
  ['a missing export', [TEA, '--export', 'apis'], /has no export 'apis', but 'configuration'/],
  [
    'TypeScript without a loader',
    [modulePath('unread.ts')],
    /unread\.ts is TypeScript, and Node\.js cannot load it\. Compile it/,
  ],
  ['an export of another kind', [TEA, '--export', 'port'], /'port' of .* is neither the configuration/],
])('exits with 2 for %s', async (_what, words, message) => {
  const { status, lines } = await check(...words)
  expect([status, lines]).toEqual([2, [expect.stringMatching(message)]])
})

describe('stemma', () => {
  it('prints all commands without arguments, and exits with 2', async () => {
    const { status, lines } = await run()
    expect(status).toBe(2)
    expect(lines.map((line) => line.split('\n')[0])).toEqual([
      'stemma init [FOLDER] [--name NAME]',
      'stemma check MODULE [--export NAME] [--strict] [--json]',
    ])
  })

  it('prints all commands for --help, and exits with 0', async () => {
    const { lines } = await run()
    expect(await run('--help')).toEqual({ status: 0, lines })
  })

  it('suggests the nearest command for an unknown one', async () => {
    const { status, lines } = await run('chek')
    expect(status).toBe(2)
    expect(lines[0]).toBe("There is no command 'chek'. Did you mean 'check'?")
  })
})
