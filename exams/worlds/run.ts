import { createJsonApi } from 'stemma'
import { type Answer, Client, headerOf, type Sent } from '../shared/client'
import { createDatabase, type DatabaseName, type Layout, openDataSource } from '../shared/databases'
import { makeClasses } from '../shared/model'
import { randomOf, seedOf } from '../shared/random'
import { type Report, reportOn } from '../shared/report'
import { insertRows, type Row } from '../shared/rows'
import { serve } from '../shared/serve'
import { differenceFromUnknown, disguise } from './disguise'
import { makeDefinitions, OURS, TYPES } from './model'
import { type Request, Requests } from './requests'
import { addHidden, checkHidden, chooseHeld, makeVisible } from './rows'

export interface WorldsOptions {
  readonly count: number
  readonly seed: number
  readonly print: (text: string) => void
  readonly databases: readonly DatabaseName[]
  readonly layouts: readonly Layout[]
  readonly only?: number | undefined
  readonly leak?: 'memos' | 'salary'
}

/** Number of pairs after which new databases are created, because requests delete many rows. */
const PER_WORLD = 400

/** Percentage of the pairs for each configuration, if all take part. Servers take ten times as long. */
const SHARES: Readonly<Record<DatabaseName, number>> = { sqlite: 80, postgres: 10, mariadb: 10 }

/** Sends each request to two databases that differ only in hidden data. All responses must be identical. */
export async function runWorlds(options: WorldsOptions): Promise<Report> {
  const { count, seed, only, databases, layouts } = options
  const report = reportOn('worlds', options)
  const worlds = Math.ceil(count / PER_WORLD)
  const total = databases.reduce((sum, each) => sum + SHARES[each], 0)
  for (let number = 0; number < worlds; number += 1) {
    if (only !== undefined && number !== Math.floor(only / PER_WORLD)) continue
    const random = randomOf(seedOf(seed, -1 - number))
    // Databases and layouts take turns, also in a short run.
    const at = number < databases.length ? 0 : random.number(total)
    const database = number < databases.length ? databases[number] : chosen(databases, at)
    const layout = layouts[number % layouts.length]
    if (database === undefined || layout === undefined) throw new Error('There is no database to ask.')
    const length = Math.min(PER_WORLD, count - number * PER_WORLD)
    await askPair({ ...options, report, database, layout, from: number * PER_WORLD, length })
  }
  return report
}

function chosen(databases: readonly DatabaseName[], at: number): DatabaseName | undefined {
  let sum = 0
  return databases.find((each) => {
    sum += SHARES[each]
    return at < sum
  })
}

interface Pair extends WorldsOptions {
  readonly report: Report
  readonly database: DatabaseName
  readonly layout: Layout
  readonly from: number
  readonly length: number
}

async function askPair(pair: Pair): Promise<void> {
  const { seed, from, length, report, database, layout, only } = pair
  const random = randomOf(seedOf(seed, -1_000_000 - from))
  const visible = makeVisible(random)
  const held = chooseHeld(visible, random)
  const one = await open(pair, addHidden(visible, held, randomOf(seedOf(seed, -2_000_000 - from))))
  const other = await open(pair, addHidden(visible, held, randomOf(seedOf(seed, -3_000_000 - from))))
  let made = 0
  const newId = () => String(1000 + made++)
  // Writes depend on earlier ones, so a repeated case sends all of them.
  const end = only === undefined ? length : Math.min(length, only - from + 1)
  try {
    for (let place = from; place < from + end; place += 1) {
      const request = new Requests(randomOf(seedOf(seed, place)), visible, newId).next()
      const before = await versionsOf(request, [one, other])
      const [left, right] = await Promise.all([one.ask(request), other.ask(request)])
      const after = await versionsOf(request, [one, other])
      report.counted()
      report.saw(`${request.kind} ${Math.floor(left.answer.status / 100)}xx`)
      const problems = [
        ...differencesBetween(left.answer, right.answer),
        ...differentSteps(before, after),
        ...(await asUnknown(left, one, report)),
      ]
      if (problems.length === 0) {
        await follow(left.answer, [one, other], { report, place, seed })
        continue
      }
      const shown =
        show(left.sent) === show(right.sent) ? show(left.sent) : `${show(left.sent)}\nto the other: ${show(right.sent)}`
      report.differs({ place, request: `on ${database} ${layout}: ${shown}`, problems })
      // The two databases may differ from here on.
      break
    }
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

/** If a request names a hidden field, an unknown name must give the same response. */
async function asUnknown({ sent, answer }: Asked, world: Stand, report: Report): Promise<readonly string[]> {
  const other = disguise(sent)
  if (other === undefined) return []
  report.saw('hidden names')
  return differenceFromUnknown(answer, await world.send(other))
}

/**
 * The versions may differ, but an update must increment them equally. Otherwise a guess of a hidden value could be distinguished from a
 * change.
 */
async function versionsOf({ kind, sent }: Request, worlds: readonly Stand[]): Promise<readonly number[]> {
  const [path = ''] = sent.url.split('?')
  if (kind !== 'update' || !path.startsWith('/people/')) return []
  const answers = await Promise.all(worlds.map((world) => world.send({ method: 'GET', url: path })))
  return answers.map((answer) => Number(/^"v(\d+)/.exec(headerOf(answer, 'etag') ?? '')?.[1]))
}

function differentSteps(before: readonly number[], after: readonly number[]): readonly string[] {
  // Not a number: the resource does not exist or is hidden from now on.
  const [one, other] = after.map((version, place) => version - Number(before[place]))
  return Object.is(one, other) ? [] : [`The version is counted up by ${one} in one, by ${other} in the other.`]
}

interface Following {
  readonly report: Report
  readonly place: number
  readonly seed: number
}

/** Sometimes a client follows the link to the next page, by number or cursor. */
async function follow(left: Answer, worlds: readonly Stand[], { report, place, seed }: Following): Promise<void> {
  if (left.status !== 200 || left.body === '' || !randomOf(seedOf(seed, place + 500_000)).chance(40)) return
  const next = (JSON.parse(left.body).links as { next?: string | null } | undefined)?.next
  if (typeof next !== 'string') return
  const [one, other] = await Promise.all(worlds.map((world) => world.send({ method: 'GET', url: next })))
  if (one === undefined || other === undefined) return
  report.saw('next page')
  const problems = differencesBetween(one, other)
  if (problems.length > 0) report.differs({ place, request: `GET ${next} (the next page)`, problems })
}

/**
 * The part before the dot: a version, or a hash that includes hidden values. It may reveal that something hidden has changed
 * (docs/internals/decisions/006-concurrency-and-etags.md): deleting a resource clears links that a client cannot see.
 */
const STATE = /^(?:W\/)?"[^".]*/

export function differencesBetween(left: Answer, right: Answer): readonly string[] {
  const problems: string[] = []
  if (left.status >= 500) problems.push(`It answers ${left.status}.`)
  const [one, other] = [left, right].map((answer) => ({
    status: answer.status,
    headers: answer.headers
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => `${name}: ${name === 'etag' ? value.replace(STATE, '"…') : value}`),
    body: withoutStates(answer.body),
  }))
  if (JSON.stringify(one) !== JSON.stringify(other))
    problems.push(`One: ${JSON.stringify(one)}`, `Other: ${JSON.stringify(other)}`)
  return problems
}

/** Results of operations have versions too. */
function withoutStates(body: string): string {
  return body.replaceAll(/"meta":\{"version":"[^"]*"/g, '"meta":{"version":"…"')
}

function show({ method, url, headers = {}, body }: Sent): string {
  return [`${method} ${url}`, `  ${decodeURIComponent(url)}`, JSON.stringify(headers), body]
    .filter((each) => each !== undefined)
    .join('\n  ')
}

interface Asked {
  readonly sent: Sent
  readonly answer: Answer
}

interface Stand {
  /** Replaces placeholders by the values of this world. */
  ask(request: Request): Promise<Asked>
  send(sent: Sent): Promise<Answer>
  close(): Promise<void>
}

async function open({ database, layout, leak, print }: Pair, rows: readonly Row[]): Promise<Stand> {
  checkHidden(rows)
  const place = await createDatabase(database)
  const classes = makeClasses(TYPES, { database, layout })
  const resources = [...classes.values()]
  const dataSource = await openDataSource(place, resources, { layout, synchronize: true })
  await insertRows({ dataSource, types: TYPES, database, layout }, rows)
  const reported: unknown[] = []
  const { listener } = createJsonApi({
    dataSource,
    resources,
    definitions: makeDefinitions(classes, leak),
    context: () => ({ tenant: OURS }),
    etagSecret: 'the same in both worlds',
    startupLog: false,
    explorer: false,
    limits: { cost: null },
    onError: (error) => {
      reported.push(error)
      if (reported.length < 5) print(`Reported: ${String(error)}`)
    },
  })
  const server = await serve(listener)
  const client = new Client(server.port)
  const getEtag = async (url: string) => headerOf(await client.send({ method: 'GET', url }), 'etag') ?? '"none"'
  return {
    send: (sent) => client.send(sent),
    async ask({ sent, ...rest }) {
      const filled = await fill(sent, rest, getEtag)
      return { sent: filled, answer: await client.send(filled) }
    },
    async close() {
      client.close()
      await server.close()
      await dataSource.destroy()
      await place.remove()
    },
  }
}

async function fill(
  sent: Sent,
  { condition, version }: Omit<Request, 'kind' | 'sent'>,
  getEtag: (url: string) => Promise<string>,
): Promise<Sent> {
  if (condition !== undefined)
    return { ...sent, headers: { ...sent.headers, [condition.header]: await getEtag(condition.url) } }
  if (version === undefined) return sent
  const body = JSON.parse(sent.body ?? '') as { 'atomic:operations': object[] }
  const operations = body['atomic:operations'].slice()
  const etag = await getEtag(version.url)
  operations[version.place] = { ...operations[version.place], meta: { version: etag } }
  return { ...sent, body: JSON.stringify({ 'atomic:operations': operations }) }
}
