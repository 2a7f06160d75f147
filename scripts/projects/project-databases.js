const { Client } = require('pg')
const { createConnection } = require('mysql2/promise')
const { DATABASES } = require('../databases')

const NAME = 'stemma_projects'

/** Creates an empty database for a project, and returns the environment in which the project uses it. */
exports.createDatabase = async (database, file) => {
  if (database === 'sqlite') return { DATABASE_FILE: file }
  const server = SERVERS[database]
  await server.run((sql) => dropAll(server, sql).then(() => sql(`create database ${NAME}`)))
  return { DATABASE_URL: Object.assign(new URL(server.url), { pathname: NAME }).href }
}

/** Drops the databases of projects, and those of their tests. */
exports.dropDatabases = async () => {
  for (const server of Object.values(SERVERS)) await server.run((sql) => dropAll(server, sql))
}

async function dropAll({ list, drop }, sql) {
  for (const { name } of await sql(list)) await sql(drop(name))
}

const SERVERS = {
  postgres: {
    url: DATABASES.postgres.url,
    list: `select datname as name from pg_database where datname like '${NAME}%'`,
    drop: (name) => `drop database "${name}" with (force)`,
    async run(use) {
      const client = new Client({ connectionString: this.url })
      await client.connect()
      try {
        await use(async (text) => (await client.query(text)).rows)
      } finally {
        await client.end()
      }
    },
  },
  mariadb: {
    url: DATABASES.mariadb.url,
    list: `select schema_name as name from information_schema.schemata where schema_name like '${NAME}%'`,
    drop: (name) => `drop database \`${name}\``,
    async run(use) {
      const connection = await createConnection(this.url)
      try {
        await use(async (text) => (await connection.query(text))[0])
      } finally {
        await connection.end()
      }
    },
  },
}
