import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { checkedFetch } from '../../support/lint'
import { type HttpMessage, type Page, parseBrief, parseMessage, ROOT, readPages, type Snippet } from './snippets'

/** Requests that the application of a page answers itself. */
const OUTSIDE_API = new Set([
  'GET /sent',
  'GET /findings',
  'GET /crawl',
  'GET /openapi.json',
  'POST /departments/2/restore',
])

/** Runs on both lines of TypeORM may be concurrent. */
const BUILD = join(ROOT, 'build', `docs-typeorm-${process.env.TEST_TYPEORM ?? 1}`)
const pages = readPages()
const runnable = pages.filter((page) => page.snippets.length > 0)

beforeAll(() => {
  rmSync(BUILD, { recursive: true, force: true })
  mkdirSync(BUILD, { recursive: true })
  for (const page of runnable)
    for (const program of programsOf(page)) writeFileSync(fileOf(page, program), program.text)
})

it('finds pages with snippets', () => {
  expect(runnable.map((page) => page.path)).toEqual(expect.arrayContaining(['README.md', 'docs/start.md']))
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

/** Runs a program whose server listens on a free port instead. Warnings are hidden. */
async function start(file: string): Promise<Server> {
  console.warn = () => {}
  const listen = Server.prototype.listen
  const server = await new Promise<Server>((resolve) => {
    Server.prototype.listen = function (this: Server) {
      resolve(this)
      return Reflect.apply(listen, this, [0, '127.0.0.1'])
    }
    require(file)
  }).finally(() => {
    Server.prototype.listen = listen
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

interface Identifier {
  readonly type: string
  readonly id: string
}

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
