import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// The environment variable NODE_DEBUG=stemma

const PROGRAM = join(__dirname, 'support', 'send-requests.ts')
const RUN_TYPESCRIPT = join(__dirname, '..', '..', 'support', 'run-typescript.js')

/** The log of a program, without process ids and durations. */
function logOf(sections: string): readonly string[] {
  const env = { ...process.env, NODE_DEBUG: sections }
  const run = ['--require', RUN_TYPESCRIPT, PROGRAM]
  const { stderr, status } = spawnSync(process.execPath, run, { env, encoding: 'utf8' })
  expect(status).toBe(0)
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('STEMMA'))
    .map((line) => line.replace(/ \d+: /, ': ').replaceAll(/\b\d+(\.\d{1,2})? ms/g, '- ms'))
}

it('is empty by default', () => {
  expect(logOf('http')).toEqual([])
})

it('has one line per request, also for a path with a line break', () => {
  expect(logOf('stemma')).toEqual([
    'STEMMA: GET /accounts 200, - ms, 1 statement',
    'STEMMA: POST /accounts 500, - ms, 0 statements, TypeError',
    'STEMMA: GET /accounts/7 404, - ms, 1 statement',
    'STEMMA: GET /accounts/1\\u{a}STEMMA 1: GET /admin 200\\u{1b}[2J%s 400, - ms, 0 statements',
  ])
})

it('has one line per plan, with rules and without values', () => {
  const [line = '', ...others] = logOf('stemma-plan')
  expect(JSON.parse(line.replace('STEMMA-PLAN: ', ''))).toEqual({
    type: 'accounts',
    among: 'all',
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
  expect(logOf('stemma-sql')).toEqual([
    expect.stringMatching(/^STEMMA-SQL: - ms: select .* where .*"name" = \?.*"tenant" = \?/),
    expect.stringMatching(/^STEMMA-SQL: - ms: select .* where /),
  ])
})

it('contains no value of a client, a rule or an error', () => {
  const log = logOf('stemma*').join('\n')
  expect(log.split('\n').length).toBeGreaterThan(5)
  for (const value of ['Ada', 'of-the-tenant', 'hunter2']) expect(log).not.toContain(value)
})
