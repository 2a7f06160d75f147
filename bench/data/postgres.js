// Builds a template database with all rows once. Each server gets a copy of it.
const { requireOfProject } = require('../packages')
const { countsAt, TABLES } = require('./tables')

/** Increment it when the rows or tables change. */
const VERSION = 3
const SERVER = process.env.BENCH_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const BATCH_SIZE = 10_000

const TYPES = {
  key: 'serial primary key',
  text: 'varchar',
  integer: 'int',
  timestamp: 'timestamptz(3) not null default now()',
  boolean: 'boolean',
}
const ARRAYS = { key: 'int[]', text: 'text[]', integer: 'int[]', timestamp: 'timestamptz[]', boolean: 'boolean[]' }

exports.hasPostgres = async () => {
  try {
    await withClient(SERVER, () => {})
    return true
  } catch {
    return false
  }
}

/** Returns the name of the template database. */
exports.buildPostgres = async (scale = 1) => {
  const name = `stemma_bench_${VERSION}_${String(scale).replace('.', '_')}`
  if (await exists(name)) return name
  const unfinished = `${name}_unfinished`
  await dropPostgres(unfinished)
  await withClient(SERVER, (client) => client.query(`create database ${unfinished}`))
  await withClient(urlOf(unfinished), (client) => fill(client, countsAt(scale)))
  await withClient(SERVER, (client) => client.query(`alter database ${unfinished} rename to ${name}`))
  return name
}

/** Creates a copy of the template, and returns its URL. PostgreSQL converts names to lower case. */
exports.copyPostgres = (template, server) =>
  recreateDatabase(`stemma_bench_copy_${server.toLowerCase()}`, ` template ${template}`)

/** Creates an empty database, and returns its URL. */
exports.createPostgres = (name) => recreateDatabase(`stemma_bench_${name}`, '')

async function recreateDatabase(name, options) {
  await dropPostgres(name)
  await withClient(SERVER, (client) => client.query(`create database ${name}${options}`))
  return urlOf(name)
}

/** Returns the ids of the processes that serve the connections to a database. */
exports.processesOfPostgres = (url) =>
  withClient(SERVER, async (client) => {
    const name = new URL(url).pathname.slice(1)
    const { rows } = await client.query('select pid from pg_stat_activity where datname = $1', [name])
    return rows.map(({ pid }) => pid)
  })

exports.removePostgres = (url) => dropPostgres(new URL(url).pathname.slice(1))

function dropPostgres(name) {
  return withClient(SERVER, (client) => client.query(`drop database if exists ${name} with (force)`))
}

function urlOf(name) {
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href
}

async function exists(name) {
  const { rowCount } = await withClient(SERVER, (client) =>
    client.query('select 1 from pg_database where datname = $1', [name]),
  )
  return rowCount === 1
}

async function withClient(url, work) {
  const { Client } = requireOfProject('pg')
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
    for (const index of indexes) await client.query(`create index on ${name} (${index.map(quote).join(', ')})`)
    for (const [column, kind] of Object.entries(columns))
      if (TYPES[kind] === undefined)
        await client.query(`alter table ${name} add foreign key (${quote(column)}) references ${kind} (id)`)
    if (columns.id === 'key')
      await client.query(`select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`)
  }
  await client.query('vacuum analyze')
}

async function fillTable(client, name, { table, counts }) {
  const declared = Object.entries(table.columns).map(([column, kind]) => `${quote(column)} ${TYPES[kind] ?? 'int'}`)
  if (table.primaryKey !== undefined) declared.push(`primary key (${table.primaryKey.map(quote).join(', ')})`)
  await client.query(`create table ${name} (${declared.join(', ')})`)
  const arrays = Object.values(table.columns).map((kind, index) => `$${index + 1}::${ARRAYS[kind] ?? 'int[]'}`)
  const insert = `insert into ${name} select * from unnest(${arrays.join(', ')})`
  for (const rows of inBatches(table.rows(counts)))
    await client.query(
      insert,
      arrays.map((_, index) => rows.map((row) => row[index])),
    )
}

function* inBatches(rows) {
  let batch = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function quote(column) {
  return `"${column}"`
}
