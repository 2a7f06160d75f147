// `npm run bench`: compares the library with baselines, a hand-written server and servers from npm. `-- --help` prints the options.
const { mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { IMPLEMENTATIONS } = require('./implementations')
const { hasPostgres } = require('./data/postgres')
const { compareImplementations } = require('./measure/compare')
const { printAll } = require('./measure/print')
const { hasBenchPackages, ROOT } = require('./packages')
const { WORKLOADS } = require('./workloads')

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  implementations: { type: 'string' },
  workloads: { type: 'string' },
  database: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  out: { type: 'string', default: join(ROOT, 'build/bench.json') },
}
const HELP = `npm run bench -- [--quick] [--implementations stemma,b,d] [--workloads W1,W4] [--database sqlite] [--rounds 5] [--seconds 0.5]
                 [--out build/bench.json]
--seconds: CPU time of the server in one turn; 0 compares the responses and counts the statements, without measuring.`
const QUICK = {
  ...{ implementations: 'stemma,l,d', rounds: '3', seconds: '0.1' },
}
const FULL = { rounds: '5', seconds: '0.5' }

async function main() {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) return console.log(HELP)
  if (!hasBenchPackages()) throw new Error('The other servers are not installed. Run: npm ci --prefix bench')
  const options = { ...(values.quick ? QUICK : FULL), ...values }
  const workloads = select(Object.keys(WORKLOADS), options.workloads)
  const results = {}
  for (const database of await databasesOf(options)) {
    const implementations = Object.entries(IMPLEMENTATIONS).filter(([, { on }]) => on.includes(database))
    const names = select(
      implementations.map(([name]) => name),
      options.implementations,
    )
    results[database] = await compareImplementations({
      ...{ workloads, database, rounds: Number(options.rounds), seconds: Number(options.seconds) },
      implementations: Object.fromEntries(implementations.filter(([name]) => names.includes(name))),
      log: (line) => console.error(line),
    })
  }
  mkdirSync(join(options.out, '..'), { recursive: true })
  writeFileSync(options.out, JSON.stringify({ node: process.version, options, results }, undefined, 1))
  printAll(results)
}

function select(all, list) {
  return list === undefined ? all : all.filter((name) => list.split(',').includes(name))
}

async function databasesOf({ database }) {
  if (database !== undefined) return [database]
  if (await hasPostgres()) return ['sqlite', 'postgres']
  console.error('PostgreSQL is not reachable at BENCH_POSTGRES_URL. Only SQLite is measured.')
  return ['sqlite']
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
