// `npm run bench:memory`: the most memory that a server takes while it sends all articles at once, beside one that sends them in pages of
// 1,000. Each has a process of its own. `BENCH_SCALE`: how many there are, as a part of 100,000.
const { once } = require('node:events')
const { get, request } = require('node:http')
const { setTimeout: wait } = require('node:timers/promises')
const { IMPLEMENTATIONS } = require('./implementations')
const { hasPostgres } = require('./data/postgres')
const { countsAt } = require('./data/tables')
const { startServer } = require('./measure/start-server')
const { round, toTable } = require('./measure/tables')

const scale = Number(process.env.BENCH_SCALE ?? 1)
const TIMES = 3
const PAGE = 1000

const SERVERS = {
  'in Express': { ...IMPLEMENTATIONS.stemma, settings: { BENCH_PAGES: 'unlimited' } },
  'as a listener': { ...IMPLEMENTATIONS.l, settings: { ...IMPLEMENTATIONS.l.settings, BENCH_PAGES: 'unlimited' } },
}

/** A client that takes its time: after each million bytes it looks away. */
const SLOW = { bytes: 1_000_000, milliseconds: 20 }

const WAYS = {
  pages: async (url, count) => {
    for (let number = 1; number <= count / PAGE; number++)
      await read(`${url}/articles?page[size]=${PAGE}&page[number]=${number}`)
  },
  'all at once': async (url) => expectStreamed(await read(`${url}/articles`)),
  'all at once, slowly': async (url) => expectStreamed(await read(`${url}/articles`, SLOW)),
}

async function main() {
  const databases = ['sqlite', ...((await hasPostgres()) ? ['postgres'] : [])]
  const rows = []
  for (const database of databases)
    for (const [name, server] of Object.entries(SERVERS)) {
      const [pages, ...whole] = await peaksOf(server, database)
      rows.push([`${database}, ${name}`, round(pages), ...whole.flatMap((peak) => [round(peak), round(peak / pages)])])
    }
  const [, ...ways] = Object.keys(WAYS)
  const { articles } = countsAt(scale)
  console.log(`${articles} articles, ${TIMES} times; megabytes at the peak of the process\n`)
  console.log(toTable(['', `pages of ${PAGE}`, ...ways.flatMap((way) => [way, 'times'])], rows))
  console.log('\nAll at once, for GET and HEAD: neither ETag nor Content-Length.')
}

async function peaksOf(implementation, database) {
  const peaks = []
  for (const way of Object.values(WAYS)) {
    const server = await startServer('memory', implementation, { database, scale })
    try {
      await expectStreamedHead(`${server.url}/articles`)
      for (let time = 0; time < TIMES; time++) await way(server.url, countsAt(scale).articles)
      peaks.push((await server.ask('usage')).peak)
    } finally {
      await server.stop()
    }
  }
  return peaks
}

/** Gives the headers once everything has come. */
async function read(url, slow) {
  const [answer] = await once(get(url, { agent: false }), 'response')
  if (answer.statusCode !== 200) throw new Error(`${url} is answered with ${answer.statusCode}.`)
  let bytes = 0
  for await (const part of answer) {
    bytes += part.length
    if (slow === undefined || bytes < slow.bytes) continue
    bytes = 0
    await wait(slow.milliseconds)
  }
  return answer.headers
}

async function expectStreamedHead(url) {
  const asked = request(url, { method: 'HEAD', agent: false }).end()
  const [answer] = await once(asked, 'response')
  answer.resume()
  expectStreamed(answer.headers)
}

function expectStreamed(headers) {
  for (const name of ['etag', 'content-length'])
    if (headers[name] !== undefined) throw new Error(`What is sent at once has ${name}: ${headers[name]}`)
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
