import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from './support/check-api'
import { createDatabase, type Database } from './support/databases'
import { BUILD, writeProject } from './support/project'
import { outputOfFailure, startProgram } from './support/running-program'

// The programs of docs/guide/frameworks.md on Bun and on Deno, as TypeScript.

const PACKAGES = join(__dirname, 'node_modules')
const DENO = [join(PACKAGES, 'deno', 'deno'), 'run', '--allow-all', '--no-prompt']
const RUNTIMES = {
  bun: [join(PACKAGES, 'bun', 'bin', 'bun.exe')],
  deno: [...DENO, '--sloppy-imports'],
}

const folders = new Map<string, string>()
beforeAll(() => {
  for (const database of ['sqlite3', 'postgres', 'mariadb'])
    folders.set(database, writeProject(`runtimes-${database}`, database))
  folders.set('better-sqlite3', writeProject('runtimes-better-sqlite3'))
})

describe.each(Object.entries(RUNTIMES))('%s', (runtime, command) => {
  describe.each(['sqlite3', 'postgres', 'mariadb'])('with %s', (kind) => {
    let database: Database
    beforeAll(async () => {
      database = await createDatabase(kind, runtime)
    })
    afterAll(() => database.drop())
    const start = () => startProgram([...command, 'node-http.ts'], folders.get(kind) ?? '', database.env)
    describeApi({ start, notFound: '' })
  })

  describe.each([
    ['fastify', '{"message":"Route GET:/missing not found","error":"Not Found","statusCode":404}'],
    ['koa', 'Not Found'],
    ['hono', '404 Not Found'],
  ])('with %s', (name, notFound) => {
    const start = () => startProgram([...command, `${name}.ts`], folders.get('sqlite3') ?? '')
    describeApi({ start, notFound })
  })
})

describe('deno', () => {
  it('runs compiled files', async () => {
    const program = await startProgram([...DENO, 'dist/node-http.js'], folders.get('sqlite3') ?? '')
    const response = await fetch(`${program.url}/api/notes`, { headers: { connection: 'close' } })
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ data: [] })])
    program.terminate()
    expect(await program.waitForEnd()).toBe(0)
  })

  it('ignores a tsconfig.json without a package.json beside it', async () => {
    const folder = writeProject('runtimes-without-package-json', 'sqlite3')
    rmSync(join(folder, 'package.json'))
    const output = await outputOfFailure([...RUNTIMES.deno, 'node-http.ts'], folder)
    expect(output).toContain(
      "ConfigurationError: @Resource('notes'): the decorators are compiled as standard decorators",
    )
  })

  it('does not run compiled files without a type in package.json', async () => {
    const folder = writeProject('runtimes-without-type', 'sqlite3')
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    expect(await outputOfFailure([...DENO, 'dist/node-http.js'], folder)).toContain('exports is not defined')
  })
})

it.each([
  ['bun', "'better-sqlite3' is not yet supported in Bun."],
  ['deno', 'is built on the legacy V8/nan native addon ABI'],
] as const)('has no better-sqlite3 on %s', async (runtime, message) => {
  const output = await outputOfFailure([...RUNTIMES[runtime], 'node-http.ts'], join(BUILD, 'runtimes-better-sqlite3'))
  expect(output).toContain(message)
})
