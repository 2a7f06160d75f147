import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

// The environment variable NODE_DEBUG=stemma

const run = promisify(execFile)
const PROGRAM = join(__dirname, 'support', 'send-requests.ts')
const RUN_TYPESCRIPT = join(__dirname, '..', '..', 'support', 'run-typescript.js')
const SECTIONS = ['http', 'stemma', 'stemma-plan', 'stemma-sql', 'stemma*'] as const

/** The log of a program for each value of the variable. All programs run side by side. */
let logs: Readonly<Record<(typeof SECTIONS)[number], readonly string[]>>
beforeAll(async () => {
  const found = await Promise.all(SECTIONS.map(async (sections) => [sections, await logOf(sections)]))
  logs = Object.fromEntries(found)
}, 60_000)

/** The log of a program, without process ids and durations. */
async function logOf(sections: string): Promise<readonly string[]> {
  const env = { ...process.env, NODE_DEBUG: sections }
  const { stderr } = await run(process.execPath, ['--require', RUN_TYPESCRIPT, PROGRAM], { env })
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('STEMMA'))
    .map((line) => line.replace(/ \d+: /, ': ').replaceAll(/\b\d+(\.\d{1,2})? ms/g, '- ms'))
}

it('is empty by default', () => expect(logs.http).toEqual([]))

it('has one line per request, also for a path with a line break', () => {
  expect(logs.stemma).toEqual([
    'STEMMA: GET /accounts 200, - ms, 1 statement',
    'STEMMA: POST /accounts 500, - ms, 0 statements, TypeError',
    'STEMMA: GET /accounts/7 404, - ms, 1 statement',
    'STEMMA: GET /accounts/1\\u{a}STEMMA 1: GET /admin 200\\u{1b}[2J%s 404, - ms, 0 statements',
  ])
})

it('has one line per plan, with rules and without values', () => {
  const [line = '', ...others] = logs['stemma-plan']
  expect(JSON.parse(line.replace('STEMMA-PLAN: ', ''))).toEqual({
    type: 'accounts',
    criteria: 'all',
    filter: 'and(equals(name,?),and(isExactly(accounts),equals(tenant,?)))',
    sort: '-name,id',
    range: { offset: 0, size: 10 },
    fields: { accounts: ['name', 'tenant'] },
    include: {},
    total: 'exact',
  })
  expect(others).toEqual([expect.stringContaining('"ids":["?"]')])
})

it('has one line per statement, without values', () => {
  expect(logs['stemma-sql']).toEqual([
    expect.stringMatching(/^STEMMA-SQL: - ms: select .* where .*"name" = \?.*"tenant" = \?/),
    expect.stringMatching(/^STEMMA-SQL: - ms: select .* where /),
  ])
})

it('contains no value of a client, a rule or an error', () => {
  const log = logs['stemma*'].join('\n')
  expect(log.split('\n').length).toBeGreaterThan(5)
  for (const value of ['Ada', 'of-the-tenant', 'hunter2']) expect(log).not.toContain(value)
})
