import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  DeleteDateColumn,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  TableInheritance,
} from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import type { Tables } from '../../support/lay-tables'

// Rows of one branch only count as deleted, those of the others go for good: wherever the date of it lies.

@Resource('folders', { clientIds: 'required' })
@Entity()
class Folder {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToMany() @OneToMany('Paper', 'folder') papers: Paper[]
}

@Resource('papers', { clientIds: 'required' })
@Entity()
@TableInheritance({ column: { type: 'varchar', length: 20, name: 'kind' } })
class Paper {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) title: string
  @ToOne()
  @ManyToOne('Folder', 'papers', { nullable: true, orphanedRowAction: 'delete' })
  folder: Folder | null
}

@Resource('records', { clientIds: 'required' })
@ChildEntity()
class Filed extends Paper {
  @DeleteDateColumn() goneAt: Date | null
}

let api: TestApi

const stored = async (): Promise<readonly string[]> => {
  const rows = await Promise.all([Paper, Filed].map((each) => api.dataSource.manager.find(each, { withDeleted: true })))
  return [...new Set(rows.flat().map(({ id }) => String(id)))].sort()
}

const paths = async (): Promise<unknown> => {
  const { body } = await api.get('/papers?include=folder')
  const folder = await api.get("/folders/1?include=papers&filter[papers]=not(equals(title,'x'))")
  const { body: counted } = await api.get("/folders?filter=greaterThan(count(papers),'0')")
  const idsOf = (data: { id: string }[]) => data.map(({ id }) => id)
  return [idsOf(body.data), idsOf(folder.body.data.relationships.papers.data), counted.data.length]
}

describe.each<Tables>(['single', 'joined', 'perConcreteType'])('a branch that is deleted softly: %s', (tables) => {
  beforeEach(async () => {
    api = await startApi([Folder, Paper, Filed], { tables })
    await api.post('/folders').send({ data: { type: 'folders', id: '1' } })
    for (const [id, type] of ['papers', 'records', 'papers', 'records'].entries()) {
      const folder = { data: { type: 'folders', id: '1' } }
      await api.post('/papers').send({ data: { type, id: String(id), relationships: { folder } } })
    }
  })

  afterEach(() => api.close())

  it('hides its rows from those who ask for the base, and deletes others', async () => {
    expect(await paths()).toEqual([['0', '1', '2', '3'], ['0', '1', '2', '3'], 1])
    for (const id of [0, 1]) await api.delete(`/papers/${id}`).expect(204)
    expect(await paths()).toEqual([['2', '3'], ['2', '3'], 1])
    await api.get('/papers/1').expect(404)
    expect(await stored()).toEqual(['1', '2', '3'])
  })

  it('goes by the stored type of what is taken out of a relationship', async () => {
    await api.patch('/folders/1/relationships/papers').send({ data: [] }).expect(204)
    expect(await paths()).toEqual([[], [], 0])
    expect(await stored()).toEqual(['1', '3'])
  })
})
