import { Attribute, Resource, ToOne } from 'stemma'
import { Column, DataSource, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'

@Resource('my planets')
@Entity()
class Planet {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) name: string
}

@Resource('moons')
@Entity()
class Moon {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('Planet', { nullable: true }) planet: Planet | null
}

/** Has invalid options and an invalid name. */
export const configuration = {
  dataSource: new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [Planet, Moon] }),
  resources: [Planet, Moon],
  pagnation: 'cursors',
  page: { size: 0 },
}
