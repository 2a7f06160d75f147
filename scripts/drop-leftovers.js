// Drops the schemas or databases of a test run. test/support/database.ts puts the process id of the run into their names.

exports.dropLeftovers = async ({ url }, pid) => {
  const start = `stemma_${pid}_`
  if (url.startsWith('postgres')) await dropOnPostgres(url, start)
  else if (url.startsWith('mysql')) await dropOnMariadb(url, start)
}

async function dropOnPostgres(connectionString, start) {
  const { Client } = require('pg')
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query('select nspname as name from pg_namespace where starts_with(nspname, $1)', [
      start,
    ])
    for (const { name } of rows) await client.query(`drop schema if exists "${name}" cascade`)
  } finally {
    await client.end()
  }
}

async function dropOnMariadb(uri, start) {
  const connection = await require('mysql2/promise').createConnection({ uri })
  try {
    const [rows] = await connection.query('show databases')
    for (const { Database: name } of rows)
      if (name.startsWith(start)) await connection.query(`drop database if exists \`${name}\``)
  } finally {
    await connection.end()
  }
}
