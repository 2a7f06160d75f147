// `npm run bench:memory`: the peak memory of a server that sends all articles in one response, compared with pages of 1,000. Each
// measurement has its own process. `BENCH_SCALE`: the number of articles as a fraction of 100,000.
const { once } = require('node:events')
const { get, request } = require('node:http')
const { setTimeout: wait } = require('node:timers/promises')
const { IMPLEMENTATIONS } = require('./implementations')
const { hasPostgres } = require('./data/postgres')
const { countsAt } = require('./data/tables')
const { startServer } = require('./measure/start-server')
const { round, toTable } = require('./measure/tables')

const scale = Number(process.env.BENCH_SCALE ?? 1)
const REPETITIONS = 3
const PAGE_SIZE = 1000

const SERVERS = {
  'in Express': { ...IMPLEMENTATIONS.stemma, settings: { BENCH_PAGES: 'unlimited' } },
  'as a listener': { ...IMPLEMENTATIONS.l, settings: { ...IMPLEMENTATIONS.l.settings, BENCH_PAGES: 'unlimited' } },
}

/** A slow client, which pauses after each million bytes. */
const SLOW = { bytes: 1_000_000, milliseconds: 20 }

const CLIENTS = {
  pages: async (url, count) => {
    for (let number = 1; number <= count / PAGE_SIZE; number++)
      await read(`${url}/articles?page[size]=${PAGE_SIZE}&page[number]=${number}`)
  },
  'one response': async (url) => expectStreamed(await read(`${url}/articles`)),
  'one response, slow client': async (url) => expectStreamed(await read(`${url}/articles`, SLOW)),
}

async function main() {
  const databases = ['sqlite', ...((await hasPostgres()) ? ['postgres'] : [])]
  const rows = []
  for (const database of databases)
    for (const [name, server] of Object.entries(SERVERS)) {
      const [pages, ...others] = await peaksOf(server, database)
      rows.push([`${database}, ${name}`, round(pages), ...others.flatMap((peak) => [round(peak), round(peak / pages)])])
    }
  const [, ...clientNames] = Object.keys(CLIENTS)
  const { articles } = countsAt(scale)
  console.log(`${articles} articles, ${REPETITIONS} times; peak memory of the process in megabytes\n`)
  console.log(toTable(['', `pages of ${PAGE_SIZE}`, ...clientNames.flatMap((name) => [name, 'times'])], rows))
  console.log('\nOne response, for GET and HEAD, has neither ETag nor Content-Length.')
}

async function peaksOf(implementation, database) {
  const peaks = []
  for (const readArticles of Object.values(CLIENTS)) {
    const server = await startServer('memory', implementation, { database, scale })
    try {
      await expectStreamedHead(`${server.url}/articles`)
      for (let repetition = 0; repetition < REPETITIONS; repetition++)
        await readArticles(server.url, countsAt(scale).articles)
      peaks.push((await server.call('usage')).peak)
    } finally {
      await server.stop()
    }
  }
  return peaks
}

/** Reads the whole response, and returns its headers. */
async function read(url, slow) {
  const [response] = await once(get(url, { agent: false }), 'response')
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}.`)
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    if (slow === undefined || bytes < slow.bytes) continue
    bytes = 0
    await wait(slow.milliseconds)
  }
  return response.headers
}

async function expectStreamedHead(url) {
  const [response] = await once(request(url, { method: 'HEAD', agent: false }).end(), 'response')
  response.resume()
  expectStreamed(response.headers)
}

function expectStreamed(headers) {
  for (const name of ['etag', 'content-length'])
    if (headers[name] !== undefined) throw new Error(`The streamed response has ${name}: ${headers[name]}`)
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
