import { Attribute, Resource } from 'stemma'
import { Column, type ColumnType, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'

// Columns of which the library knows only that their values are written as text. What fits is judged by the database (`judged`), or
// everything does (`text`); some can't be compared (`opaque`). Nothing that a client compares them with is an error of the server.

type Judge = 'text' | 'judged' | 'opaque'

type Case = readonly [name: string, type: ColumnType, value: string, judge: Judge]

const ALL: Readonly<Record<typeof DATABASE, readonly Case[]>> = {
  sqlite: [['name', 'native character', 'x', 'text']],
  mariadb: [['host', 'inet6', '::1', 'judged']],
  postgres: [
    ['host', 'inet', '10.0.0.1', 'judged'],
    ['net', 'cidr', '10.0.0.0/8', 'judged'],
    ['mac', 'macaddr', '08:00:2b:01:02:03', 'judged'],
    ['price', 'money', '$1.00', 'judged'],
    ['bits', 'bit', '1', 'judged'],
    ['span', 'int4range', '[1,3)', 'judged'],
    ['clock', 'time with time zone', '10:00:00+00', 'judged'],
    ['loose', 'citext', 'Abc', 'text'],
    ['page', 'xml', '<a/>', 'opaque'],
    ['words', 'tsvector', "'a' 'b'", 'opaque'],
    ['tree', 'hstore', '"a"=>"1"', 'opaque'],
  ],
}
const COLUMNS = ALL[DATABASE]

@Resource('things')
@Entity()
class Thing {
  @PrimaryGeneratedColumn() id: number

  @Attribute()
  @Column({ type: 'varchar', nullable: true })
  title: string | null
}

for (const [name, type] of COLUMNS) {
  Column({ type, nullable: true })(Thing.prototype, name)
  Attribute()(Thing.prototype, name)
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Thing])
})

afterAll(() => api.close())

describe.each(COLUMNS)('%s, a column of the type %s', (name, _type, value, judge) => {
  const write = (given: string) => api.post('/things').send({ data: { type: 'things', attributes: { [name]: given } } })
  const ask = (call: string, literal: string) =>
    api.get(`/things?filter=${encodeURIComponent(`${call}(${name},'${literal.replaceAll("'", "''")}')`)}`)

  it('takes and gives its values', async () => {
    const { status, body } = await write(value)
    expect([status, body.data.attributes[name]]).toEqual([201, value])
  })

  it.each(['equals', 'any', 'lessThan'])('is compared by %s, or not at all', async (call) => {
    const fitting = await ask(call, value).expect(judge === 'opaque' ? 400 : 200)
    if (judge !== 'opaque') expect(fitting.body.data).toHaveLength(call === 'lessThan' ? 0 : 1)
    const { status, body } = await ask(call, 'nonsense')
    // MariaDB takes what is no address for one that no row has.
    expect(status).toBe(judge === 'text' || (judge === 'judged' && DATABASE === 'mariadb') ? 200 : 400)
    if (status === 400) expect(body.errors[0].source).toEqual({ parameter: 'filter' })
  })

  it.each(['equals', 'lessThan'])(
    'is compared by %s with columns of its own type only, or with all text',
    async (call) => {
      const between = (left: string, right: string) => api.get(`/things?filter=${call}(${left},${right})`)
      await between(name, name).expect(judge === 'opaque' ? 400 : 200)
      for (const { status, body } of [await between(name, 'title'), await between('title', name)]) {
        expect(status).toBe(judge === 'text' ? 200 : 400)
        if (status === 400) expect(body.errors[0].source).toEqual({ parameter: 'filter' })
        if (judge === 'judged')
          expect(body.errors[0].detail).toContain('Expected a text of the same kind, found another.')
      }
    },
  )

  it('is not given what does not fit', async () => {
    if (judge !== 'judged') await write('a').expect(judge === 'opaque' && name === 'tree' ? 422 : 201)
    else expect((await api.unchanged(() => write('nonsense'))).status).toBe(422)
    if (name === 'words') expect((await api.unchanged(() => write("'a"))).status).toBe(422)
  })

  it('is searched as text', async () => {
    await ask('contains', 'nonsense').expect(200)
  })

  it('is sorted by, or not at all', async () => {
    const [up, down] = [await api.get(`/things?sort=${name}`), await api.get(`/things?sort=-${name}`)]
    expect([up.status, down.status]).toEqual(judge === 'opaque' ? [400, 400] : [200, 200])
  })
})
