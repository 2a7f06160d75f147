// `npm run bench:profile -- W4`: CPU profile of a server while it handles one workload.
const { parseArgs } = require('node:util')
const { IMPLEMENTATIONS } = require('./implementations')
const { countsAt } = require('./data/tables')
const { withETags } = require('./measure/check')
const { load } = require('./measure/load')
const { summarize } = require('./measure/read-profile')
const { startServer } = require('./measure/start-server')
const { toTable } = require('./measure/tables')
const { requestsOf, WORKLOADS } = require('./workloads')

const OPTIONS = {
  implementation: { type: 'string', default: 'stemma' },
  database: { type: 'string', default: 'sqlite' },
  seconds: { type: 'string', default: '5' },
  lines: { type: 'string', default: '40' },
}

async function main() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  for (const workload of positionals.length === 0 ? ['W1', 'W4'] : positionals) await profile(workload, values)
}

async function profile(workload, { implementation: name, database, seconds, lines }) {
  const implementation = IMPLEMENTATIONS[name]
  const server = await startServer(`profiled_${name}`, implementation, { database })
  try {
    const prepared = await implementation.prepare?.(server.url)
    const plain = requestsOf(workload, { implementation, prepared, counts: countsAt(1) })
    const requests = await withETags(server, plain, workload)
    await load(server, requests, { seconds: Number(seconds) / 2 })
    await server.call('startProfile')
    const before = await server.call('usage')
    const { answered } = await load(server, requests, { seconds: Number(seconds) })
    const after = await server.call('usage')
    console.log(`\n== ${workload}, ${WORKLOADS[workload].title}: ${name} on ${database}`)
    console.log(
      `${answered} requests, ${((after.cpu - before.cpu) / answered).toFixed(0)} microseconds of CPU for each`,
    )
    print(await server.call('stopProfile'), Number(lines))
  } finally {
    await server.stop()
  }
}

function print(cpuProfile, lines) {
  const shares = summarize(cpuProfile)
  printShares('By package', shares.packages, lines)
  printShares('By module of the library, including calls of other packages', shares.modules, lines)
  printShares('By function of the library, including calls of other packages', shares.attributed, lines)
  printShares('By function of the library, including all synchronous calls', shares.inclusive, lines)
  printShares('By function, excluding calls', shares.self, lines)
}

function printShares(title, shares, lines) {
  const rows = shares.slice(0, lines).map(([name, share]) => [name, `${(share * 100).toFixed(1)} %`])
  console.log(`\n${toTable([title, ''], rows)}`)
}

main()
