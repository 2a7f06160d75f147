import { setTimeout as wait } from 'node:timers/promises'
import { IdempotencyKey } from 'stemma'
import type { DataSource } from 'typeorm'
import { createDatabase, type Database, type DatabaseName, openDataSource } from '../shared/databases'
import { makeClasses } from '../shared/model'
import { randomOf, seedOf } from '../shared/random'
import { type Report, reportOn } from '../shared/report'
import { insertRows, type Row } from '../shared/rows'
import { Book } from './book'
import { StormClient } from './client'
import { Look } from './look'
import { ACCOUNTS, SEATS, START_BALANCE, TAGS, TYPES } from './model'
import { type ServerProcess, Servers } from './processes'

export interface StormOptions {
  /** Number of writes on each database, and minimum number of killed processes. */
  readonly count: number
  readonly kills: number
  readonly seed: number
  readonly print: (text: string) => void
  readonly databases: readonly DatabaseName[]
  readonly breaks?: 'nothing' | 'transfers'
}

/** Rows of documents lie in several tables. */
const LAYOUT = 'joined'
const CLIENTS = 8
const PROCESSES = 2
/** Milliseconds between kills, however slow the clients are. */
const LONGEST = 15_000
/** Number of kills after which everything is checked. After each other kill, only changes are checked. */
const WHOLE = 40

/**
 * Runs parallel clients through processes that are killed at random times. Confirmed writes must be stored, and others completely or not at
 * all.
 */
export async function runStorm(options: StormOptions): Promise<Report> {
  const report = reportOn('storm', options)
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
  const random = randomOf(seedOf(seed, 0))
  const book = new Book()
  await fillTables(database, book)
  const servers = new Servers({ place: database.place, layout: LAYOUT })
  const clients = Array.from(
    { length: CLIENTS },
    (_, number) =>
      new StormClient({ number, clients: CLIENTS, random: randomOf(seedOf(seed, 1 + number)), book, report, breaks }),
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
      report.saw(ending.length === PROCESSES ? 'kills of all processes' : 'kills of one process')
      const isLast = report.cases >= target && killed >= kills
      await judge({
        database,
        report,
        book,
        pids: ending.map(({ pid }) => pid),
        extent: isLast || killed % WHOLE === 0 ? 'all' : 'changed',
      })
    }
  } finally {
    servers.close()
    await Promise.all(running.map((server) => server.kill()))
  }
  return killed
}

async function waitUntil(isReached: () => boolean): Promise<void> {
  const end = performance.now() + LONGEST
  while (!isReached() && performance.now() < end) await wait(5)
}

interface Judging {
  readonly database: Database
  readonly report: Report
  readonly book: Book
  readonly pids: readonly number[]
  readonly extent: 'all' | 'changed'
}

async function judge({ database, report, book, pids, extent }: Judging): Promise<void> {
  const dataSource = await openDataSource(database, [], { layout: 'single', synchronize: false })
  try {
    const look = new Look(dataSource, database.name)
    await look.waitForEndOf(pids)
    const things = book.toLookAt(extent)
    const problems: string[] = []
    const { done, undone } = book.settle(await look.find(extent === 'all' ? 'all' : things), things, (problem) =>
      problems.push(problem),
    )
    for (let each = 0; each < done; each += 1) report.saw('without an answer, done')
    for (let each = 0; each < undone; each += 1) report.saw('without an answer, not done')
    problems.push(...(await look.problems()))
    report.saw(extent === 'all' ? 'looks at everything' : 'looks at changes')
    if (problems.length > 0)
      report.differs({ place: report.cases, request: `${database.name}, after a kill`, problems })
  } finally {
    await dataSource.destroy()
  }
}

async function fillTables(database: Database, book: Book): Promise<void> {
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
  book.acknowledge(seats.map(({ id }) => ({ thing: `seats ${id}`, to: 'none' })))
  await dataSource.destroy()
}
