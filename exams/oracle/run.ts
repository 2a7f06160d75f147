import { Generator } from '../query/generate'
import { printUrl } from '../query/print'
import { type HttpResponse, headerOf } from '../shared/client'
import type { Configuration } from '../shared/model'
import { createRandom, seedOf } from '../shared/random'
import { createReport, type Report, type RunOptions } from '../shared/report'
import type { Row } from '../shared/rows'
import { startTestApi, type TestApi } from '../shared/test-api'
import { differencesOf } from './compare'
import { type Expected, expectedDocument, expectedOrder } from './document'
import { Evaluator } from './evaluate'
import { TYPES } from './model'
import { createRows } from './rows'

export interface OracleOptions extends RunOptions {
  /** Replaces the oracle, to test that a wrong oracle is noticed. */
  readonly createEvaluator?: (rows: readonly Row[]) => Evaluator
  /** Called before each query; returns true to stop. */
  readonly shouldStop?: () => boolean
  /** Stores the rows and serves them. Default: a new database, through the listener. */
  readonly open?: (setting: Configuration, rows: readonly Row[]) => Promise<TestApi>
}

const CURSORS = 'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'
/** One in this many lists is paginated with cursors. */
const CURSOR_INTERVAL = 7
/** Number of queries until the rows are replaced. */
const QUERIES_PER_DATABASE = 5000

/** Sends random queries to all databases and layouts. All must return the same bytes, and the document that the oracle expects. */
export async function runOracle(options: OracleOptions): Promise<Report> {
  const {
    count,
    seed,
    caseNumber,
    createEvaluator: createWorld = (rows) => new Evaluator(rows),
    open = (setting, rows) => startTestApi(TYPES, setting, rows),
    shouldStop: isOver = () => false,
  } = options
  const report = createReport('oracle', options)
  const [from, to] = caseNumber === undefined ? [0, count] : [caseNumber, caseNumber + 1]
  for (let position = from; position < to && !isOver(); ) {
    const number = Math.floor(position / QUERIES_PER_DATABASE)
    const rows = createRows(createRandom(seedOf(seed, -1 - number)))
    const apis = await Promise.all(
      options.databases.flatMap((database) => options.layouts.map((layout) => open({ database, layout }, rows))),
    )
    const evaluator = createWorld(rows)
    const end = Math.min(to, (number + 1) * QUERIES_PER_DATABASE)
    for (; position < end && !isOver(); position += 1) {
      const query = new Generator(createRandom(seedOf(seed, position)), TYPES, rows).query()
      const shared = { position, apis, report }
      await checkResponse({ ...shared, url: printUrl(query), expected: expectedDocument(query, evaluator) })
      const order = query.listing.number === undefined ? expectedOrder(query, evaluator) : undefined
      if (order !== undefined && position % CURSOR_INTERVAL === 0)
        await checkPagination({ ...shared, url: printUrl(query), order })
    }
    for (const api of apis) await api.close()
  }
  return report
}

interface QueryCase {
  readonly url: string
  readonly position: number
  readonly apis: readonly TestApi[]
  readonly report: Report
}

interface ExpectedCase extends QueryCase {
  readonly expected: Expected
}

async function checkResponse({ url, position, apis, report, expected }: ExpectedCase): Promise<void> {
  const responses = await Promise.all(apis.map((api) => api.send({ method: 'GET', url })))
  const [first] = responses
  if (first === undefined) throw new Error('No database was chosen.')
  report.countCases()
  report.countKind(`${first.status}`)
  const all = JSON.parse(first.body).data
  if (first.status === 200)
    report.countKind(Array.isArray(all) ? (all.length === 0 ? 'empty lists' : 'lists') : 'single')
  const problems = differencesOf(first, expected).map((each) => `${apis[0]?.name}: ${each}`)
  responses.forEach((response, index) => {
    if (index > 0 && comparedPart(response) !== comparedPart(first))
      problems.push(`${apis[index]?.name} differs from ${apis[0]?.name}:\n${response.body}`)
  })
  if (problems.length === 0) return
  report.addDifference({
    position,
    request: `GET ${url}\n${decodeURIComponent(url)}`,
    problems: [...problems, `${apis[0]?.name} responded: ${first.body}`],
  })
}

/** Follows a list by cursors: every resource must occur once, in order. The databases and layouts take turns. */
async function checkPagination({
  url,
  position,
  apis,
  report,
  order,
}: QueryCase & { readonly order: readonly string[] }): Promise<void> {
  const { send, name } = apis[(position / CURSOR_INTERVAL) % apis.length] as TestApi
  const found: string[] = []
  for (let next: string | null = url; next !== null && found.length <= order.length; ) {
    const response: HttpResponse = await send({ method: 'GET', url: next, headers: { Accept: CURSORS } })
    if (response.status !== 200)
      return report.addDifference({
        position,
        request: `GET ${next}\n${url}`,
        problems: [`${name}, by cursors: ${response.status} ${response.body}`],
      })
    const { data, links } = JSON.parse(response.body) as {
      data: { type: string; id: string }[]
      links: { next: string | null }
    }
    found.push(...data.map(({ type, id }) => `${type} ${id}`))
    next = links.next
  }
  report.countKind('lists paginated by cursor')
  if (found.join() === order.join()) return
  report.addDifference({
    position,
    request: `GET ${url}\n${decodeURIComponent(url)}`,
    problems: [`${name}, by cursors: expected ${order.join()}, found ${found.join()}.`],
  })
}

function comparedPart(response: HttpResponse): string {
  return [response.status, headerOf(response, 'content-type'), response.body].join('\n')
}
