import { Attribute, getEntityManager, JsonApiError, Resource, type ResourceWrite, withTransaction } from 'stemma'
import { Column, type DataSource, Entity, type EntityManager, PrimaryGeneratedColumn } from 'typeorm'
import { define } from './api'
import { DATABASE, openDatabase, openFile, type TestDatabase } from './database'
import type { ApiRequest } from './request'
import { type OwnServer, startOwnServer } from './with-server'

// A resource type, and audit rows that a rule writes.

@Resource('points')
@Entity('point')
export class Point {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
}

@Entity('audit')
export class Audit {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'varchar', length: 40 }) text: string
}

const TABLES = [Point, Audit]

export function openPoints(): Promise<TestDatabase> {
  return DATABASE === 'sqlite' ? openFile(TABLES) : openDatabase(TABLES)
}

export type Rule = (write: ResourceWrite<Point>) => unknown

export interface PointsServer {
  database: TestDatabase
  readonly server: OwnServer
  readonly dataSource: DataSource
  readonly reported: unknown[]
  readonly post: (name: string) => ApiRequest
  /** Runs after each write, in its transaction. */
  rule: Rule
}

/** Starts a server without rows for each test. Its pool has one connection, so that the next request uses the same one. */
export function usePointsServer() {
  const current = {} as PointsServer
  async function start(connectionOptions: object = {}): Promise<void> {
    const reported: unknown[] = []
    const rules = define(Point, { afterWrite: async (write) => void (await current.rule(write)) })
    const onError = (error: unknown) => reported.push(error)
    const options = { resources: [Point], definitions: [rules], onError }
    const own = { poolSize: 1, ...connectionOptions }
    const server = await startOwnServer(current.database, TABLES, own, options)
    const post = (name: string) => server.post('/points').send(point(name))
    Object.assign(current, { dataSource: server.dataSource, reported, server, post, rule: () => undefined })
  }

  const stop = () => current.server.close()
  beforeAll(async () => {
    current.database = await openPoints()
  })
  afterAll(() => current.database.close())
  beforeEach(async () => {
    for (const table of TABLES) await current.database.dataSource.getRepository(table).clear()
    await start()
  })
  afterEach(stop)
  const restart = async (connectionOptions: object) => {
    await stop()
    await start(connectionOptions)
  }
  return Object.assign(current, {
    restart,
    names: () => current.database.valuesOf(Point, 'name'),
    audits: () => current.database.valuesOf(Audit, 'text'),
  })
}

const point = (name: string) => ({ data: { type: 'points', attributes: { name } } })

export function reject(): never {
  throw new JsonApiError({ title: 'No.', status: 403 })
}

type RunInTransaction = (
  write: ResourceWrite<Point>,
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<unknown>,
) => Promise<unknown>

export const TRANSACTIONS: [string, RunInTransaction][] = [
  ['withTransaction', (_write, dataSource, work) => withTransaction(dataSource, work)],
  ["its entity manager's transaction", (write, _dataSource, work) => getEntityManager(write).transaction(work)],
]
