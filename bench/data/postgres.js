// A database with all rows, built once; every server works on a copy of its own, which PostgreSQL makes of it as a template.
const { library } = require('../packages')
const { countsAt, TABLES } = require('./tables')

/** To be counted up with each change of the rows or tables. */
const VERSION = 2
const SERVER = process.env.BENCH_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const ROWS_AT_ONCE = 10_000

const TYPES = {
  key: 'serial primary key',
  text: 'varchar',
  moment: 'timestamptz(3) not null default now()',
  boolean: 'boolean',
}
const ARRAYS = { key: 'int[]', text: 'text[]', moment: 'timestamptz[]', boolean: 'boolean[]' }

exports.hasPostgres = async () => {
  try {
    await within(SERVER, () => {})
    return true
  } catch {
    return false
  }
}

/** Gives the name of the template. */
exports.buildPostgres = async (scale = 1) => {
  const name = `stemma_bench_${VERSION}_${String(scale).replace('.', '_')}`
  if (await exists(name)) return name
  const unfinished = `${name}_unfinished`
  await dropPostgres(unfinished)
  await within(SERVER, (client) => client.query(`create database ${unfinished}`))
  await within(urlOf(unfinished), (client) => fill(client, countsAt(scale)))
  await within(SERVER, (client) => client.query(`alter database ${unfinished} rename to ${name}`))
  return name
}

/** Gives the URL of the copy. */
exports.copyPostgres = (template, server) => createAnew(`stemma_bench_copy_${server}`, ` template ${template}`)

/** Gives the URL of one with nothing in it. */
exports.createPostgres = (name) => createAnew(`stemma_bench_${name}`, '')

async function createAnew(name, from) {
  await dropPostgres(name)
  await within(SERVER, (client) => client.query(`create database ${name}${from}`))
  return urlOf(name)
}

exports.removePostgres = (url) => dropPostgres(new URL(url).pathname.slice(1))

function dropPostgres(name) {
  return within(SERVER, (client) => client.query(`drop database if exists ${name} with (force)`))
}

function urlOf(name) {
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
}

async function exists(name) {
  const { rowCount } = await within(SERVER, (client) =>
    client.query('select 1 from pg_database where datname = $1', [name]),
  )
  return rowCount === 1
}

async function within(url, work) {
  const { Client } = library('pg')
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function fill(client, counts) {
  for (const [name, table] of Object.entries(TABLES)) await fillTable(client, name, { table, counts })
  for (const [name, { columns, indexes = [] }] of Object.entries(TABLES)) {
    for (const index of indexes) await client.query(`create index on ${name} (${index.map(quoted).join(', ')})`)
    for (const [column, kind] of Object.entries(columns))
      if (TYPES[kind] === undefined)
        await client.query(`alter table ${name} add foreign key (${quoted(column)}) references ${kind} (id)`)
    await client.query(`select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`)
  }
  await client.query('vacuum analyze')
}

async function fillTable(client, name, { table, counts }) {
  const declared = Object.entries(table.columns).map(([column, kind]) => `${quoted(column)} ${TYPES[kind] ?? 'int'}`)
  await client.query(`create table ${name} (${declared.join(', ')})`)
  const arrays = Object.values(table.columns).map((kind, place) => `$${place + 1}::${ARRAYS[kind] ?? 'int[]'}`)
  const insert = `insert into ${name} select * from unnest(${arrays.join(', ')})`
  for (const rows of inParts(table.rows(counts)))
    await client.query(
      insert,
      arrays.map((_, place) => rows.map((row) => row[place])),
    )
}

function* inParts(rows) {
  let part = []
  for (const row of rows) {
    part.push(row)
    if (part.length < ROWS_AT_ONCE) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function quoted(column) {
  return `"${column}"`
}
