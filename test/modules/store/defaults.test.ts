import { Attribute } from 'stemma'
import { BeforeInsert, Column, CreateDateColumn, type DataSource, PrimaryGeneratedColumn } from 'typeorm'
import { combineApi, setUp, startServerOn } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { createResource } from '../../support/documents'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'

// A default that an entity declares is written where `save()` of TypeORM writes it: on SQLite, whose tables may have been made without it.

@StoredResource('notes')
class Note {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40, default: 'draft' }) status: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: 'draft', nullable: true }) mark: string | null
  @Attribute() @Column({ type: 'int', default: 7 }) rank: number
  @Attribute() @Column({ type: 'boolean', default: true }) isOpen: boolean
  @Attribute() @Column({ type: 'int', default: () => '(3 + 4)' }) made: number
  @Attribute() @CreateDateColumn() createdAt: Date
}

@StoredResource('told')
class Told {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40, default: 'draft' }) status: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) heard: string

  @BeforeInsert()
  hear(): void {
    this.heard = 'heard'
  }
}

@HierarchyRoot('plants')
class Plant {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 1 }) height: number
}

@DerivedResource('trees')
class Tree extends Plant {
  @Attribute() @Column({ type: 'int', default: 2 }) rings: number
}

const RESOURCES = [Note, Told, Plant, Tree]

/** `synchronize` makes tables with defaults, which `save()` does not count on where it writes them itself. */
async function startWithoutDefaults() {
  const database = await openDatabase(RESOURCES)
  if (DATABASE === 'sqlite') await dropDefaults(database.dataSource)
  return combineApi(database, await startServerOn(database, { resources: RESOURCES }))
}

async function dropDefaults(dataSource: DataSource): Promise<void> {
  for (const { tableName } of dataSource.entityMetadatas) {
    const [{ sql }] = await dataSource.query('select sql from sqlite_master where name = ?', [tableName])
    await dataSource.query(`drop table "${tableName}"`)
    await dataSource.query(sql.replaceAll(DEFAULTS, ''))
  }
}

/** But for those of keys. */
const DEFAULTS = / DEFAULT \((?!\(?next_key)(?:[^()]|\([^()]*\))*\)/g
const api = setUp(startWithoutDefaults)

const attributesOf = async (type: string, attributes?: object) =>
  (await createResource(api, type, attributes).expect(201)).body.data.attributes

it('writes the defaults of attributes that are not sent, and no other columns', async () => {
  const defaults = { status: 'draft', mark: 'draft', rank: 7, isOpen: true, made: 7 }
  expect(await attributesOf('notes')).toEqual({ ...defaults, createdAt: expect.any(String) })
  const sent = { status: 'final', mark: null, rank: 0, isOpen: false, made: 1 }
  expect(await attributesOf('notes', sent)).toMatchObject(sent)
  expect(await attributesOf('notes', { rank: 3 })).toMatchObject({ ...defaults, rank: 3 })
})

it('writes defaults together with values from a listener', async () => {
  expect(await attributesOf('told')).toEqual({ status: 'draft', heard: 'heard' })
})

it('writes the defaults of a derived class and of its base', async () => {
  expect(await attributesOf('trees')).toEqual({ height: 1, rings: 2 })
  expect(await attributesOf('plants', { height: 5 })).toEqual({ height: 5 })
})
