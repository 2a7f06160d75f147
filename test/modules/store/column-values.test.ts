import { Attribute, Resource } from 'stemma'
import { Column, type ColumnOptions, Entity, Generated, PrimaryGeneratedColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource, updateResource } from '../../support/documents'
import { attributeValues, dataAt, expectError, resourceKeys } from '../../support/expectations'
import { COLUMN_CASES, type ColumnCase } from './support/column-cases'

// Values of every column type: those that are accepted with 201 are read back as sent, also by TypeORM, and all others return 422. Nothing is
// rounded, cut or padded, and nothing is left for the database to refuse.

@Resource('things')
@Entity('things')
class Thing {
  @PrimaryGeneratedColumn() id!: number
  @Column({ type: 'uuid' }) @Generated('uuid') token!: string
}
for (const [name, { column }] of COLUMN_CASES) {
  Attribute()(Thing.prototype, name)
  Column({ ...column, nullable: true } as ColumnOptions)(Thing.prototype, name)
}

const api = setUp(() => startApi([Thing]))
const post = (name: string, value: unknown) => createResource(api, 'things', { [name]: value })
const show = (value: unknown) => JSON.stringify(value).slice(0, 60)
const cases = (of: (columnCase: ColumnCase) => readonly unknown[]) =>
  COLUMN_CASES.flatMap(([name, columnCase]) => of(columnCase).map((value) => [name, show(value), value] as const))

/** Lists, bytes, JSON, and what is of another type than its column. */
const UNCOMPARED =
  /json|array|texts|words|ints|booleans|doubles|enums|uuids|blob|bytea|binary|^bit$|^set$|^transformedBoolean$/i

/** As documents show what TypeORM holds. On SQLite it holds large integers and decimals as numbers. */
function shown(held: unknown, read: unknown): unknown {
  if (Buffer.isBuffer(held)) return held.toString('base64')
  if (held instanceof Date) return held.toISOString()
  return typeof held === 'number' && held === Number(read) ? read : held
}

it.each(cases(({ inside, as }) => [...inside.map((each) => [each, each]), ...as]))(
  '%s accepts and returns %s',
  async (name, _shown, pair) => {
    const [sent, read] = pair as readonly [unknown, unknown]
    const { status, body } = await post(name, sent)
    expect([status, body.errors]).toEqual([201, undefined])
    expect(body.data.attributes[name]).toEqual(read)
    expect((await dataAt(api, `/things/${body.data.id}`)).attributes[name]).toEqual(read)

    const updated = await api.add(Thing)
    await updateResource(api, 'things', updated, { [name]: sent }).expect(name.startsWith('transformed') ? 200 : 204)
    const things = api.dataSource.getRepository<Record<string, unknown>>(Thing)
    const held = (await things.findOneByOrFail({ id: Number(updated) }))[name]
    // Its notation differs: blanks at the end, and the digits of a second.
    if (!['char', 'fineTime'].includes(name)) expect(shown(held, read)).toEqual(read)
    const { id: saved } = await things.save({ [name]: held })
    // TypeORM loses the last digits.
    const isExact = !(DATABASE === 'sqlite' && name === 'bigint')
    if (isExact) expect((await dataAt(api, `/things/${saved}`)).attributes[name]).toEqual(read)

    if (UNCOMPARED.test(name) || String(read).length > 1000) return
    const literal = encodeURIComponent(String(read).replaceAll("'", "''"))
    const found = await api.get(
      `/things?filter=equals(${name},'${literal}')&page[size]=100&fields[things]=${isExact ? name : ''}`,
    )
    const ids = [body.data.id, updated, ...(isExact ? [saved] : [])]
    expect(resourceKeys(found)).toEqual(expect.arrayContaining(ids.map((id) => `things ${id}`)))
    if (isExact) expect(new Set(attributeValues(found, name))).toEqual(new Set([read]))
  },
)

it('compares all digits of decimals', async () => {
  const [less, more] = DATABASE === 'sqlite' ? ['1.12', '1.13'] : ['123456789012345678.12', '123456789012345678.13']
  for (const each of [less, more]) await post('longDecimal', each)
  for (const filter of [`any(longDecimal,'${less}','1')`, `lessThan(longDecimal,'${more}')`]) {
    const values = attributeValues(await api.get(`/things?filter=${filter}&page[size]=100`), 'longDecimal')
    expect([values.includes(less), values.includes(more)]).toEqual([true, false])
  }
})

it.each(cases(({ outside }) => outside))('%s refuses %s', async (name, _shown, value) => {
  expectError(await post(name, value), 422, `/data/attributes/${name}`, 'attribute.type')
})

it('accepts and returns null in every nullable column, and generates UUIDs', async () => {
  const attributes = Object.fromEntries(COLUMN_CASES.map(([name]) => [name, null]))
  const shown = { ...attributes, transformed: 'none' }
  const { status, body } = await createResource(api, 'things', attributes)
  expect([status, body.data.attributes]).toEqual([201, shown])
  const thing = await api.dataSource.getRepository(Thing).findOneByOrFail({ id: body.data.id })
  expect(thing).toMatchObject({ ...shown, token: expect.stringMatching(/^[\da-f-]{36}$/) })
  expect((await dataAt(api, `/things/${await api.add(Thing)}`)).attributes).toEqual(shown)
})
