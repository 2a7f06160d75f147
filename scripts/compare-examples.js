// Starts the example on every database and sends the same requests to each. Status, headers and bodies must be identical. Each database
// also has a foreign table, which must stay unchanged. Needs `npm run build:examples`.
const { spawn } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { DataSource } = require('typeorm')
const { DATABASES } = require('./databases')
const { REQUESTS } = require('./example-requests')

const EXAMPLE = join(__dirname, '..', 'build', 'examples', 'humans', 'main.js')
/** Milliseconds that a start and a response may take. */
const TIMEOUT = 20_000
const MIN_REQUESTS = 60
const NAME = `stemma_compare_${process.pid}`

/**
 * Removes what may differ: `Date`, connection headers, and the first half of a relationship's ETag, which is a hash that each database
 * computes in its own way.
 */
function comparable(response, body) {
  const headers = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  const isMadeThere = response.url.includes('/relationships/')
  const shown = headers.map(([name, value]) => {
    return `${name}: ${name === 'etag' && isMadeThere ? value.replace(/^"[^."]*/, '"…') : value}`
  })
  return [`${response.status}`, ...shown.sort(), '', body].join('\n')
}

async function main() {
  if (REQUESTS.length < MIN_REQUESTS)
    throw new Error(`Expected at least ${MIN_REQUESTS} requests, found ${REQUESTS.length}.`)
  const places = []
  try {
    for (const open of [inMemory, inFile, () => onServer('postgres'), () => onServer('mariadb')]) {
      places.push(await open())
    }
    // Waits for all before their databases are removed.
    const ended = await Promise.allSettled(places.map(runAt))
    const failures = ended.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.message)
    if (failures.length > 0) throw new Error(failures.join('\n\n'))
    report(ended.map(({ value }) => value))
  } finally {
    for (const { remove } of places) await remove()
  }
}

function report(runs) {
  console.log(`${'database'.padEnd(12)} answers  same as the first  milliseconds`)
  for (const { name, answers, milliseconds } of runs) {
    const same = answers.filter((answer, index) => answer === runs[0].answers[index]).length
    console.log(
      `${name.padEnd(12)} ${[answers.length, same, milliseconds].map((n, i) => `${n}`.padStart([7, 17, 12][i])).join('  ')}`,
    )
  }
  const mistakes = [...runs.flatMap((run) => run.mistakes), ...differencesOf(runs)]
  if (mistakes.length > 0) throw new Error(`\n${mistakes.join('\n\n')}`)
  console.log('\nThe foreign tables have not changed.')
}

function differencesOf([first, ...others]) {
  return REQUESTS.flatMap(({ method, path }, index) =>
    others
      .filter(({ answers }) => answers[index] !== first.answers[index])
      .map(({ name, answers }) => {
        return `${method} ${path}\n${first.name}: ${first.answers[index]}\n${name}: ${answers[index]}`
      }),
  )
}

/** Starts the example three times: on an empty database, on the existing tables, and with `--fresh`. */
async function runAt({ name, url, readForeignTable }) {
  const answers = []
  const mistakes = []
  const expect = (is, what) => is || mistakes.push(`${name}: ${what}`)
  let milliseconds = 0
  await withExample(url, [], async (ask) => {
    const start = Date.now()
    for (const request of REQUESTS) {
      const { status, text } = await ask(request)
      expect(status === request.status, `${request.method} ${request.path}: expected ${request.status}, found ${text}`)
      answers.push(text)
    }
    milliseconds = Date.now() - start
  })
  const [first, last] = [REQUESTS[0], REQUESTS.at(-1)]
  if (readForeignTable !== undefined) {
    await withExample(url, [], async (ask) => {
      expect((await ask(last)).text === answers.at(-1), 'the second start has changed existing rows.')
    })
    await withExample(url, ['--fresh'], async (ask) => {
      expect((await ask(first)).text === answers[0], '--fresh has not reset the tables.')
    })
    expect((await readForeignTable()) === FOREIGN_ROWS, 'the foreign table has changed.')
  }
  return { name, answers, mistakes, milliseconds }
}

/** Runs the example and stops it. */
async function withExample(url, parameters, work) {
  const { DATABASE_URL: _own, ...env } = process.env
  const example = spawn(process.execPath, [EXAMPLE, ...parameters], {
    env: { ...env, PORT: '0', TZ: 'UTC', ...(url !== undefined && { DATABASE_URL: url }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => example.once('exit', resolve))
  try {
    const address = await addressOf(example)
    let etag
    let next
    await work(async ({ method, path, headers, body }) => {
      const sent = headers['if-match'] === 'last' ? { ...headers, 'if-match': etag } : headers
      const signal = AbortSignal.timeout(TIMEOUT)
      const url = `${address}${path === 'next' ? next : path}`
      const response = await fetch(url, { method, headers: sent, body, signal })
      const text = await response.text()
      etag = response.headers.get('etag')
      next = method === 'HEAD' || text === '' ? undefined : JSON.parse(text).links?.next
      return { status: response.status, text: comparable(response, text) }
    })
  } finally {
    example.kill()
    await ended
  }
}

function addressOf(example) {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (what) => reject(new Error(`The example ${what}: ${output}`))
    const timer = setTimeout(fail, TIMEOUT, 'has not printed its URL')
    const listen = (chunk) => {
      output += chunk
      const [address] = /http:\/\/\S+:\d+/.exec(output) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    example.stdout.on('data', listen)
    example.stderr.on('data', (chunk) => {
      output += chunk
    })
    example.once('exit', (code) => fail(`has ended with ${code}`))
  })
}

function inMemory() {
  return { name: 'memory', url: undefined, readForeignTable: undefined, remove: async () => undefined }
}

function inFile() {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-'))
  const database = join(folder, 'family.sqlite')
  return withForeignTable({
    name: 'file',
    url: `sqlite:${database}`,
    place: { type: 'better-sqlite3', database },
    remove: async () => rmSync(folder, { recursive: true }),
  })
}

/** Creates a database on a server. */
async function onServer(name) {
  const { url: admin } = DATABASES[name]
  const type = name === 'postgres' ? 'postgres' : 'mysql'
  const url = Object.assign(new URL(admin), { pathname: `/${NAME}` }).toString()
  const run = (statement) => withDataSource({ type, url: admin }, (dataSource) => dataSource.query(statement))
  await run(`create database ${NAME}`)
  return withForeignTable({ name, url, place: { type, url }, remove: () => run(`drop database ${NAME}`) })
}

const FOREIGN_ROWS = '[{"name":"foreign"}]'

/** Adds a foreign table that has the name of an example's entity and other columns. */
async function withForeignTable({ place, ...rest }) {
  const query = (statement) => withDataSource(place, (dataSource) => dataSource.query(statement))
  await query('create table humans (name varchar(20))')
  await query("insert into humans values ('foreign')")
  return { ...rest, readForeignTable: async () => JSON.stringify(await query('select * from humans')) }
}

async function withDataSource(place, work) {
  const dataSource = await new DataSource(place).initialize()
  try {
    return await work(dataSource)
  } finally {
    await dataSource.destroy()
  }
}

main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
