import { DataSource } from 'typeorm'
import { connection } from '../src/connection'
import { createDataSource } from '../src/data-source'

/** Returns the data source of an empty database beside that of the application. Each process of the test runner has its own. */
export async function createTestDataSource(): Promise<DataSource> {
  const url = new URL(connection().url)
  const server = await new DataSource(connection()).initialize()
  url.pathname += `_test_${process.env.VITEST_POOL_ID ?? process.env.JEST_WORKER_ID}`
  const name = url.pathname.slice(1)
  await server.query(`drop database if exists "${name}" with (force)`)
  await server.query(`create database "${name}"`)
  await server.destroy()
  return createDataSource(url.href)
}
