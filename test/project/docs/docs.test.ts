import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DataSource } from 'typeorm'
import { createServerDatabase, DATABASE, dropServerDatabase } from '../../support/database'
import { checkedFetch } from '../../support/lint'
import type { ServerDatabase } from '../../support/server-databases'
import { type HttpMessage, type Page, parseBrief, parseMessage, ROOT, readPages, type Snippet } from './snippets'

/** Requests that the application of a page answers itself. */
const OUTSIDE_API = new Set([
  ...['GET /sent', 'GET /findings', 'GET /crawl', 'GET /openapi.json', 'POST /departments/2/restore', 'POST /session'],
  ...['PUT /photos/1/content', 'GET /photos/1/content', 'GET /healthz', 'GET /readyz'],
])

/** Runs on both lines of TypeORM may be concurrent. */
const BUILD = join(ROOT, 'build', `docs-${DATABASE}-typeorm-${process.env.TEST_TYPEORM ?? 1}`)
const pages = readPages()
const runnable = pages.filter((page) => page.snippets.length > 0)

/** Programs with this line run on the database of this run in its place. */
const IN_MEMORY = "{ type: 'better-sqlite3', database: ':memory:', synchronize: true } as const"
/** Pages that show what only SQLite answers so. */
const ON_SQLITE: Readonly<Record<string, string>> = {
  'docs/guide/observability.md': 'shows statements',
  'docs/guide/production.md':
    'shows an index that is missing; MariaDB makes one for each foreign key, and statements differ',
  'docs/guide/validation.md': 'shows the range of a date, which MariaDB begins later',
}
const databases: ServerDatabase[] = []

beforeAll(async () => {
  rmSync(BUILD, { recursive: true, force: true })
  mkdirSync(BUILD, { recursive: true })
  for (const page of runnable)
    for (const program of programsOf(page)) writeFileSync(fileOf(page, program), await onThisDatabase(page, program))
})

afterAll(async () => {
  for (const dataSource of opened) if (dataSource.isInitialized) await dataSource.destroy()
  for (const database of databases) await dropServerDatabase(database)
})

async function onThisDatabase({ path }: Page, { kind, text }: Snippet): Promise<string> {
  const isMoved = DATABASE !== 'sqlite' && kind === 'ts run' && ON_SQLITE[path] === undefined
  if (!isMoved || !text.includes(IN_MEMORY)) return text
  const database = await createServerDatabase('onPath')
  databases.push(database)
  return text.replace(IN_MEMORY, `${JSON.stringify({ ...database.connection, synchronize: true })} as const`)
}

it('finds pages with snippets', () => {
  expect(runnable.map((page) => page.path)).toEqual(expect.arrayContaining(['README.md', 'docs/start.md']))
})

it('runs every recipe on the database of this run', () => {
  const recipes = runnable.filter(({ path }) => path.startsWith('docs/guide/recipes/'))
  const onSqlite = recipes.filter(({ path, text }) => ON_SQLITE[path] !== undefined || !text.includes(IN_MEMORY))
  expect([recipes.length > 10, onSqlite.map(({ path }) => path)]).toEqual([true, []])
})

it('compiles the programs of all pages', () => {
  const compilerOptions = {
    rootDir: ROOT,
    types: ['node'],
    // What has not changed since the last run is not checked again; its mistakes are told again.
    incremental: true,
    tsBuildInfoFile: `${BUILD}.tsbuildinfo`,
    paths: { stemma: [join(ROOT, 'src/index.ts')], 'stemma/*': [join(ROOT, 'src/*.ts')] },
  }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
  writeFileSync(join(BUILD, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  expect(outputOf(() => execFileSync(tsc, ['--project', BUILD], { encoding: 'utf8', shell: true }))).toBe('')
})

describe.each(runnable)('$path', (page) => {
  let server: Server | undefined
  let answer: Response | undefined
  let printed: string | undefined
  afterAll(() => server?.close())

  it.each(page.snippets)('runs line $line: $kind', async (snippet) => {
    if (snippet.kind === 'ts run') {
      server?.close()
      server = await start(fileOf(page, snippet))
      return
    }
    if (server === undefined) throw new Error('A request needs a program before it.')
    if (snippet.kind === 'ts client') {
      printed = await run(snippet, fileOf(page, snippet), server)
      return
    }
    if (snippet.kind === 'text output') {
      expect(printed).toBe(snippet.text)
      return
    }
    if (snippet.kind === 'http brief') {
      await expectSummaries(snippet, server)
      return
    }
    const message = parseMessage(snippet.text)
    if (snippet.kind === 'http run') answer = await send(message, server)
    else await expectAnswer(answer, message)
  })
})

function programsOf(page: Page): readonly Snippet[] {
  return page.snippets.filter(({ kind }) => kind === 'ts run' || kind === 'ts client')
}

function fileOf(page: Page, { line }: Snippet): string {
  return join(BUILD, `${page.path.replace(/\W+/g, '-')}-${line}.ts`)
}

/** By programs, which never end by themselves. */
const opened = new Set<DataSource>()

/** Runs a program whose server listens on a free port instead. Warnings are hidden. */
async function start(file: string): Promise<Server> {
  console.warn = () => {}
  const listen = Server.prototype.listen
  const { initialize } = DataSource.prototype
  DataSource.prototype.initialize = function (this: DataSource) {
    opened.add(this)
    return initialize.call(this)
  }
  const server = await new Promise<Server>((resolve) => {
    Server.prototype.listen = function (this: Server) {
      resolve(this)
      return Reflect.apply(listen, this, [0, '127.0.0.1'])
    }
    require(file)
  }).finally(() => {
    Server.prototype.listen = listen
    DataSource.prototype.initialize = initialize
  })
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  return server
}

/** Runs a program with requests to a server, and returns its output. */
async function run({ text }: Snippet, file: string, server: Server): Promise<string> {
  const started = text.replace('void main()', 'export const done = main()')
  writeFileSync(file, started.replaceAll('http://localhost:3000', urlOf(server)))
  const { log } = console
  const lines: string[] = []
  console.log = (...values: unknown[]) => lines.push(`${values.map(String).join(' ')}\n`)
  try {
    await (require(file) as { readonly done: Promise<void> }).done
  } finally {
    console.log = log
  }
  return lines.join('')
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function send({ startLine, headers, body }: HttpMessage, server: Server): Promise<Response> {
  const [method = '', path = ''] = startLine.split(' ')
  const url = `${urlOf(server)}${path}`
  return (OUTSIDE_API.has(`${method} ${path}`) ? fetch : checkedFetch)(url, {
    method,
    headers: [...headers],
    ...(body !== '' && { body }),
  })
}

async function expectAnswer(answer: Response | undefined, expected: HttpMessage): Promise<void> {
  if (answer === undefined) throw new Error('A response needs a request before it.')
  const text = await answer.text()
  expect(`HTTP/1.1 ${answer.status} ${answer.statusText}`).toBe(expected.startLine)
  for (const [name, value] of expected.headers) expect([name, answer.headers.get(name)]).toEqual([name, value])
  if (expected.body !== '') expect(JSON.parse(text)).toEqual(JSON.parse(expected.body))
}

async function expectSummaries({ text }: Snippet, server: Server): Promise<void> {
  const expected = parseBrief(text)
  const found: typeof expected = await Promise.all(
    expected.map(async ({ startLine }) => {
      const answer = await send({ startLine, headers: new Map(), body: '' }, server)
      return { startLine, answers: summarize((await answer.json()) as Document) }
    }),
  )
  expect(found).toEqual(expected)
}

type Identifier = Readonly<{ type: string; id: string }>

interface Document {
  readonly data?: readonly Identifier[] | Identifier | null
  readonly included?: readonly Identifier[]
  readonly errors?: readonly { readonly status: string; readonly detail: string }[]
}

function summarize({ data, included, errors }: Document): readonly string[] {
  if (errors !== undefined) return errors.map(({ status, detail }) => `${status} ${detail}`)
  const primary = list([data ?? []].flat())
  return [included === undefined ? primary : `${primary}; included: ${list(included)}`]
}

function list(resources: readonly Identifier[]): string {
  return resources.length === 0 ? 'nothing' : resources.map(({ type, id }) => `${type} ${id}`).join(', ')
}

function outputOf(run: () => string): string {
  try {
    return run()
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
