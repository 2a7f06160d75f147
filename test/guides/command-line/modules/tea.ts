import { createJsonApi, type JsonApiOptions, Resource, ToMany, ToOne } from 'stemma'
import { DataSource, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'

@Resource('pots')
@Entity()
class Pot {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Cup', 'pot') cups: Cup[]
}

@Resource('cups')
@Entity()
class Cup {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('Pot', 'cups', { nullable: true }) pot: Pot | null
}

const resources = [Pot, Cup]
const memory = { type: 'better-sqlite3', database: ':memory:', entities: resources } as const

/** Has a warning and a secret. */
export const configuration: JsonApiOptions = {
  dataSource: new DataSource(memory),
  resources,
  etagSecret: 'leaves of many kinds',
}

export async function createApi() {
  return createJsonApi({ dataSource: await new DataSource(memory).initialize(), resources, startupLog: false })
}

export const promised = createApi()

/** No server listens on port 1. */
export const unreachable: JsonApiOptions = {
  dataSource: new DataSource({ type: 'postgres', host: '127.0.0.1', port: 1, entities: resources }),
  resources,
}

export const empty: JsonApiOptions = { dataSource: new DataSource(memory), resources: [] }
export const notInitialized = () => createJsonApi({ dataSource: new DataSource(memory), resources })
export const circular = { dataSource: undefined, resources }
export const port = 3000
