import { Attribute, ToMany, ToOne } from 'stemma'
import {
  Column,
  DeleteDateColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm'
import { setUp, startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { toOne, updateResource } from '../../support/documents'
import { DerivedResource, HierarchyRoot, OwnerOneToOne, StoredResource } from '../../support/resource-decorators'
import type { Layout } from '../../support/table-layout'

function declarePasses(required: boolean) {
  @StoredResource('owners')
  class Owner {
    @PrimaryGeneratedColumn() id!: number
    @ToOne() @OneToOne('Pass', 'owner') pass!: Pass | null
  }
  @StoredResource('passes')
  class Pass {
    @PrimaryGeneratedColumn() id!: number
    @ToOne({ required }) @OwnerOneToOne('Owner', 'pass', { nullable: true }) owner!: Owner | null
    @DeleteDateColumn(DATETIME) deletedAt!: Date | null
  }
  return [Owner, Pass] as const
}

@StoredResource('folders', { clientGeneratedIds: 'required' })
class Folder {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToMany() @OneToMany('Paper', 'folder') papers: Paper[]
}

@HierarchyRoot('papers', { clientGeneratedIds: 'required' })
class Paper {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) title: string
  @ToOne() @ManyToOne('Folder', 'papers', { nullable: true, orphanedRowAction: 'delete' }) folder: Folder | null
}

/** Only rows of this type are deleted softly. */
@DerivedResource('records', { clientGeneratedIds: 'required' })
class Filed extends Paper {
  @DeleteDateColumn() goneAt: Date | null
}

@DerivedResource('letters', { clientGeneratedIds: 'required' })
class Letter extends Paper {
  @Attribute() @Column({ type: 'int', default: 1 }) pages: number
}

class Dates {
  @DeleteDateColumn(DATETIME) goneAt: Date | null
}

@StoredResource('stamps')
class Stamp {
  @PrimaryGeneratedColumn() id: number
  @Column(() => Dates) dates: Dates
}

@StoredResource('notes')
class Note {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) text: string
  @ToOne() @ManyToOne('Paper', { nullable: false }) paper: Paper
  @ToOne() @ManyToOne('Filed', { nullable: false }) record: Filed
  @ToOne() @ManyToOne('Stamp', { nullable: false }) stamp: Stamp
  @ToOne() @ManyToOne('Letter', { nullable: false }) letter: Letter
  @ToOne() @ManyToOne('Folder', { nullable: false }) folder: Folder
}

describe.each([false, true])('a deleted resource of a one-to-one relationship, required: %s', (required) => {
  const [Owner, Pass] = declarePasses(required)
  const api = setUp(() => startApi([Owner, Pass]))
  let owner: string
  let gone: string

  beforeEach(async () => {
    owner = await api.add(Owner)
    gone = await api.add(Pass, { owner: { id: Number(owner) } })
    await api.delete(`/passes/${gone}`).expect(204)
  })

  const stored = (id: string) => {
    const where = { id: Number(id) }
    return api.dataSource.manager.findOneOrFail(Pass, { where, relations: { owner: true }, withDeleted: true })
  }
  const ownerOf = async (id: string) => (await stored(id)).owner?.id

  it('keeps its row, and returns 404 to every request', async () => {
    expect((await stored(gone)).deletedAt).toBeInstanceOf(Date)
    await api.get(`/passes/${gone}`).expect(404)
    await api.delete(`/passes/${gone}`).expect(404)
    await updateResource(api, 'passes', gone).expect(404)
    await api
      .patch(`/passes/${gone}/relationships/owner`)
      .send({ data: null })
      .expect(required ? 422 : 404)
    await api.patch(`/owners/${owner}/relationships/pass`).send(toOne('passes', gone)).expect(404)
    expect((await api.get(`/owners/${owner}/relationships/pass`)).body.data).toBeNull()
  }) // anchor: W/V-01

  const set = (path: string, type: string, id: string) => api.patch(`/${path}`).send(toOne(type, id)).expect(204)

  it.each<[string, (pass: string) => Promise<unknown>]>([
    ['the resource', (pass) => updateResource(api, 'owners', owner, undefined, { pass: toOne('passes', pass) })],
    ['the relationship', (pass) => set(`owners/${owner}/relationships/pass`, 'passes', pass)],
    ['the other end', (pass) => set(`passes/${pass}/relationships/owner`, 'owners', owner)],
  ])('is replaced through %s', async (_way, replace) => {
    const pass = await api.add(Pass)
    await replace(pass)
    expect([await ownerOf(pass), await ownerOf(gone)]).toEqual([Number(owner), undefined])
  })

  it('keeps its key when the relationship is emptied', async () => {
    await api.patch(`/owners/${owner}/relationships/pass`).send({ data: null }).expect(204)
    expect(await ownerOf(gone)).toBe(Number(owner))
  })
})

describe.each<Layout>(['single', 'joined', 'tablePerConcreteClass'])(
  'a derived type that is deleted softly: %s',
  (tables) => {
    let api: TestApi

    beforeEach(async () => {
      api = await startApi([Folder, Paper, Filed, Letter, Stamp, Note], {
        tables,
        openApi: true,
        toOneLinkage: 'always',
      })
      await api.add(Folder, { id: 1 })
      for (const [id, entity] of [Paper, Filed, Paper, Filed].entries())
        await api.add(entity, { id, folder: { id: 1 } })
    })
    afterEach(() => api.close())

    async function storedIds(): Promise<readonly string[]> {
      const find = (entity: typeof Paper) => api.dataSource.manager.find(entity, { withDeleted: true })
      const rows = await Promise.all([Paper, Filed].map(find))
      return [...new Set(rows.flat().map(({ id }) => String(id)))].sort()
    }

    /** As primary data, as linkage, and counted. */
    async function visibleIds(): Promise<unknown> {
      const { body } = await api.get('/papers?include=folder')
      const folder = await api.get("/folders/1?include=papers&filter[papers]=not(equals(title,'x'))")
      const { body: counted } = await api.get("/folders?filter=greaterThan(count(papers),'0')")
      const idsIn = (data: { id: string }[]) => data.map(({ id }) => id)
      return [idsIn(body.data), idsIn(folder.body.data.relationships.papers.data), counted.data.length]
    }

    it('is hidden at the endpoint of its base, whose other rows are removed, and changes the ETag of linkage', async () => {
      expect(await visibleIds()).toEqual([['0', '1', '2', '3'], ['0', '1', '2', '3'], 1])
      const tokens: unknown[] = []
      for (const id of [0, 1, 1]) {
        const { headers } = await api.get('/folders/1/relationships/papers')
        tokens.push(headers.etag?.split('.')[0])
        await api.delete(`/papers/${id}`)
      }
      expect(new Set(tokens).size).toBe(3)
      expect(await visibleIds()).toEqual([['2', '3'], ['2', '3'], 1])
      await api.get('/papers/1').expect(404)
      expect(await storedIds()).toEqual(['1', '2', '3'])
    })

    it("keeps its rows when orphanedRowAction is 'delete', and other rows are removed", async () => {
      await api.patch('/folders/1/relationships/papers').send({ data: [] }).expect(204)
      expect(await visibleIds()).toEqual([[], [], 0])
      expect(await storedIds()).toEqual(['1', '3'])
    })

    it('is null in required to-one relationships, as the OpenAPI document says', async () => {
      await api.add(Letter, { id: 9 })
      const stamp = await api.add(Stamp, { dates: { goneAt: new Date() } })
      const [filed, other] = [{ id: 1 }, { letter: { id: 9 }, folder: { id: 1 } }]
      const note = await api.add(Note, { paper: filed, record: filed, stamp: { id: Number(stamp) }, ...other })
      await api.delete('/papers/1').expect(204)
      // Each response is compared with the document.
      const hidden = ['paper', 'record', 'stamp']
      const { body } = await api.get(`/notes/${note}?include=${hidden}`)
      const written = await updateResource(api, 'notes', note, { text: 'New' }).set('Prefer', 'return=representation')
      for (const { data } of [body, written.body])
        expect(hidden.map((name) => data.relationships[name].data)).toEqual([null, null, null])
      for (const place of hidden.flatMap((name) => [name, `relationships/${name}`]))
        expect((await api.get(`/notes/${note}/${place}`)).body.data).toBeNull()
      const { components } = (await api.get('/openapi.json').unchecked()).body
      const { properties } = components.schemas.notes.properties.relationships
      const mayBeNull = (name: string) => JSON.stringify(properties[name].properties.data).includes('"null"')
      expect(Object.keys(properties).filter(mayBeNull)).toEqual(hidden)
    })
  },
)
