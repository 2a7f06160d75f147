import { type HttpRequest, type HttpResponse, headerOf } from '../shared/client'
import type { DatabaseName, Layout } from '../shared/databases'
import { createRandom, seedOf } from '../shared/random'
import { createReport, type Report, type RunOptions } from '../shared/report'
import type { Row } from '../shared/rows'
import { startTestApi, type TestApi } from '../shared/test-api'
import { differenceFromUnknown, disguise } from './disguise'
import { createDefinitions, OURS, TYPES } from './model'
import { type Request, Requests } from './requests'
import { addHidden, checkHidden, chooseHeld, createVisibleRows } from './rows'

export interface WorldsOptions extends RunOptions {
  readonly leak?: 'memos' | 'salary'
}

/** Number of pairs after which new databases are created, because requests delete many rows. */
const PAIRS_PER_DATABASE = 400

/** Percentage of the pairs for each database, if all are tested. Database servers take ten times as long as SQLite. */
const SHARES: Readonly<Record<DatabaseName, number>> = { sqlite: 80, postgres: 10, mariadb: 10 }

/** Sends each request to two databases that differ only in hidden data. All responses must be identical. */
export async function runWorlds(options: WorldsOptions): Promise<Report> {
  const { count, seed, caseNumber, databases, layouts } = options
  const report = createReport('worlds', options)
  const worlds = Math.ceil(count / PAIRS_PER_DATABASE)
  const total = databases.reduce((sum, each) => sum + SHARES[each], 0)
  for (let number = 0; number < worlds; number += 1) {
    if (caseNumber !== undefined && number !== Math.floor(caseNumber / PAIRS_PER_DATABASE)) continue
    const random = createRandom(seedOf(seed, -1 - number))
    // A short run uses each database too.
    const roll = number < databases.length ? 0 : random.number(total)
    const database = number < databases.length ? databases[number] : chooseDatabase(databases, roll)
    const layout = layouts[number % layouts.length]
    if (database === undefined || layout === undefined) throw new Error('No database was chosen.')
    const length = Math.min(PAIRS_PER_DATABASE, count - number * PAIRS_PER_DATABASE)
    await testPair({ ...options, report, database, layout, from: number * PAIRS_PER_DATABASE, length })
  }
  return report
}

function chooseDatabase(databases: readonly DatabaseName[], roll: number): DatabaseName | undefined {
  let sum = 0
  return databases.find((each) => {
    sum += SHARES[each]
    return roll < sum
  })
}

interface Pair extends WorldsOptions {
  readonly report: Report
  readonly database: DatabaseName
  readonly layout: Layout
  readonly from: number
  readonly length: number
}

async function testPair(pair: Pair): Promise<void> {
  const { seed, from, length, report, database, layout, caseNumber } = pair
  const random = createRandom(seedOf(seed, -1_000_000 - from))
  const visible = createVisibleRows(random)
  const held = chooseHeld(visible, random)
  const first = await open(pair, addHidden(visible, held, createRandom(seedOf(seed, -2_000_000 - from))))
  const second = await open(pair, addHidden(visible, held, createRandom(seedOf(seed, -3_000_000 - from))))
  let created = 0
  const newId = () => String(1000 + created++)
  // Writes depend on earlier ones, so a repeated case sends all of them.
  const end = caseNumber === undefined ? length : Math.min(length, caseNumber - from + 1)
  try {
    for (let position = from; position < from + end; position += 1) {
      const request = new Requests(createRandom(seedOf(seed, position)), visible, newId).next()
      const before = await versionsOf(request, [first, second])
      const [firstResponse, secondResponse] = await Promise.all([first.sendFilled(request), second.sendFilled(request)])
      const after = await versionsOf(request, [first, second])
      report.countCases()
      report.countKind(`${request.kind} ${Math.floor(firstResponse.response.status / 100)}xx`)
      const problems = [
        ...differencesBetween(firstResponse.response, secondResponse.response),
        ...compareIncrements(before, after),
        ...(await compareWithUnknownName(firstResponse, first, report)),
      ]
      if (problems.length === 0) {
        await followNextLink(firstResponse.response, [first, second], { report, position, seed })
        continue
      }
      const requests =
        printRequest(firstResponse.request) === printRequest(secondResponse.request)
          ? printRequest(firstResponse.request)
          : `${printRequest(firstResponse.request)}\nto the second database: ${printRequest(secondResponse.request)}`
      report.addDifference({ position, request: `on ${database} ${layout}: ${requests}`, problems })
      // The two databases may differ from here on.
      break
    }
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

/** If a request names a hidden field, an unknown name must give the same response. */
async function compareWithUnknownName(
  { request, response }: SentRequest,
  world: World,
  report: Report,
): Promise<readonly string[]> {
  const second = disguise(request)
  if (second === undefined) return []
  report.countKind('hidden names')
  return differenceFromUnknown(response, await world.send(second))
}

/**
 * The versions may differ, but an update must increment them equally. Otherwise a guess of a hidden value could be distinguished from a
 * change.
 */
async function versionsOf(
  { kind, httpRequest: request }: Request,
  worlds: readonly World[],
): Promise<readonly number[]> {
  const [path = ''] = request.url.split('?')
  if (kind !== 'update' || !path.startsWith('/people/')) return []
  const responses = await Promise.all(worlds.map((world) => world.send({ method: 'GET', url: path })))
  return responses.map((response) => Number(/^"v(\d+)/.exec(headerOf(response, 'etag') ?? '')?.[1]))
}

function compareIncrements(before: readonly number[], after: readonly number[]): readonly string[] {
  // Not a number: the resource does not exist or is hidden from now on.
  const [first, second] = after.map((version, position) => version - Number(before[position]))
  return Object.is(first, second)
    ? []
    : [`The version increases by ${first} in one database, by ${second} in the other.`]
}

interface FollowOptions {
  readonly report: Report
  readonly position: number
  readonly seed: number
}

/** Sometimes a client follows the link to the next page, by number or cursor. */
async function followNextLink(
  firstResponse: HttpResponse,
  worlds: readonly World[],
  { report, position, seed }: FollowOptions,
): Promise<void> {
  if (
    firstResponse.status !== 200 ||
    firstResponse.body === '' ||
    !createRandom(seedOf(seed, position + 500_000)).chance(40)
  )
    return
  const next = (JSON.parse(firstResponse.body).links as { next?: string | null } | undefined)?.next
  if (typeof next !== 'string') return
  const [first, second] = await Promise.all(worlds.map((world) => world.send({ method: 'GET', url: next })))
  if (first === undefined || second === undefined) return
  report.countKind('next page')
  const problems = differencesBetween(first, second)
  if (problems.length > 0) report.addDifference({ position, request: `GET ${next} (the next page)`, problems })
}

/**
 * The part before the dot: a version, or a hash that includes hidden values. It may reveal that something hidden has changed
 * (docs/internals/decisions/006-concurrency-and-etags.md): deleting a resource clears links that a client cannot see.
 */
const VERSION = /^(?:W\/)?"[^".]*/

export function differencesBetween(firstResponse: HttpResponse, secondResponse: HttpResponse): readonly string[] {
  const problems: string[] = []
  if (firstResponse.status >= 500) problems.push(`Status ${firstResponse.status}.`)
  const [first, second] = [firstResponse, secondResponse].map((response) => ({
    status: response.status,
    headers: response.headers
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => `${name}: ${name === 'etag' ? value.replace(VERSION, '"…') : value}`),
    body: withoutVersions(response.body),
  }))
  if (JSON.stringify(first) !== JSON.stringify(second))
    problems.push(`First: ${JSON.stringify(first)}`, `Second: ${JSON.stringify(second)}`)
  return problems
}

/** Results of operations have versions too. */
function withoutVersions(body: string): string {
  return body.replaceAll(/"meta":\{"version":"[^"]*"/g, '"meta":{"version":"…"')
}

function printRequest({ method, url, headers = {}, body }: HttpRequest): string {
  return [`${method} ${url}`, `  ${decodeURIComponent(url)}`, JSON.stringify(headers), body]
    .filter((each) => each !== undefined)
    .join('\n  ')
}

interface SentRequest {
  readonly request: HttpRequest
  readonly response: HttpResponse
}

interface World extends TestApi {
  /** Replaces placeholders by the values of this world. */
  sendFilled(request: Request): Promise<SentRequest>
}

async function open({ database, layout, leak, print }: Pair, rows: readonly Row[]): Promise<World> {
  checkHidden(rows)
  let errors = 0
  const api = await startTestApi(TYPES, { database, layout }, rows, (classes) => ({
    definitions: createDefinitions(classes, leak),
    context: () => ({ tenant: OURS }),
    etagSecret: 'the same in both worlds',
    onError: (error) => {
      errors += 1
      if (errors < 5) print(`Reported: ${String(error)}`)
    },
  }))
  const getEtag = async (url: string) => headerOf(await api.send({ method: 'GET', url }), 'etag') ?? '"none"'
  return {
    ...api,
    async sendFilled({ httpRequest: request, ...placeholders }) {
      const filled = await fillPlaceholders(request, placeholders, getEtag)
      return { request: filled, response: await api.send(filled) }
    },
  }
}

async function fillPlaceholders(
  request: HttpRequest,
  { condition, version }: Omit<Request, 'kind' | 'httpRequest'>,
  getEtag: (url: string) => Promise<string>,
): Promise<HttpRequest> {
  if (condition !== undefined)
    return { ...request, headers: { ...request.headers, [condition.header]: await getEtag(condition.url) } }
  if (version === undefined) return request
  const body = JSON.parse(request.body ?? '') as { 'atomic:operations': object[] }
  const operations = body['atomic:operations'].slice()
  const etag = await getEtag(version.url)
  operations[version.position] = { ...operations[version.position], meta: { version: etag } }
  return { ...request, body: JSON.stringify({ 'atomic:operations': operations }) }
}
