import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  EntitySchema,
  Generated,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VersionColumn,
  VirtualColumn,
} from 'typeorm'
import type { EntityDescription } from '../../../src/graph/model/entity-description'
import type { ResourceClass } from '../../../src/graph/model/resource-graph'
import { createEntityDescriber } from '../../../src/store/typeorm/metadata/describe-entities'
import { onLayouts } from '../../support/table-layout'
import { Grandfather, Human, Man, Woman } from './support/humans'
import { openDataSource } from './support/with-graph'

type Describe = (resourceClass: ResourceClass) => EntityDescription

async function describeFrom(entities: readonly ResourceClass[]): Promise<Describe> {
  const describeEntity = createEntityDescriber(await openDataSource(entities))
  return (resourceClass) => {
    const description = describeEntity(resourceClass)
    if (description === undefined) throw new Error(`${resourceClass.name} is not mapped.`)
    return description
  }
}

// Where no column tells the type, what was one is as any other.
const withDiscriminator = onLayouts(it, 'single', 'joined')

withDiscriminator(
  'the description of classes in a hierarchy lists own and inherited columns, but no columns of siblings and no discriminator',
  async () => {
    const describeEntity = await describeFrom([Human, Man, Grandfather, Woman])
    const columnsOf = (resourceClass: ResourceClass) => [...describeEntity(resourceClass).columns.keys()].sort()
    expect(columnsOf(Human)).toEqual(['id', 'name'])
    expect(columnsOf(Man)).toEqual(['age', 'hasBeard', 'id', 'name'])
    expect(columnsOf(Grandfather)).toEqual(['age', 'cane', 'hasBeard', 'id', 'name'])
    expect(columnsOf(Woman)).toEqual(['age', 'id', 'maidenName', 'name'])
  },
)

it('describes an EntitySchema', async () => {
  class Tag {
    id: number
    label: string | null
  }
  const schema = new EntitySchema<Tag>({
    name: 'Tag',
    target: Tag,
    columns: { id: { type: Number, primary: true, generated: true }, label: { type: String, nullable: true } },
  })
  const describeEntity = await describeFrom([schema as never])
  expect(describeEntity(Tag).columns.get('label')).toMatchObject({ declaredBy: Tag, isNullable: true })
})

it('describes what happens to members that are removed, and the inverse if only one side declares it', async () => {
  @Entity()
  class Team {
    @PrimaryGeneratedColumn() id: number
    @OneToMany(() => Player, 'softTeam') softPlayers: Player[]
    @OneToMany(() => Player, 'keptTeam') keptPlayers: Player[]
    @OneToOne(() => Player, 'captainOf') @JoinColumn() captain: Player
  }
  @Entity()
  class Player {
    @PrimaryGeneratedColumn() id: number
    @ManyToOne(() => Team, { orphanedRowAction: 'soft-delete' }) softTeam: Team | null
    @ManyToOne(() => Team, { orphanedRowAction: 'disable' }) keptTeam: Team | null
    @OneToOne(() => Team, 'captain', { nullable: false }) captainOf: Team | null
    @OneToOne(() => Team) @JoinColumn() fanOf: Team | null
  }
  const describeEntity = await describeFrom([Team, Player])
  const [team, player] = [describeEntity(Team).relations, describeEntity(Player).relations]
  const ofTeam = { kind: 'toMany', isNullable: true }
  expect(team.get('softPlayers')).toMatchObject({ ...ofTeam, orphanAction: 'deleted', inverseProperty: 'softTeam' })
  expect(team.get('keptPlayers')).toMatchObject({ ...ofTeam, orphanAction: 'refused', inverseProperty: 'keptTeam' })
  expect(player.get('softTeam')).toMatchObject({ inverseProperty: 'softPlayers' })
  expect(player.get('captainOf')).toMatchObject({ kind: 'toOne', isNullable: true, inverseProperty: 'captain' })
  expect(player.get('fanOf')).toMatchObject({ inverseProperty: undefined })
})

it('knows whether the client, TypeORM or the database sets a column', async () => {
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Column({ type: 'varchar' }) text: string
    @Column({ type: 'varchar', default: '' }) title: string
    @Column({ type: 'varchar', default: null }) subtitle: string | null
    @Column({ type: 'varchar', insert: false, update: false, nullable: true }) byTrigger: string
    @Column({ type: 'varchar', select: false, update: false }) secret: string
    @Column({ type: 'varchar', asExpression: "text || '!'", generatedType: 'STORED' }) shout: string
    @Column({ type: 'varchar', transformer: { to: (value) => value, from: (value) => value } }) coded: string
    @Column({ type: 'varchar' }) @Generated('uuid') token: string
    @CreateDateColumn() createdAt: Date
    @UpdateDateColumn() updatedAt: Date
    @DeleteDateColumn() deletedAt: Date | null
    @VersionColumn() version: number
    @VirtualColumn({ type: 'int', query: (alias) => `select length(${alias}.text)` }) length: number
  }
  const { columns } = (await describeFrom([Note]))(Note)
  const valueOrigin = Object.fromEntries([...columns.values()].map((column) => [column.property, column.valueOrigin]))
  expect(valueOrigin).toEqual({
    ...{ id: 'generated', byTrigger: 'generated', shout: 'generated', token: 'generated', length: 'generated' },
    ...{ text: 'client', title: 'client', subtitle: 'client', secret: 'client', coded: 'client' },
    ...{ createdAt: 'createDate', updatedAt: 'updateDate', deletedAt: 'deleteDate', version: 'version' },
  })
  const withDefault = [...columns.values()].filter(({ hasDefault }) => hasDefault).map(({ property }) => property)
  const withoutDefault = [...columns.keys()].filter((property) => !withDefault.includes(property))
  expect(withoutDefault).toEqual(['text', 'secret', 'coded'])
  expect(columns.get('subtitle')).toMatchObject({ isNullable: true })
  expect(columns.get('deletedAt')).toMatchObject({ isNullable: true })
  expect(columns.get('coded')).toMatchObject({ isTransformed: true })
  expect(columns.get('text')).toMatchObject({ isTransformed: false, isForeignKey: false, isExcludedByDefault: false })
  expect(columns.get('secret')).toMatchObject({ isExcludedByDefault: true })
  expect(columns.get('length')).toMatchObject({ constraints: { valueType: 'integer' }, isNullable: true })
  expect(columns.get('token')?.constraints).toEqual({ valueType: 'uuid' })
})

it('knows constant defaults', async () => {
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Column({ type: 'varchar', default: 'x' }) text: string
    @Column({ type: 'int', default: 3 }) count: number
    @Column({ type: 'int', default: '3' }) countAsText: number
    @Column({ type: 'bigint', default: 5 }) big: string
    @Column({ type: 'decimal', default: 1.5 }) price: string
    @Column({ type: 'boolean', default: false }) isOpen: boolean
    @Column({ type: 'boolean', default: 0 }) isShut: boolean
    @Column({ type: 'datetime', default: '2020-01-01 00:00:00' }) moment: Date
    @Column({ type: 'varchar', default: () => "'y'" }) expression: string
    @Column({ type: 'varchar', default: 'z', transformer: { to: (value) => value, from: (value) => value } })
    coded: string
    @Column({ type: 'varchar' }) none: string
  }
  const { columns } = (await describeFrom([Note]))(Note)
  const known = [...columns.values()].filter((column) => 'defaultValue' in column)
  const defaults = Object.fromEntries(known.map(({ property, defaultValue }) => [property, defaultValue]))
  expect(defaults).toEqual({ text: 'x', count: 3, big: '5', price: '1.5', isOpen: false })
})
