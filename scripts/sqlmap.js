/**
 * `npm run sqlmap`: runs sqlmap (https://sqlmap.org, a Debian package) against the example on SQLite, PostgreSQL and MariaDB, in every part of a
 * request that accepts text. `npm run sqlmap -- sqlite quick` tests one database with few requests. Fails if something is injectable, if sqlmap has
 * tested nothing, or if it does not find the injection in a vulnerable control server.
 */
const { spawn } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const Sqlite = require('better-sqlite3')
const { DataSource } = require('typeorm')
const { DATABASES } = require('./databases')

const EXAMPLE = join(__dirname, '..', 'build', 'examples', 'humans', 'main.js')
const NAME = `stemma_sqlmap_${process.pid}`
const MEDIA = 'application/vnd.api+json'
const ATOMIC = `${MEDIA};ext="https://jsonapi.org/ext/atomic"`
/** Milliseconds for one run of sqlmap, and until the example listens. */
const TIMEOUT = 15 * 60_000
const START_TIMEOUT = 20_000
const DBMS = { sqlite: 'SQLite', postgres: 'PostgreSQL', mariadb: 'MySQL' }

const man = (id, name) => JSON.stringify({ data: { type: 'men', ...(id && { id }), attributes: { name } } })
const linkage = (id) => JSON.stringify({ data: { type: 'women', id } })

/** sqlmap replaces the star with its payloads. */
const TARGETS = [
  ['an id', { path: '/humans/1*' }],
  ['a related id', { path: '/men/1*/wife' }],
  ['a literal', { path: "/humans?filter=equals(name,'Greta*')" }],
  ['a number in a filter', { path: "/humans?filter=equals(id,'1*')" }],
  ['a filter', { path: '/humans?filter=has(children)*' }],
  ['a sort', { path: '/humans?sort=name*' }],
  ['an include', { path: '/humans?include=children*' }],
  ['a fieldset', { path: '/humans?fields[humans]=name*' }],
  ['a scope', { path: '/humans?include=children&filter[children*]=has(children)' }],
  ['a page size', { path: '/humans?page[size]=2*' }],
  ['a page number', { path: '/humans?page[number]=1*' }],
  ['a cursor', { path: '/humans?page[size]=2&page[after]=WyJ4Il0*' }],
  ['the header If-Match', { path: '/humans/1', headers: ['If-Match: "a*"'] }],
  ['the header Accept', { path: '/humans/1', headers: [`Accept: ${MEDIA};profile="https://a.example/*"`] }],
  [
    'the header Prefer',
    { path: '/humans/1', method: 'PATCH', data: man('1', 'Arthur'), headers: ['Prefer: return=minimal*'] },
  ],
  ['the header X-Forwarded-Host', { path: '/humans/1', headers: ['X-Forwarded-Host: a.example*'] }],
  ['a new value', { path: '/men', method: 'POST', data: man(undefined, 'Max*') }],
  ['a changed value', { path: '/men/1', method: 'PATCH', data: man('1', 'Arthur*') }],
  ['a linked id', { path: '/men/1/relationships/wife', method: 'PATCH', data: linkage('2*') }],
  [
    'an id of an operation',
    {
      path: '/operations',
      method: 'POST',
      data: JSON.stringify({
        'atomic:operations': [{ op: 'update', ref: { type: 'men', id: '1*' }, data: { type: 'men', id: '1' } }],
      }),
      media: ATOMIC,
    },
  ],
]
/** The targets of a quick run. */
const QUICK = new Set(['an id', 'a literal', 'a sort', 'a page size', 'a changed value'])

async function main(parameters) {
  const isQuick = parameters.includes('quick')
  const databases = Object.keys(DBMS).filter(
    (name) => !parameters.some((each) => each in DBMS) || parameters.includes(name),
  )
  const unknown = parameters.filter((each) => each !== 'quick' && !(each in DBMS))
  if (unknown.length > 0)
    throw new Error(`Expected ${Object.keys(DBMS).join(', ')} or quick, found ${unknown.join(', ')}.`)
  const [version] = (await run('sqlmap', ['--version'])).trim().split('\n')
  console.log(`sqlmap ${version}`)
  await checkControl()
  const targets = TARGETS.filter(([name]) => !isQuick || QUICK.has(name))
  const injections = []
  for (const name of databases) {
    const start = Date.now()
    const { sent, found } = await attackExample(name, targets, isQuick)
    const seconds = Math.round((Date.now() - start) / 1000)
    console.log(
      `${name.padEnd(9)} ${targets.length} targets, ${sent} requests, ${found.length} injectable, ${seconds} s`,
    )
    injections.push(...found.map((target) => `${name}: ${target}`))
  }
  if (injections.length > 0) throw new Error(injections.join('\n'))
}

/** Throws unless sqlmap finds the injection of a vulnerable server. */
async function checkControl() {
  const database = new Sqlite(':memory:')
  database.exec("create table humans (id integer, name text); insert into humans values (1, 'Ada'), (2, 'Bo')")
  let sent = 0
  const server = createServer(({ url }, response) => {
    sent += 1
    const id = new URL(url, 'http://localhost').searchParams.get('id')
    try {
      response.end(JSON.stringify(database.prepare(`select * from humans where id = ${id}`).all()))
    } catch (error) {
      response.writeHead(500).end(error.message)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const output = await attack(`http://127.0.0.1:${server.address().port}`, { path: '/?id=1*' }, ['--dbms', 'SQLite'])
  server.close()
  database.close()
  if (!isInjectable(output)) throw new Error(`sqlmap has not found the injection of the control server:\n${output}`)
  console.log(`control   1 target, ${sent} requests, 1 injectable, as expected`)
}

async function attackExample(name, targets, isQuick) {
  const { url, remove } = await createDatabase(name)
  const example = spawn(process.execPath, [EXAMPLE], {
    env: {
      ...process.env,
      PORT: '0',
      NODE_ENV: 'production',
      ...(url === undefined ? { DATABASE_URL: '' } : { DATABASE_URL: url }),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => example.once('exit', resolve))
  try {
    const address = await addressOf(example)
    const before = await (await fetch(`${address}/humans?page[size]=100&sort=id&filter=lessThan(id,'13')`)).text()
    const found = []
    let sent = 0
    for (const [title, target] of targets) {
      const output = await attack(address, target, ['--dbms', DBMS[name], ...(isQuick ? ['--technique', 'BEU'] : [])])
      const count = sentIn(output)
      if (count === 0) throw new Error(`sqlmap has not tested ${title} on ${name}:\n${output}`)
      sent += count
      if (isInjectable(output)) found.push(`${title}\n${output}`)
      else if (!NOTHING_FOUND.test(output)) throw new Error(`sqlmap has not finished ${title} on ${name}:\n${output}`)
    }
    const after = await (await fetch(`${address}/humans?page[size]=100&sort=id&filter=lessThan(id,'13')`)).text()
    if (JSON.parse(before).data.length !== JSON.parse(after).data.length) found.push('rows were deleted')
    return { sent, found }
  } finally {
    example.kill()
    await ended
    await remove()
  }
}

async function attack(address, { path, method, data, headers = [], media = MEDIA }, more) {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-sqlmap-'))
  const traffic = join(folder, 'traffic.txt')
  const lines = [
    ...headers,
    ...(data === undefined ? [] : [`Content-Type: ${media}`, ...(media === ATOMIC ? [`Accept: ${ATOMIC}`] : [])]),
  ]
  try {
    const output = await run('sqlmap', [
      ...[
        '-u',
        `${address}${path}`,
        '--batch',
        '--flush-session',
        '--disable-coloring',
        '--output-dir',
        folder,
        '-t',
        traffic,
      ],
      ...['--level', '2', '--risk', '2', '--time-sec', '2', '--ignore-code', '*', '--skip-waf', '--threads', '4'],
      ...(method === undefined ? [] : ['--method', method]),
      ...(data === undefined ? [] : ['--data', data]),
      ...(lines.length === 0 ? [] : ['--headers', lines.join('\n')]),
      ...more,
    ])
    return `${output}\nrequests: ${countRequests(traffic)}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Counts the requests in the traffic log of sqlmap. */
function countRequests(traffic) {
  try {
    return readFileSync(traffic, 'utf8').match(/^HTTP request \[#\d+\]:$/gm)?.length ?? 0
  } catch {
    return 0
  }
}

const sentIn = (output) => Number(/requests: (\d+)$/.exec(output)?.[1] ?? 0)
// `appears to be injectable` is a suspicion that sqlmap examines afterwards: it may call it a false positive.
const isInjectable = (output) =>
  /identified the following injection point|is vulnerable|Parameter: .*\n\s+Type:/i.test(output)
const NOTHING_FOUND = /all tested parameters do not appear to be injectable/

function run(command, parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.once('error', (cause) =>
      reject(new Error(`${command} does not start. Install it: apt-get install sqlmap`, { cause })),
    )
    child.once('close', (_code, signal) =>
      signal === null ? resolve(output) : reject(new Error(`${command} ended by ${signal}:\n${output}`)),
    )
  })
}

function addressOf(example) {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`The example does not listen: ${output}`)), START_TIMEOUT)
    example.stdout.on('data', (chunk) => {
      output += chunk
      const [address] = /http:\/\/\S+:\d+/.exec(output) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

/** Creates a database for the run. */
async function createDatabase(name) {
  if (name === 'sqlite') return { url: undefined, remove: async () => undefined }
  const admin = DATABASES[name].url
  const query = async (statement) => {
    const dataSource = await new DataSource({
      type: name === 'postgres' ? 'postgres' : 'mysql',
      url: admin,
    }).initialize()
    await dataSource.query(statement).finally(() => dataSource.destroy())
  }
  await query(`create database ${NAME}`)
  const url = Object.assign(new URL(admin), { pathname: `/${NAME}` }).toString()
  return { url, remove: () => query(`drop database ${NAME}`) }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exit(1)
})
