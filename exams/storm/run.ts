import { setTimeout as wait } from 'node:timers/promises'
import { IdempotencyKey } from 'stemma'
import type { DataSource } from 'typeorm'
import { createDatabase, type Database, type DatabaseName, openDataSource } from '../shared/databases'
import { makeClasses } from '../shared/model'
import { createRandom, seedOf } from '../shared/random'
import { createReport, type Report } from '../shared/report'
import { insertRows, type Row } from '../shared/rows'
import { StormClient } from './client'
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
  readonly breaks?: 'nothing' | 'transfers'
}

/** Documents have rows in several tables. */
const LAYOUT = 'joined'
const CLIENTS = 8
const PROCESSES = 2
/** Milliseconds between kills, however slow the clients are. */
const MAX_WAIT = 15_000
/** Number of kills after which everything is checked. After each other kill, only changes are checked. */
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

async function storm({ database, report, count, kills, seed, breaks = 'nothing' }: Storm): Promise<number> {
  const random = createRandom(seedOf(seed, 0))
  const log = new WriteLog()
  await insertInitialRows(database, log)
  const servers = new Servers({ place: database.place, layout: LAYOUT })
  const clients = Array.from(
    { length: CLIENTS },
    (_, number) =>
      new StormClient({
        number,
        clients: CLIENTS,
        random: createRandom(seedOf(seed, 1 + number)),
        log,
        report,
        breaks,
      }),
  )
  const running: ServerProcess[] = []
  const target = report.cases + count
  let killed = 0
  try {
    while (report.cases < target || killed < kills) {
      while (running.length < PROCESSES) running.push(await servers.start())
      const playing = clients.map((client) => client.play((random.pick(running) as ServerProcess).port))
      // So that kills and writes end at the same time; some kills are early.
      const until = report.cases + random.number(2 * Math.ceil(count / kills))
      await Promise.race([waitUntil(() => report.cases >= until), ...playing])
      await wait(random.number(30))
      // Kills one or all of them. In the latter case the last connection to the database ends during its work.
      const ending = running.splice(0, random.chance(60) ? 1 : PROCESSES)
      for (const client of clients) client.pause()
      await Promise.all(ending.map((server) => server.kill()))
      await Promise.all(playing)
      killed += ending.length
      report.countKind(ending.length === PROCESSES ? 'kills of all processes' : 'kills of one process')
      const isLast = report.cases >= target && killed >= kills
      await judge({
        database,
        report,
        log,
        pids: ending.map(({ pid }) => pid),
        extent: isLast || killed % FULL_CHECK_INTERVAL === 0 ? 'all' : 'changed',
      })
    }
  } finally {
    servers.close()
    await Promise.all(running.map((server) => server.kill()))
  }
  return killed
}

async function waitUntil(isReached: () => boolean): Promise<void> {
  const end = performance.now() + MAX_WAIT
  while (!isReached() && performance.now() < end) await wait(5)
}

interface Judging {
  readonly database: Database
  readonly report: Report
  readonly log: WriteLog
  readonly pids: readonly number[]
  readonly extent: 'all' | 'changed'
}

async function judge({ database, report, log, pids, extent }: Judging): Promise<void> {
  const dataSource = await openDataSource(database, [], { layout: 'single', synchronize: false })
  try {
    const inspector = new DatabaseInspector(dataSource, database.name)
    await inspector.waitForEndOf(pids)
    const objects = log.objectsToCheck(extent)
    const problems: string[] = []
    const { done, undone } = log.settle(await inspector.find(extent === 'all' ? 'all' : objects), objects, (problem) =>
      problems.push(problem),
    )
    for (let each = 0; each < done; each += 1) report.countKind('without an answer, done')
    for (let each = 0; each < undone; each += 1) report.countKind('without an answer, not done')
    problems.push(...(await inspector.problems()))
    report.countKind(extent === 'all' ? 'full checks' : 'checks of changes')
    if (problems.length > 0)
      report.addDifference({ position: report.cases, request: `${database.name}, after a kill`, problems })
  } finally {
    await dataSource.destroy()
  }
}

async function insertInitialRows(database: Database, log: WriteLog): Promise<void> {
  const resources = [...makeClasses(TYPES, { database: database.name, layout: LAYOUT }).values()]
  const dataSource: DataSource = await openDataSource(database, [...resources, IdempotencyKey], {
    layout: LAYOUT,
    synchronize: true,
  })
  const many = (type: string, length: number, values: (id: string) => Record<string, unknown>): readonly Row[] =>
    Array.from({ length }, (_, place) => String(place + 1)).map((id) => ({ type, id, values: values(id), links: {} }))
  const seats = many('seats', CLIENTS * SEATS + SEATS, (id) => ({ name: `seat ${id}` }))
  const rows = [
    ...many('accounts', ACCOUNTS, () => ({ balance: START_BALANCE })),
    ...many('tags', TAGS, (id) => ({ name: `tag ${id}` })),
    ...many('people', CLIENTS * SEATS + SEATS, (id) => ({ name: `person ${id}` })),
    ...seats,
  ]
  await insertRows({ dataSource, types: TYPES, database: database.name, layout: LAYOUT }, rows)
  log.confirm(seats.map(({ id }) => ({ object: `seats ${id}`, to: 'none' })))
  await dataSource.destroy()
}
