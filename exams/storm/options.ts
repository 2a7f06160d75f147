import { Option } from 'commander'
import { DATABASES, type DatabaseName, LAYOUTS, type Layout } from '../shared/databases'
import { createProgram, parseNumber } from '../shared/program'

const TOPOLOGIES = ['process', 'processes', 'cluster', 'failover'] as const
type Topology = (typeof TOPOLOGIES)[number]

const FAULTS = [
  ...(['kill-process', 'freeze-process', 'drop-connections'] as const),
  ...(['kill-node', 'freeze-node'] as const),
  ...(['kill-primary', 'freeze-primary', 'separate-standby'] as const),
] as const
export type Fault = (typeof FAULTS)[number]

export interface StormOptions {
  readonly topology: Topology
  /** Number of processes of the API. A cluster has one for each of its three nodes. */
  readonly processes: number
  readonly database: DatabaseName
  readonly layout: Layout
  /** Empty: the clients pause, and nothing fails. */
  readonly faults: readonly Fault[]
  /** Minimum number of faults. After each of them the database is checked. */
  readonly rounds: number
  /** Minimum number of writes. */
  readonly count: number
  readonly clients: number
  readonly seed: number
}

interface Values extends Omit<StormOptions, 'processes' | 'database' | 'faults'> {
  readonly processes?: number
  readonly database?: DatabaseName
  readonly faults?: string
}

const EXAMPLES = `
Examples:
  npm run storm -- --topology process --faults none --count 300
  npm run storm -- --database postgres --faults kill-process,drop-connections
  npm run storm -- --topology cluster --rounds 10
  npm run storm -- --topology failover --rounds 10`

export function createStormProgram() {
  return createProgram(
    'storm',
    'Writes through processes and nodes that fail, and compares the database with the responses.',
  )
    .addOption(
      new Option(
        '--topology <name>',
        'one process, several on one database server, a Galera cluster of three nodes, or a primary of PostgreSQL with a standby',
      )
        .choices(TOPOLOGIES)
        .default('processes'),
    )
    .option('--processes <n>', "number of processes of the topology 'processes' (default: 2)", parseNumber)
    .addOption(
      new Option('--database <name>', 'default: sqlite, mariadb for a cluster, postgres for failover').choices(
        DATABASES,
      ),
    )
    .addOption(new Option('--layout <name>', 'where rows of a hierarchy are stored').choices(LAYOUTS).default('joined'))
    .option('--faults <names>', `${FAULTS.join(', ')} or none, separated by commas (default: all that are possible)`)
    .option('--rounds <n>', 'number of faults, each followed by a check of the database', parseNumber, 20)
    .option('--count <n>', 'number of writes', parseNumber, 2000)
    .option('--clients <n>', 'number of clients that write at the same time', parseNumber, 8)
    .option('--seed <n>', 'determines the random choices, but not their timing', parseNumber, 1)
    .addHelpText('after', EXAMPLES)
}

/** Parses the arguments. Throws a CommanderError if they contradict each other. */
export function readOptions(program: ReturnType<typeof createStormProgram>, args: readonly string[]): StormOptions {
  const { faults, ...values } = program.parse(args, { from: 'user' }).opts<Values>()
  const { topology, database = DATABASE_OF[topology] ?? 'sqlite' } = values
  const { processes = { process: 1, processes: 2, cluster: 3, failover: 2 }[topology] } = values
  const options = { ...values, database, processes }
  const required = DATABASE_OF[topology] ?? database
  if (database !== required)
    program.error(
      `The topology '${topology}' is not supported on '${database}'. Use --database ${required}, or another topology.`,
    )
  if (topology !== 'processes' && values.processes !== undefined)
    program.error(`The topology '${topology}' has a fixed number of processes. Remove --processes.`)
  for (const name of ['processes', 'rounds', 'count', 'clients'] as const)
    if (options[name] === 0) program.error(`Expected at least 1 for --${name}.`)
  const possible = FAULTS.filter((fault) => isPossible(fault, options))
  const chosen = faults === undefined ? possible : faults === 'none' ? [] : [...new Set(faults.split(','))]
  for (const name of chosen.filter((each) => !possible.some((fault) => fault === each)))
    program.error(
      `The fault '${name}' is not possible with the topology '${topology}' on ${database}. Choose from ${possible.join(', ')}, or none.`,
    )
  if (options.rounds < chosen.length)
    program.error(`Expected at least ${chosen.length} for --rounds, one for each fault.`)
  return { ...options, faults: chosen as Fault[] }
}

/** Topologies that one database has. */
const DATABASE_OF: Readonly<Partial<Record<Topology, DatabaseName>>> = { cluster: 'mariadb', failover: 'postgres' }

function isPossible(fault: Fault, { topology, database }: Pick<StormOptions, 'topology' | 'database'>): boolean {
  if (fault.endsWith('-node')) return topology === 'cluster'
  if (/-(primary|standby)$/.test(fault)) return topology === 'failover'
  return fault !== 'drop-connections' || database !== 'sqlite'
}
