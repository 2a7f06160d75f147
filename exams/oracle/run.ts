import { createJsonApi } from 'stemma'
import type { DataSource } from 'typeorm'
import { Generator } from '../query/generate'
import { printUrl } from '../query/print'
import { type Answer, Client, headerOf, type Sent } from '../shared/client'
import { createDatabase, type Database, type DatabaseName, type Layout, openDataSource } from '../shared/databases'
import { makeClasses, type Setting } from '../shared/model'
import { randomOf, seedOf } from '../shared/random'
import { type Report, reportOn } from '../shared/report'
import { insertRows, type Row } from '../shared/rows'
import { type Serving, serve } from '../shared/serve'
import { differencesOf } from './compare'
import { type Expected, expectedDocument, expectedOrder } from './document'
import { World } from './evaluate'
import { TYPES } from './model'
import { makeRows } from './rows'

export interface OracleOptions {
  readonly count: number
  readonly seed: number
  readonly print: (text: string) => void
  readonly databases: readonly DatabaseName[]
  readonly layouts: readonly Layout[]
  /** Runs only this case. */
  readonly only?: number | undefined
  /** Replaces the oracle, to test that a wrong oracle is noticed. */
  readonly createWorld?: (rows: readonly Row[]) => World
  /** Called before each query; returns true to stop. */
  readonly isOver?: () => boolean
  /** Stores the rows and serves them. Default: a new database, through the listener. */
  readonly open?: (setting: Setting, rows: readonly Row[]) => Promise<Stand>
}

const CURSORS = 'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'
/** One in this many lists is followed by cursors. */
const WALKED = 7
/** Number of queries until the rows are replaced. */
const PER_WORLD = 5000

/** Sends random queries to all databases and layouts. All must return the same bytes, and the document that the oracle expects. */
export async function runOracle(options: OracleOptions): Promise<Report> {
  const { count, seed, only, createWorld = (rows) => new World(rows), open = openStand, isOver = () => false } = options
  const report = reportOn('oracle', options)
  const [from, to] = only === undefined ? [0, count] : [only, only + 1]
  for (let place = from; place < to && !isOver(); ) {
    const number = Math.floor(place / PER_WORLD)
    const rows = makeRows(randomOf(seedOf(seed, -1 - number)))
    const stands = await Promise.all(
      options.databases.flatMap((database) => options.layouts.map((layout) => open({ database, layout }, rows))),
    )
    const world = createWorld(rows)
    const end = Math.min(to, (number + 1) * PER_WORLD)
    for (; place < end && !isOver(); place += 1) {
      const query = new Generator(randomOf(seedOf(seed, place)), TYPES, rows).query()
      const asked = { place, stands, report }
      await ask({ ...asked, url: printUrl(query), expected: expectedDocument(query, world) })
      const order = query.listing.number === undefined ? expectedOrder(query, world) : undefined
      if (order !== undefined && place % WALKED === 0) await walk({ ...asked, url: printUrl(query), order })
    }
    for (const stand of stands) await stand.close()
  }
  return report
}

interface Asking {
  readonly url: string
  readonly place: number
  readonly stands: readonly Stand[]
  readonly report: Report
}

interface Asked extends Asking {
  readonly expected: Expected
}

async function ask({ url, place, stands, report, expected }: Asked): Promise<void> {
  const answers = await Promise.all(stands.map((stand) => stand.send({ method: 'GET', url })))
  const [first] = answers
  if (first === undefined) throw new Error('There is no database to ask.')
  report.counted()
  report.saw(`${first.status}`)
  const all = JSON.parse(first.body).data
  if (first.status === 200) report.saw(Array.isArray(all) ? (all.length === 0 ? 'empty lists' : 'lists') : 'single')
  const problems = differencesOf(first, expected).map((each) => `${stands[0]?.name}: ${each}`)
  answers.forEach((answer, at) => {
    if (at > 0 && saidBy(answer) !== saidBy(first))
      problems.push(`${stands[at]?.name} answers something else than ${stands[0]?.name}:\n${answer.body}`)
  })
  if (problems.length === 0) return
  report.differs({
    place,
    request: `GET ${url}\n${decodeURIComponent(url)}`,
    problems: [...problems, `${stands[0]?.name} answered: ${first.body}`],
  })
}

/** Follows a list by cursors: every resource must occur once, in order. The databases and layouts take turns. */
async function walk({
  url,
  place,
  stands,
  report,
  order,
}: Asking & { readonly order: readonly string[] }): Promise<void> {
  const { send, name } = stands[(place / WALKED) % stands.length] as Stand
  const found: string[] = []
  for (let next: string | null = url; next !== null && found.length <= order.length; ) {
    const answer: Answer = await send({ method: 'GET', url: next, headers: { Accept: CURSORS } })
    if (answer.status !== 200)
      return report.differs({
        place,
        request: `GET ${next}\n${url}`,
        problems: [`${name}, by cursors: ${answer.status} ${answer.body}`],
      })
    const { data, links } = JSON.parse(answer.body) as {
      data: { type: string; id: string }[]
      links: { next: string | null }
    }
    found.push(...data.map(({ type, id }) => `${type} ${id}`))
    next = links.next
  }
  report.saw('walks by cursors')
  if (found.join() === order.join()) return
  report.differs({
    place,
    request: `GET ${url}\n${decodeURIComponent(url)}`,
    problems: [`${name}, by cursors: expected ${order.join()}, found ${found.join()}.`],
  })
}

function saidBy(answer: Answer): string {
  return [answer.status, headerOf(answer, 'content-type'), answer.body].join('\n')
}

/** Serves the rows. */
export interface Stand {
  readonly name: string
  readonly send: (sent: Sent) => Promise<Answer>
  close(): Promise<void>
}

async function openStand({ database, layout }: Setting, rows: readonly Row[]): Promise<Stand> {
  const place: Database = await createDatabase(database)
  const classes = [...makeClasses(TYPES, { database, layout }).values()]
  const dataSource: DataSource = await openDataSource(place, classes, { layout, synchronize: true })
  await insertRows({ dataSource, types: TYPES, database, layout }, rows)
  const { listener } = createJsonApi({
    dataSource,
    resources: classes,
    startupLog: false,
    explorer: false,
    limits: { cost: null },
  })
  const server: Serving = await serve(listener)
  const client = new Client(server.port)
  return {
    name: `${database} ${layout}`,
    send: (sent) => client.send(sent),
    async close() {
      client.close()
      await server.close()
      await dataSource.destroy()
      await place.remove()
    },
  }
}
