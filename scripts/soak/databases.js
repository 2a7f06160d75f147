// Creates a database for one run: its TypeORM options, its content by SQL, and its removal.
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { DATABASES } = require('../databases')

const SELECT = {
  works: 'select "id", "kind", "title", "size", "slug", "isSilent", "authorId" from "work"',
  tags: 'select "workId", "tagId" from "work_tags"',
  authors: 'select "id", "name" from "author"',
}

/** `dataSource`: TypeORM options that can be sent to another process. */
exports.openDatabase = (name) => {
  if (name === 'sqlite') return openSqlite()
  if (name === 'postgres') return openPostgres()
  throw new Error(`Expected --database sqlite or postgres, found ${name}.`)
}

async function openSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-soak-'))
  const database = join(folder, 'soak.sqlite')
  return {
    title: 'SQLite, a file in WAL mode',
    dataSource: { type: 'better-sqlite3', database, enableWAL: true },
    async readRows() {
      const connection = require('better-sqlite3')(database, { readonly: true })
      const rows = Object.entries(SELECT).map(([what, sql]) => [what, connection.prepare(sql).all()])
      connection.close()
      return Object.fromEntries(rows)
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** On the same server as the tests' database. */
async function openPostgres() {
  const { Client } = require('pg')
  const { url: adminUrl } = DATABASES.postgres
  const name = `soak_${process.pid}`
  const url = new URL(adminUrl)
  url.pathname = name
  const within = async (connectionString, work) => {
    const client = new Client({ connectionString })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  await within(adminUrl, (client) => client.query(`create database ${name}`))
  return {
    title: 'PostgreSQL',
    dataSource: { type: 'postgres', url: url.href },
    readRows: () =>
      within(url.href, async (client) => {
        const read = {}
        for (const [what, sql] of Object.entries(SELECT)) read[what] = (await client.query(sql)).rows
        return read
      }),
    remove: () => within(adminUrl, (client) => client.query(`drop database ${name} with (force)`)),
  }
}
