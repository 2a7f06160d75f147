import { readFileSync } from 'node:fs'
import { createJsonApi } from 'stemma'
import { DataSource, type QueryRunner } from 'typeorm'
import { TYPEORM_VERSION_RANGE } from '../../../src/store/typeorm/drivers/typeorm-internals'
import { SHELVES } from './support/shelves'

let dataSource: DataSource

beforeEach(async () => {
  dataSource = await new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: SHELVES }).initialize()
})
afterEach(() => dataSource.destroy())
const start = () => createJsonApi({ dataSource, resources: SHELVES, startupLog: false })

it('refuses a version of TypeORM without the members that the store uses, and names the versions that have them', () => {
  expect(start).not.toThrow()
  dataSource.createQueryRunner = () => ({}) as QueryRunner
  Object.assign(dataSource.driver, { createDatabaseConnection: undefined })
  expect(start).toThrow("typeorm: the installed version has no 'QueryRunner.transactionDepth'")
  expect(start).toThrow("typeorm: the installed version has no 'createDatabaseConnection'")
  expect(start).toThrow('Install typeorm ^0.3.28 || ^1.1.0.')
})

it('names the range of the peer dependency', () => {
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(TYPEORM_VERSION_RANGE).toBe(peerDependencies.typeorm)
})
