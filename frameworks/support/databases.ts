import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'

const { DATABASES } = require('../../scripts/databases') as {
  readonly DATABASES: Readonly<Record<'postgres' | 'mariadb', { readonly url: string }>>
}

/** An empty database. */
export interface Database {
  readonly env: NodeJS.ProcessEnv
  drop(): Promise<void>
}

/** Creates a database; `name` differs between programs that run at the same time. */
export async function createDatabase(kind: string, name: string): Promise<Database> {
  if (kind === 'sqlite3') return { env: {}, drop: async () => undefined }
  const { url, run, drop } = kind === 'postgres' ? POSTGRES : MARIADB
  const unique = `stemma_frameworks_${name}_${process.pid}`
  await run(url, `create database ${unique}`)
  const env = { DATABASE_URL: Object.assign(new URL(url), { pathname: unique }).href }
  return { env, drop: () => run(url, drop(unique)) }
}

interface DatabaseServer {
  readonly url: string
  readonly run: (url: string, statement: string) => Promise<void>
  readonly drop: (name: string) => string
}

const POSTGRES: DatabaseServer = {
  url: DATABASES.postgres.url,
  run: async (url, statement) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  },
  drop: (name) => `drop database "${name}" with (force)`,
}

const MARIADB: DatabaseServer = {
  url: DATABASES.mariadb.url,
  run: async (url, statement) => {
    const connection = await createConnection(url)
    await connection.query(statement).finally(() => connection.end())
  },
  drop: (name) => `drop database ${name}`,
}
