// `npm run bench:capacity`: the CPU time that a request takes in the API and in the database, for the capacity model of
// docs/guide/capacity.md. CPU time hardly depends on other load. `-- --help` prints the options. `BENCH_SCALE`: the number of rows as a
// fraction of the tables of data/tables.js.
const { parseArgs } = require('node:util')
const { IMPLEMENTATIONS } = require('./implementations')
const { hasPostgres } = require('./data/postgres')
const { compareImplementations } = require('./measure/compare')
const { median, round, toTable } = require('./measure/tables')
const { WORKLOADS } = require('./workloads')

const OPTIONS = {
  help: { type: 'boolean', default: false },
  listener: { type: 'boolean', default: false },
  database: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '0.5' },
}
const HELP = `npm run bench:capacity -- [--listener] [--database sqlite] [--rounds 5] [--seconds 0.5]
--listener: measures the listener of node:http instead of the router in Express.
--seconds: CPU time of the API in one turn.`

const SELECTED = ['W1', 'W15', 'W2', 'W7', 'W5', 'W4', 'W8', 'W9']
const HEAD = ['statements', 'CPU ms: API', 'database', 'requests per second and core: API', 'database']
const SECOND = 1e6
/** The time of workers that end within a turn would be missed, so each statement runs in the process of its connection. */
const WITHOUT_WORKERS = { PGOPTIONS: '-c max_parallel_workers_per_gather=0' }

async function main() {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) return console.log(HELP)
  const name = values.listener ? 'l' : 'stemma'
  const api = IMPLEMENTATIONS[name]
  const implementations = { [name]: { ...api, settings: { ...api.settings, ...WITHOUT_WORKERS } } }
  for (const database of await databasesOf(values)) {
    const results = await compareImplementations({
      ...{ workloads: SELECTED, database, implementations },
      ...{ rounds: Number(values.rounds), seconds: Number(values.seconds) },
      scale: Number(process.env.BENCH_SCALE ?? 1),
      log: (line) => console.error(line),
    })
    const rows = SELECTED.map((workload) => rowOf(workload, results[workload][name]))
    console.log(`\n${toTable([database, ...HEAD], rows)}`)
  }
  console.log(`\nMedians of ${values.rounds} turns, ${api.title}. SQLite runs in the process of the API.`)
}

async function databasesOf({ database }) {
  if (database !== undefined) return [database]
  return ['sqlite', ...((await hasPostgres()) ? ['postgres'] : [])]
}

function rowOf(workload, { statements, turns }) {
  const failed = turns.reduce((sum, turn) => sum + turn.failed, 0)
  if (failed > 0) throw new Error(`${workload}: ${failed} requests failed.`)
  const answered = turns.filter((turn) => turn.answered > 0)
  const times = ['cpu', 'databaseCpu'].map((figure) => median(answered.map((turn) => turn[figure])))
  const milliseconds = times.map((time) => (time / 1000).toFixed(3).replace('NaN', ''))
  const rates = times.map((time) => round(SECOND / time))
  return [WORKLOADS[workload].title, statements.length, ...milliseconds, ...rates]
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
