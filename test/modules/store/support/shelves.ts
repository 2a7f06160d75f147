import { Attribute, Resource, type ResourceClass, ToMany, ToOne } from 'stemma'
import { Column, type DataSource, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../../../support/data-source'
import type { TestDatabase } from '../../../support/database'
import { type ServerOptions, startServer, type TestServer } from '../../../support/server'

@Resource('shelves')
@Entity('shelf')
export class Shelf {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, unique: true }) name: string
  @ToMany() @OneToMany('Jar', 'shelf') jars: Jar[]
}

@Resource('jars')
@Entity('jar')
export class Jar {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) label: string
  @Attribute() @Column({ type: 'boolean', default: false }) isFull: boolean
  @Attribute() @Column({ type: 'int', default: 0 }) size: number
  @ToOne() @ManyToOne('Shelf', 'jars', { nullable: true }) shelf: Shelf | null
}

export const SHELVES = [Shelf, Jar]

/** Serves a second DataSource on the same database, with options of its own. */
export async function serveThrough<Value>(
  { place }: TestDatabase,
  entities: readonly ResourceClass[],
  options: object,
  serverOptions: Omit<ServerOptions, 'dataSource'>,
  work: (server: TestServer, dataSource: DataSource) => Promise<Value>,
): Promise<Value> {
  const dataSource = await createDataSource(place, entities, options).initialize()
  const server = await startServer({ dataSource, ...serverOptions })
  try {
    return await work(server, dataSource)
  } finally {
    await server.close()
    await dataSource.destroy()
  }
}
