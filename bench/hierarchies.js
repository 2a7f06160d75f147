// `npm run bench:hierarchies`: a hierarchy of twelve types on three levels, 100,000 rows. Compares the CPU time of this library, in each table
// layout, with that of a server written by hand. That one uses a single table, since TypeORM has no other hierarchies. `-- --workloads H1,H2`
// and `-- --layouts joined` select some.
const { parseArgs } = require('node:util')
const { buildProducts, LEAVES, ROWS, STOCKS } = require('./data/products')
const { createRandom, randomUpTo } = require('./data/random')
const { findDifference, resourcesOf, send } = require('./measure/check')
const { load } = require('./measure/load')
const { startServer } = require('./measure/start-server')
const { median, round, toTable } = require('./measure/tables')

const SIZE = 50
const page = (random, rows) => ({ 'page[number]': randomUpTo(random, rows / SIZE / 10), 'page[size]': SIZE })
const FIELDSETS = Object.fromEntries(LEAVES.map((name) => [`fields[${name}]`, 'name']))

/** The request of each server. `byHand`: the query of the server written by hand, if it is another one. */
const WORKLOADS = {
  H1: { title: 'page of 50 of the base', path: '/products', query: (random) => page(random, ROWS) },
  H2: {
    title: 'the same, sorted by name',
    path: '/products',
    query: (random) => ({ sort: 'name', ...page(random, ROWS / 10) }),
  },
  H3: { title: 'page of 50 of a type in the middle', path: '/books', query: (random) => page(random, ROWS / 3) },
  H4: {
    title: 'the same, sorted by name',
    path: '/books',
    query: (random) => ({ sort: 'name', ...page(random, ROWS / 30) }),
  },
  H5: {
    title: 'page of 50 of the base, names only',
    path: '/products',
    query: (random) => ({ ...FIELDSETS, ...page(random, ROWS) }),
    byHand: ({ 'page[number]': number, 'page[size]': size }) => ({
      fields: 'name',
      'page[number]': number,
      'page[size]': size,
    }),
  },
  H6: {
    title: 'the base filtered by an attribute, page of 50',
    path: '/products',
    query: (random) => ({ filter: `equals(stock,'${randomUpTo(random, STOCKS) - 1}')`, 'page[size]': SIZE }),
    byHand: ({ filter }) => ({ stock: /\d+/.exec(filter)[0], 'page[size]': SIZE }),
  },
}

/** Requests of each server before the measurement, and in each of its turns. */
const WARM_UP = 1000
const COUNT = 60
const OPTIONS = {
  workloads: { type: 'string', default: Object.keys(WORKLOADS).join() },
  layouts: { type: 'string', default: 'single,joined,concrete' },
  rounds: { type: 'string', default: '9' },
}
const BY_HAND = 'by hand'

async function main() {
  const { values } = parseArgs({ options: OPTIONS })
  const servers = await startAll(values.layouts.split(','))
  try {
    const rows = []
    for (const workload of values.workloads.split(','))
      rows.push(await compare(workload, servers, Number(values.rounds)))
    const names = servers.map(({ name }) => name)
    console.log(toTable(['', 'microseconds of CPU, times as fast as by hand', ...names], rows))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

async function startAll(layouts) {
  const library = (layout, layer) => ({
    server: 'stemma-products',
    settings: { BENCH_LAYOUT: layout, BENCH_LAYER: layer },
  })
  const implementations = {
    [BY_HAND]: { server: 'typeorm-products' },
    ...Object.fromEntries(layouts.map((layout) => [layout, library(layout, 'express')])),
    ...Object.fromEntries(layouts.map((layout) => [`${layout}, listener`, library(layout, 'http')])),
  }
  const servers = []
  for (const [name, implementation] of Object.entries(implementations)) {
    const settings = { ...implementation, build: buildProducts }
    servers.push({ ...(await startServer(name, settings, { database: 'sqlite' })), name })
  }
  return servers
}

/** Returns a row of the table: the median CPU time of a request of each server. */
async function compare(workload, servers, rounds) {
  const turns = new Map(servers.map(({ name }) => [name, []]))
  let expected
  for (const server of servers) {
    const requests = requestsOf(WORKLOADS[workload], server)
    const document = resourcesOf(await send(server, requests[0]), workload)
    expected ??= document
    const difference = findDifference(document, expected)
    if (difference !== undefined) throw new Error(`${workload}, ${server.name}: ${difference}`)
    await load(server, requests, { seconds: 600, count: WARM_UP })
  }
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? servers : [...servers].reverse())
      turns.get(server.name).push(await takeTurn(server, requestsOf(WORKLOADS[workload], server)))
  const byHand = median(turns.get(BY_HAND))
  const cells = servers.map(({ name }) => {
    const time = median(turns.get(name))
    return name === BY_HAND ? round(time) : `${round(time)}, ${round(byHand / time)}`
  })
  return [workload, WORKLOADS[workload].title, ...cells]
}

async function takeTurn(server, requests) {
  const before = await server.call('usage')
  const { failed } = await load(server, requests, { seconds: 600, count: COUNT })
  if (failed > 0) throw new Error(`${failed} requests failed.`)
  return ((await server.call('usage')).cpu - before.cpu) / COUNT
}

function requestsOf({ path, query, byHand = (same) => same }, { name }) {
  const random = createRandom(7)
  return Array.from({ length: 2000 }, () => {
    const all = query(random)
    const parameters = new URLSearchParams(name === BY_HAND ? byHand(all) : all)
    return { method: 'GET', url: `${path}?${parameters}`, headers: { accept: 'application/vnd.api+json' }, body: '' }
  })
}

main()
