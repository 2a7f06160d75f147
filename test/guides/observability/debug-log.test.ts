import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// NODE_DEBUG=stemma: what the library says of requests to whoever asks for it in the environment.

const TALK = join(__dirname, 'support', 'talk.ts')
const RUN_TYPESCRIPT = join(__dirname, '..', '..', 'support', 'run-typescript.js')

/** What the program says, without the number of its process and what a clock has measured. */
function logOf(sections: string): readonly string[] {
  const env = { ...process.env, NODE_DEBUG: sections }
  const { stderr, status } = spawnSync(process.execPath, ['--require', RUN_TYPESCRIPT, TALK], { env, encoding: 'utf8' })
  expect(status).toBe(0)
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('STEMMA'))
    .map((line) => line.replace(/ \d+: /, ': ').replaceAll(/\b\d+(\.\d{1,2})? ms/g, '- ms'))
}

it('is silent unless the environment asks for it', () => {
  expect(logOf('http')).toEqual([])
})

it('has a line for each request, and none that a path has forged', () => {
  expect(logOf('stemma')).toEqual([
    'STEMMA: GET /accounts 200, - ms, 1 statement',
    'STEMMA: POST /accounts 500, - ms, 0 statements, TypeError',
    'STEMMA: GET /accounts/7 404, - ms, 1 statement',
    'STEMMA: GET /accounts/1\\u{a}STEMMA 1: GET /admin 200\\u{1b}[2J%s 400, - ms, 0 statements',
  ])
})

it('has a line for each plan, with the rules in it and without values', () => {
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

it('has a line for each statement, without values', () => {
  const lines = logOf('stemma-sql')
  expect(lines).toEqual([
    expect.stringMatching(/^STEMMA-SQL: - ms: select .* where .*"name" = \?.*"tenant" = \?/),
    expect.stringMatching(/^STEMMA-SQL: - ms: select .* where /),
  ])
})

it('tells no value of a client, a rule or an error in any section', () => {
  const log = logOf('stemma*').join('\n')
  expect(log.split('\n').length).toBeGreaterThan(5)
  for (const value of ['Ada', 'of-the-tenant', 'hunter2']) expect(log).not.toContain(value)
})
