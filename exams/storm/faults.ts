import { setTimeout as wait } from 'node:timers/promises'
import { openDataSource } from '../shared/databases'
import { type Node, PATIENCE, sizeOfClusterAt, waitUntilComplete } from '../shared/galera-cluster'
import type { Random } from '../shared/random'
import type { Report } from '../shared/report'
import type { StormClient } from './client'
import type { Deployment, Site } from './deployment'
import type { Fault } from './options'

export interface FaultContext {
  readonly deployment: Deployment
  readonly clients: readonly StormClient[]
  readonly random: Random
  readonly report: Report
}

const CAUSES: Readonly<Record<Fault, (context: FaultContext) => Promise<void>>> = {
  'kill-process': killProcesses,
  'freeze-process': freezeProcess,
  'drop-connections': dropConnections,
  'kill-node': killNode,
  'freeze-node': freezeNode,
  'kill-primary': killPrimary,
  'freeze-primary': freezePrimary,
  'separate-standby': separateStandby,
}

/** Chooses faults in random order, all of them before one is repeated. */
export class Faults {
  private readonly faults: readonly Fault[]
  private next: Fault[] = []

  constructor(faults: readonly Fault[]) {
    this.faults = faults
  }

  /** Causes a fault while clients write. Returns its name, or `none`. */
  async cause(context: FaultContext): Promise<Fault | 'none'> {
    if (this.faults.length === 0) return 'none'
    const { deployment, random, report } = context
    if (this.next.length === 0) this.next = random.sample(this.faults, this.faults.length)
    // Two of three nodes are a majority, one is not. A primary without a standby can't be replaced.
    const { isWhole } = deployment
    const possible = this.next.findIndex((fault) => isWhole || !/-(node|primary|standby)$/.test(fault))
    if (possible === -1) await deployment.waitForServers()
    const [fault] = this.next.splice(Math.max(possible, 0), 1) as [Fault]
    await CAUSES[fault](context)
    report.countKind(fault)
    return fault
  }
}

async function killProcesses({ deployment, random, report }: FaultContext): Promise<void> {
  const running = deployment.ready.filter(({ process }) => process !== undefined)
  // If all end, the last connection to the database ends during a write.
  const killed = running.length === 1 || random.chance(40) ? running : [random.pick(running)]
  await deployment.killProcesses(killed)
  for (const _ of killed) report.countKind('killed processes')
}

/** Clients that have sent a key repeat their request at another process, so that two processes have it when the first one resumes. */
async function freezeProcess({ deployment, clients, random }: FaultContext): Promise<void> {
  const frozen = random.pick(deployment.processes)
  const others = deployment.processes.filter((process) => process !== frozen)
  frozen.freeze()
  await wait(random.number(300))
  if (others.length > 0) for (const client of clients) client.giveUp(frozen.port, random.pick(others).port)
  // Often longer than the lease of a key.
  await wait(random.number(2500))
  frozen.thaw()
  await wait(random.number(200))
}

async function dropConnections({ deployment, random, report }: FaultContext): Promise<void> {
  const { database, connections } = deployment
  const connection = random.pick(connections)
  const dataSource = await openDataSource({ connection }, [], { layout: 'single', synchronize: false })
  const drop = {
    async postgres() {
      const name = `starts_with(application_name, '${connection.schema}_')`
      const dropped = await dataSource.query(
        `select pid from pg_stat_activity where ${name} and pg_terminate_backend(pid)`,
      )
      return dropped.length
    },
    async mariadb() {
      const open = await dataSource.query(
        'select id from information_schema.processlist where db = database() and id <> connection_id()',
      )
      const dropped = await Promise.allSettled(open.map(({ id }: { id: unknown }) => dataSource.query(`kill ${id}`)))
      return dropped.filter(({ status }) => status === 'fulfilled').length
    },
    async sqlite() {
      throw new Error('SQLite has no connections.')
    },
  }[database]
  try {
    let dropped = await drop()
    for (; dropped === 0; dropped = await drop()) await wait(5)
    for (let each = 0; each < dropped; each += 1) report.countKind('dropped connections')
  } finally {
    await dataSource.destroy()
  }
}

/** The process of the node keeps running: it must recover when the node is back. */
async function killNode({ deployment, random, report }: FaultContext): Promise<void> {
  const site = random.pick(deployment.ready) as Site & { readonly node: Node }
  await site.node.kill()
  site.rejoined = site.node.rejoin().then(() => {
    site.rejoined = undefined
    report.countKind('killed nodes that joined again')
  })
  // `waitForNodes` reports a node that can't join.
  site.rejoined.catch(() => undefined)
}

/**
 * Writes wait for a suspended node until the others exclude it. It joins again by itself. If it has missed too many writes, its server ends, and is
 * started again, as a service manager would do.
 */
async function freezeNode({ deployment: { nodes }, random, report }: FaultContext): Promise<void> {
  const frozen = random.pick(nodes)
  const [other] = nodes.filter((node) => node !== frozen) as [Node]
  frozen.freeze()
  await wait(random.chance(50) ? random.number(3000) : 1000 * (PATIENCE + 5))
  if ((await sizeOfClusterAt(other)) < nodes.length) report.countKind('frozen nodes that were excluded')
  frozen.thaw()
  const missing = await waitUntilComplete(nodes)
  if (missing.length === nodes.length)
    throw new Error(['The cluster has stopped.', ...nodes.map((node) => node.describe())].join('\n'))
  for (const node of missing) {
    console.error(`A node has not joined the cluster again: ${node.describe()}`)
    await node.kill()
    await node.rejoin()
    report.countKind('frozen nodes that were started again')
  }
}

async function killPrimary({ deployment, report }: FaultContext): Promise<void> {
  await deployment.pair?.primary.kill()
  await failOver(deployment, report)
}

/** Requests wait for a suspended primary until the standby replaces it. */
async function freezePrimary({ deployment, random, report }: FaultContext): Promise<void> {
  deployment.pair?.primary.freeze()
  await wait(random.number(3000))
  await failOver(deployment, report)
}

/** Commits wait for a standby that is cut off, and time out. Then the primary ends, or the standby follows it again. */
async function separateStandby({ deployment, random, report }: FaultContext): Promise<void> {
  deployment.pair?.separate()
  await wait(random.number(4000))
  const isLost = random.chance(50)
  if (isLost) await deployment.pair?.primary.kill()
  deployment.pair?.reunite()
  if (isLost) await failOver(deployment, report)
}

async function failOver(deployment: Deployment, report: Report): Promise<void> {
  await deployment.failOver()
  report.countKind('failovers')
}
