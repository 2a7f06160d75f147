import { Attribute, equals, not, Resource, ToMany } from 'stemma'
import { Column, Entity, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi } from '../../support/api'
import { define } from '../../support/define'
import { setUp } from '../../support/set-up'

// The option includedPages: relationship objects have links to pages of the relationship endpoint, and the total.

@Resource('albums')
@Entity()
class Album {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ToMany({ page: { size: 2 } }) @OneToMany('Song', 'album') songs: Song[]
  @ToMany({ totals: 'off' }) @ManyToMany('Song') @JoinTable() hits: Song[]
  @ToMany({ includedPages: 'off' }) @OneToMany('Song', 'other') others: Song[]
}

@Resource('songs')
@Entity()
class Song {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ManyToOne('Album', 'songs', { nullable: true }) album: Album | null
  @ManyToOne('Album', 'others', { nullable: true }) other: Album | null
}

const visible = define(Song, { filter: () => not(equals('title', 'secret')) })

const api = setUp(() => startApi([Album, Song], { includedPages: 'on', definitions: [visible] }))

beforeAll(async () => {
  for (const title of ['Full', 'Empty']) await api.add(Album, { title })
  for (const title of ['a', 'b', 'c', 'd', 'e', 'secret'])
    await api.add(Song, { title, album: { id: 1 }, other: { id: 1 } })
  const hits = api.dataSource.createQueryBuilder().relation(Album, 'hits').of(1)
  await hits.add([1, 2, 3])
})

const relationshipOf = async (url: string, name: string, index = 0) =>
  (await api.get(url)).body.data[index].relationships[name]

const SONGS = '/albums/1/relationships/songs'

it('writes links to the other pages and the total', async () => {
  expect(await relationshipOf('/albums?include=songs', 'songs')).toEqual({
    links: {
      self: SONGS,
      related: '/albums/1/songs',
      first: `${SONGS}?page%5Bsize%5D=2`,
      last: `${SONGS}?page%5Bsize%5D=2&page%5Bnumber%5D=3`,
      prev: null,
      next: `${SONGS}?page%5Bsize%5D=2&page%5Bnumber%5D=2`,
    },
    data: [1, 2].map((id) => ({ type: 'songs', id: String(id) })),
    meta: { total: 5 },
  })
})

it('links to pages with the sort and the filter of the include', async () => {
  const url = "/albums?include=songs&sort[songs]=-title&filter[songs]=not(equals(title,'c'))&page[size]=songs:3"
  const { links, data, meta } = await relationshipOf(url, 'songs')
  expect([data.map(({ id }: { id: string }) => id), meta]).toEqual([['5', '4', '2'], { total: 4 }])
  const { body } = await api.get(links.next)
  expect(body.data).toEqual([{ type: 'songs', id: '1' }])
})

it.each([
  ['/albums?include=songs&page[number]=songs:9', 0, { total: 5 }],
  ['/albums?include=songs', 1, { total: 0 }],
])('writes the total of an empty page: %s', async (url, index, meta) => {
  expect(await relationshipOf(url, 'songs', index)).toMatchObject({ data: [], meta })
})

it('omits a total that is off, and links where the relationship has includedPages off', async () => {
  const hits = await relationshipOf('/albums?include=hits&page[size]=hits:2', 'hits')
  expect(hits).not.toHaveProperty('meta')
  expect(Object.keys(hits.links).sort()).toEqual(['first', 'next', 'prev', 'related', 'self'])
  const others = await relationshipOf('/albums?include=others', 'others')
  expect(Object.keys(others).sort()).toEqual(['data', 'links'])
  expect(Object.keys(others.links).sort()).toEqual(['related', 'self'])
})

it('sends no further statement', async () => {
  expect(await api.statementsOf(() => api.get('/albums?include=songs,hits&page[number]=songs:2'))).toHaveLength(3)
})
