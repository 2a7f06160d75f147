import { Attribute, Resource } from 'stemma'
import { Column, type ColumnType, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE, DATETIME } from '../../support/database'
import { attributeValues, outcomeOf } from '../../support/expectations'
import { followPages } from '../../support/follow-pages'
import type { TestServer } from '../../support/server'
import { withServer } from '../../support/with-server'

// Columns whose type the library does not know: their values are text. The database checks them (`judged`), accepts all (`text`), or can't
// compare them (`opaque`). No value that a client sends is an error of the server.

type Judge = 'text' | 'judged' | 'opaque'
type Shown = Readonly<Record<string, string | null>>
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

/** Values that clients can't write, that other programs may have written, and what clients see. */
const UNUSUAL: Readonly<Record<typeof DATABASE, readonly (readonly [name: string, shown: Shown])[]>> = {
  sqlite: [
    ['at', { "'infinity'": null }],
    ['day', { "'0000-00-00'": null, "'2024-00-00'": null }],
    ['hour', { "'30:00:00'": '30:00:00' }],
    ['ratio', { '9e999': null, '-9e999': null }],
    ['title', { "'a' || char(0) || 'b'": 'a\0b' }],
  ],
  mariadb: [
    ['at', { "'0000-00-00 00:00:00'": null }],
    // The driver makes other days of them, unless `dateStrings` contains `DATE`.
    ['day', { "'0000-00-00'": '1899-11-30', "'2024-00-00'": '2023-11-30' }],
    ['hour', { "'30:00:00'": '30:00:00', "'-01:00:00.5'": '-01:00:00', "'838:59:59'": '838:59:59' }],
    ['title', { "'a\\0b'": 'a\0b' }],
  ],
  postgres: [
    ['at', { "'infinity'": null, "'-infinity'": null }],
    ['at', { "'0044-03-15 10:00:00+00 BC'": '-000043-03-15T10:00:00.000Z' }],
    ['at', { "'12345-01-01 00:00:00+00'": '+012345-01-01T00:00:00.000Z' }],
    ['day', { "'infinity'": null, "'-infinity'": null, "'0044-03-15 BC'": null, "'12345-01-01'": null }],
    ['hour', { "'24:00:00'": '24:00:00' }],
    ['ratio', { "'NaN'": null, "'Infinity'": null, "'-Infinity'": null }],
    ['amount', { "'NaN'": 'NaN' }],
  ],
}

@Resource('things')
@Entity()
class Thing {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', nullable: true }) title: string | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) at: Date | null
  @Attribute() @Column({ type: 'date', nullable: true }) day: string | null
  @Attribute() @Column({ type: 'time', nullable: true }) hour: string | null
  @Attribute() @Column({ type: 'double precision', nullable: true }) ratio: number | null
  @Attribute() @Column({ type: 'decimal', precision: 9, scale: 2, nullable: true }) amount: string | null
}

for (const [name, type] of COLUMNS) {
  Column({ type, nullable: true })(Thing.prototype, name)
  Attribute()(Thing.prototype, name)
}

const api = setUp(() => startApi([Thing]))

describe.each(COLUMNS)('the attribute %s with a column of the type %s', (name, _type, value, judge) => {
  const write = (given: string) => api.post('/things').send({ data: { type: 'things', attributes: { [name]: given } } })
  const filterBy = (filter: string) => api.get(`/things?filter=${encodeURIComponent(filter)}`)
  const compare = (call: string, literal: string) => filterBy(`${call}(${name},'${literal.replaceAll("'", "''")}')`)

  it('is written and read', async () => {
    const { body } = await write(value).expect(201)
    expect(body.data.attributes[name]).toBe(value)
  })

  it.each(['equals', 'any', 'lessThan'])('is compared by %s, or refused', async (call) => {
    const response = await compare(call, value).expect(judge === 'opaque' ? 400 : 200)
    if (judge !== 'opaque') expect(response.body.data).toHaveLength(call === 'lessThan' ? 0 : 1)
    // MariaDB reads an invalid address as one that no row has.
    const isAccepted = judge === 'text' || (judge === 'judged' && DATABASE === 'mariadb')
    expect(outcomeOf(await compare(call, 'nonsense'))).toBe(isAccepted ? '200' : '400 query.filter filter')
  })

  it('is compared by value', async () => {
    const other = { host: '0:0:0::1', mac: '08-00-2B-01-02-03' }[name]
    if (other === undefined || (name === 'host' && DATABASE === 'postgres')) return
    for (const filter of [`equals(${name},'${other}')`, `any(${name},'${other}','${value}')`])
      expect((await filterBy(filter).expect(200)).body.data).toHaveLength(1)
  })

  it.each(['equals', 'lessThan'])('is compared by %s with columns of its own type, or with any text', async (call) => {
    await filterBy(`${call}(${name},${name})`).expect(judge === 'opaque' ? 400 : 200)
    for (const operands of [`${name},title`, `title,${name}`]) {
      const response = await filterBy(`${call}(${operands})`)
      expect(outcomeOf(response)).toBe(judge === 'text' ? '200' : '400 query.filter filter')
      if (judge === 'judged')
        expect(response.body.errors[0].detail).toContain('Expected a text of the same kind, found another.')
    }
  })

  it('refuses invalid values', async () => {
    if (judge !== 'judged') await write('a').expect(judge === 'opaque' && name === 'tree' ? 422 : 201)
    else expect((await api.unchanged(() => write('nonsense'))).status).toBe(422)
    if (name === 'words') expect((await api.unchanged(() => write("'a"))).status).toBe(422)
  })

  it('can be searched as text', () => compare('contains', 'nonsense').expect(200))

  it('can be sorted by, or returns 400', async () => {
    for (const sort of [name, `-${name}`]) await api.get(`/things?sort=${sort}`).expect(judge === 'opaque' ? 400 : 200)
  })
})

it.each(UNUSUAL[DATABASE])(
  '%s has values that clients cannot write, and cursors contain them',
  async (name, values) => {
    const { tablePath } = api.dataSource.getMetadata(Thing)
    await api.dataSource.query(`delete from ${tablePath}`)
    for (const value of Object.keys(values))
      await api.dataSource.query(`insert into ${tablePath} (${name}) values (${value})`)
    const expected = Object.values(values)
    expect(await shownAt(api, name)).toEqual(expected)
    // RFC 3339 has no years of more than four digits, and decimals of the document are digits.
    if (!expected.some((each) => /^[+-]\d{6}|NaN/.test(String(each))))
      await api.get('/things?page[size]=100').expect(200)
    const path = `/things?filter=not(equals(${name},null))&fields[things]=&page[size]=1`
    for (const sort of [name, `-${name}`])
      expect((await followPages(api, `${path}&sort=${sort}`, 'next')).length).toBe(expected.length)
  },
)

/** Without checks: years of more than four digits and NaN do not match the OpenAPI document. */
async function shownAt(server: Pick<TestServer, 'get'>, name: string): Promise<readonly unknown[]> {
  return attributeValues(await server.get('/things?page[size]=100').unchecked(), name)
}

const onMariadb = DATABASE === 'mariadb' ? it : it.skip // Only MariaDB stores impossible dates.

onMariadb('shows impossible dates as null if mysql2 returns them as text', async () => {
  await withServer(api, [Thing], { dateStrings: ['DATE'] }, { resources: [Thing] }, async (server, dataSource) => {
    const { tablePath } = dataSource.getMetadata(Thing)
    await dataSource.query(`delete from ${tablePath}`)
    await dataSource.query(`insert into ${tablePath} (day) values ('0000-00-00'), ('2024-02-00'), ('2024-02-29')`)
    expect(await shownAt(server, 'day')).toEqual([null, null, '2024-02-29'])
    await server.get('/things').expect(200)
  })
})
