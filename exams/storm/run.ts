import { setTimeout as wait } from 'node:timers/promises'
import { IdempotencyKey } from 'stemma'
import type { DataSource } from 'typeorm'
import { createDatabase, type Database, type DatabaseName, openDataSource } from '../shared/databases'
import { createClasses } from '../shared/model'
import { createRandom, seedOf } from '../shared/random'
import { createReport, type Report } from '../shared/report'
import { insertRows, type Row } from '../shared/rows'
import { type ClientOptions, StormClient } from './client'
import { DatabaseInspector } from './database-inspector'
import { ACCOUNTS, SEATS, START_BALANCE, TAGS, TYPES } from './model'
import { type ServerProcess, Servers } from './processes'
import { WriteLog } from './write-log'

export interface StormOptions {
  /** Number of writes on each database, and minimum number of killed processes. */
  readonly count: number
  readonly kills: number
  readonly seed: number
  readonly print: (text: string) => void
  readonly databases: readonly DatabaseName[]
  readonly sabotage?: 'none' | 'transfers'
}

/** Documents have rows in several tables. */
export const LAYOUT = 'joined'
const CLIENTS = 8
const PROCESSES = 2
/** Maximum number of milliseconds between kills, for slow clients. */
const MAX_WAIT = 15_000
/** After this number of kills, the whole database is checked. After each other kill, only changed objects are. */
const FULL_CHECK_INTERVAL = 40

/**
 * Runs parallel clients through processes that are killed at random times. Confirmed writes must be stored, and others completely or not at
 * all.
 */
export async function runStorm(options: StormOptions): Promise<Report> {
  const report = createReport('storm', options)
  for (const name of options.databases) {
    const before = report.cases
    const database = await createDatabase(name, 'file')
    try {
      const kills = await storm({ ...options, database, report })
      options.print(`${name}: ${report.cases - before} writes, ${kills} kills`)
    } finally {
      await database.remove()
    }
  }
  return report
}

interface Storm extends StormOptions {
  readonly database: Database
  readonly report: Report
}

async function storm({ database, report, count, kills, seed, sabotage = 'none' }: Storm): Promise<number> {
  const random = createRandom(seedOf(seed, 0))
  const log = new WriteLog()
  await insertInitialRows(database, log)
  const servers = new Servers()
  const clients = createClients({ seed, log, report, sabotage })
  const running: ServerProcess[] = []
  const target = report.cases + count
  let killed = 0
  try {
    while (report.cases < target || killed < kills) {
      while (running.length < PROCESSES)
        running.push(await servers.start({ connection: database.connection, layout: LAYOUT }))
      const clientRuns = clients.map((client) => client.run((random.pick(running) as ServerProcess).port))
      // A random number of writes between kills, so that the required kills and writes are reached at about the same time.
      const targetCases = report.cases + random.number(2 * Math.ceil(count / kills))
      await Promise.race([waitUntil(() => report.cases >= targetCases), ...clientRuns])
      await wait(random.number(30))
      // Killing all processes also tests that the last connection to the database ends during a write.
      const killedServers = running.splice(0, random.chance(60) ? 1 : PROCESSES)
      for (const client of clients) client.pause()
      await Promise.all(killedServers.map((server) => server.kill()))
      await Promise.all(clientRuns)
      killed += killedServers.length
      report.countKind(killedServers.length === PROCESSES ? 'kills of all processes' : 'kills of one process')
      const isLast = report.cases >= target && killed >= kills
      await checkDatabase({
        database,
        report,
        log,
        pids: killedServers.map(({ pid }) => pid),
        extent: isLast || killed % FULL_CHECK_INTERVAL === 0 ? 'all' : 'changed',
      })
    }
  } finally {
    servers.close()
    await Promise.all(running.map((server) => server.kill()))
  }
  return killed
}

export function createClients(
  options: Pick<ClientOptions, 'log' | 'report' | 'sabotage'> & { readonly seed: number },
): readonly StormClient[] {
  const { seed, ...shared } = options
  return Array.from({ length: CLIENTS }, (_, number) => {
    return new StormClient({ number, clients: CLIENTS, random: createRandom(seedOf(seed, 1 + number)), ...shared })
  })
}

export async function waitUntil(isReached: () => boolean): Promise<void> {
  const end = performance.now() + MAX_WAIT
  while (!isReached() && performance.now() < end) await wait(5)
}

interface CheckOptions {
  readonly database: Database
  readonly report: Report
  readonly log: WriteLog
  readonly pids: readonly number[]
  readonly extent: 'all' | 'changed'
}

async function checkDatabase({ database, report, log, pids, extent }: CheckOptions): Promise<void> {
  const dataSource = await openDataSource(database, [], { layout: 'single', synchronize: false })
  try {
    const inspector = new DatabaseInspector(dataSource, database.name)
    await inspector.waitForEndOf(pids)
    await compareWithLog(inspector, { report, log, extent, name: database.name })
  } finally {
    await dataSource.destroy()
  }
}

/** Compares the database with the responses, and checks its invariants. */
export async function compareWithLog(
  inspector: DatabaseInspector,
  { report, log, extent, name }: Pick<CheckOptions, 'report' | 'log' | 'extent'> & { readonly name: string },
): Promise<void> {
  const objects = log.objectsToCheck(extent)
  const problems: string[] = []
  const { executed: done, notExecuted: undone } = log.settle(
    await inspector.find(extent === 'all' ? 'all' : objects),
    objects,
    (problem) => problems.push(problem),
  )
  for (let each = 0; each < done; each += 1) report.countKind('without a response, executed')
  for (let each = 0; each < undone; each += 1) report.countKind('without a response, not executed')
  problems.push(...(await inspector.problems()))
  report.countKind(extent === 'all' ? 'full checks' : 'checks of changes')
  if (problems.length > 0) report.addDifference({ position: report.cases, request: `${name}, after a kill`, problems })
}

/** Creates the tables and rows. `added`: further tables. */
export async function insertInitialRows(
  database: Pick<Database, 'name' | 'connection'>,
  log: WriteLog,
  added: readonly (new () => object)[] = [],
): Promise<void> {
  const resources = [...createClasses(TYPES, { database: database.name, layout: LAYOUT }).values()]
  const dataSource: DataSource = await openDataSource(database, [...resources, IdempotencyKey, ...added], {
    layout: LAYOUT,
    synchronize: true,
  })
  const createRows = (type: string, length: number, values: (id: string) => Record<string, unknown>): readonly Row[] =>
    Array.from({ length }, (_, index) => String(index + 1)).map((id) => ({ type, id, values: values(id), links: {} }))
  const seats = createRows('seats', CLIENTS * SEATS + SEATS, (id) => ({ name: `seat ${id}` }))
  const rows = [
    ...createRows('accounts', ACCOUNTS, () => ({ balance: START_BALANCE })),
    ...createRows('tags', TAGS, (id) => ({ name: `tag ${id}` })),
    ...createRows('people', CLIENTS * SEATS + SEATS, (id) => ({ name: `person ${id}` })),
    ...seats,
  ]
  await insertRows({ dataSource, types: TYPES, database: database.name, layout: LAYOUT }, rows)
  log.confirm(seats.map(({ id }) => ({ object: `seats ${id}`, to: 'none' })))
  await dataSource.destroy()
}
