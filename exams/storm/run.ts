import { setTimeout as wait } from 'node:timers/promises'
import { ClusterLock, IdempotencyKey } from 'stemma'
import { type Database, openDataSource } from '../shared/databases'
import { createClasses } from '../shared/model'
import { createRandom, seedOf } from '../shared/random'
import { createReport, type Report } from '../shared/report'
import { insertRows, type Row } from '../shared/rows'
import { type Sabotage, StormClient } from './client'
import { DatabaseInspector } from './database-inspector'
import { type Deployment, deploy } from './deployment'
import { type FaultContext, Faults } from './faults'
import { ACCOUNTS, SEATS, START_BALANCE, TAGS, TYPES } from './model'
import type { StormOptions } from './options'
import { WriteLog } from './write-log'

/** Maximum number of milliseconds between faults, for slow clients. */
const MAX_WAIT = 15_000
/** After this number of rounds, the whole database is checked. After each other round, only changed objects are. */
const FULL_CHECK_INTERVAL = 20

interface RunOptions extends StormOptions {
  readonly print: (text: string) => void
  readonly sabotage?: Sabotage
}

interface Storm extends FaultContext {
  readonly faults: Faults
  readonly log: WriteLog
}

/**
 * Runs parallel clients through processes and nodes that fail at random times. Confirmed writes must be stored, and others completely or not at
 * all.
 */
export async function runStorm(options: RunOptions): Promise<Report> {
  const { count, rounds, seed, faults, sabotage = 'none' } = options
  const report = createReport('storm', options)
  const deployment = await deploy(options)
  try {
    const log = new WriteLog()
    await insertInitialRows(deployment, log, options.clients)
    const clients = Array.from({ length: options.clients }, (_, number) => {
      const random = createRandom(seedOf(seed, 1 + number))
      return new StormClient({ number, clients: options.clients, random, log, report, sabotage })
    })
    const random = createRandom(seedOf(seed, 0))
    const storm: Storm = { deployment, clients, random, report, log, faults: new Faults(faults) }
    for (let round = 1, isLast = false; !isLast; round += 1) {
      // A random number of writes between faults, so that the required faults and writes are reached at about the same time.
      const fault = await runRound(report.cases + random.number(2 * Math.ceil(count / rounds)), storm)
      isLast = report.cases >= count && round >= rounds
      if (isLast) await deployment.waitForServers()
      await checkDatabase(isLast || round % FULL_CHECK_INTERVAL === 0 ? 'all' : 'changed', fault, storm)
    }
  } finally {
    await deployment.close()
  }
  return report
}

/** Lets the clients write until this number of writes, and then causes a fault. Returns its name. */
async function runRound(targetCases: number, storm: Storm): Promise<string> {
  const { deployment, clients, random, report, faults } = storm
  await deployment.startProcesses()
  const runs = clients.map((client) => client.run(random.pick(deployment.processes).port))
  await Promise.race([waitUntil(() => report.cases >= targetCases), ...runs])
  await wait(random.number(30))
  const fault = await faults.cause(storm)
  for (const client of clients) client.pause()
  await Promise.all(runs)
  const crashed = deployment.removeCrashed()
  if (crashed > 0)
    report.addDifference({
      position: report.cases,
      request: `After the fault: ${fault}`,
      problems: [`Processes that have crashed: ${crashed}.`],
    })
  return fault
}

async function waitUntil(isReached: () => boolean): Promise<void> {
  const end = performance.now() + MAX_WAIT
  while (!isReached() && performance.now() < end) await wait(5)
}

/** Checks one database server after a wait for all, or all of them. */
async function checkDatabase(extent: 'all' | 'changed', fault: string, storm: Storm): Promise<void> {
  const { database, layout, connections, nodes, pair, processes } = storm.deployment
  const standby = extent === 'all' ? pair?.standby : undefined
  const pids = processes.map(({ pid }) => pid)
  const dataSources = await Promise.all(
    [...connections, ...(standby === undefined ? [] : [standby.connection])].map((connection) =>
      openDataSource({ connection: { ...connection, poolSize: 1 } }, [], { layout: 'single', synchronize: false }),
    ),
  )
  try {
    const inspectors = dataSources.map((dataSource) => new DatabaseInspector(dataSource, database, layout))
    for (const inspector of inspectors) await inspector.waitForEnd(pids)
    // From now on, a node shows everything that any node has committed.
    if (nodes.length > 0)
      for (const dataSource of dataSources) await dataSource.query('set session wsrep_sync_wait = 1')
    if (standby !== undefined) await pair?.settle()
    for (const inspector of extent === 'all' ? inspectors : inspectors.slice(0, 1))
      await compareWithLog(inspector, extent, fault, storm)
  } finally {
    await Promise.all(dataSources.map((dataSource) => dataSource.destroy()))
  }
}

/** Compares the database with the responses, and checks its invariants. */
async function compareWithLog(
  inspector: DatabaseInspector,
  extent: 'all' | 'changed',
  fault: string,
  { report, log }: Storm,
): Promise<void> {
  const objects = log.objectsToCheck(extent)
  const problems: string[] = []
  const { executed, notExecuted } = log.settle(
    await inspector.find(extent === 'all' ? 'all' : objects),
    objects,
    (problem) => problems.push(problem),
  )
  for (let each = 0; each < executed; each += 1) report.countKind('without a response, executed')
  for (let each = 0; each < notExecuted; each += 1) report.countKind('without a response, not executed')
  problems.push(...(await inspector.problems()))
  report.countKind(extent === 'all' ? 'full checks' : 'checks of changes')
  if (problems.length > 0)
    report.addDifference({ position: report.cases, request: `After the fault: ${fault}`, problems })
}

/** Creates the tables and rows. */
async function insertInitialRows(
  { database, layout, connections, nodes }: Deployment,
  log: WriteLog,
  clients: number,
): Promise<void> {
  const [connection] = connections as [Database['connection']]
  const resources = [...createClasses(TYPES, { database, layout }).values()]
  const tables = [...resources, IdempotencyKey, ...(nodes.length > 0 ? [ClusterLock] : [])]
  const dataSource = await openDataSource({ connection }, tables, { layout, synchronize: true })
  const createRows = (type: string, length: number, values: (id: string) => Record<string, unknown>): readonly Row[] =>
    Array.from({ length }, (_, index) => String(index + 1)).map((id) => ({ type, id, values: values(id), links: {} }))
  const seats = createRows('seats', clients * SEATS, (id) => ({ name: `seat ${id}` }))
  const rows = [
    ...createRows('accounts', ACCOUNTS, () => ({ balance: START_BALANCE })),
    ...createRows('tags', TAGS, (id) => ({ name: `tag ${id}` })),
    ...createRows('people', clients * SEATS, (id) => ({ name: `person ${id}` })),
    ...seats,
  ]
  await insertRows({ dataSource, types: TYPES, database, layout }, rows)
  log.confirm(seats.map(({ id }) => ({ object: `seats ${id}`, to: 'none' })))
  await dataSource.destroy()
}
