import fc from 'fast-check'
import { ref, setUp } from '../../support/api'
import { DATABASE } from '../../support/database'
import { fetchPage, followPages } from '../../support/follow-pages'
import { FUNCTIONS } from '../../support/functions'
import { tableWith } from '../../support/row-tables'
import { deleteRows, updateRows } from '../../support/rows'
import { Book, Film, Maker, startShelves, Thing } from '../../support/shelves'

// Sorts random rows by random keys: following the links returns the same rows as an evaluation in memory.
const api = setUp(() => startShelves({ functions: FUNCTIONS }))
const makers = new Map<string, string | null>()
beforeAll(async () => {
  for (const name of ['a', 'b', 'b', null]) makers.set(await api.add(Maker, { name }), name)
})

/** In the order of the declaration. */
const BINDINGS = ['sewn', 'glued', 'loose']
const few = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const thing = fc.record({
  isBook: fc.boolean(),
  name: few('a', 'b', 'ba', 'c'),
  rank: few(0, 1, -2),
  grade: few(null, 1, 2),
  bytes: few(null, '9007199254740993', '9007199254740992', '-9223372036854775808'),
  price: few(null, '0.1000', '-3.5000', '1000000000.0001', '1000000000.0002'),
  weight: few(null, 0.1, 0.30000000000000004, 0.3, 1e21, -1e-9),
  ratio: few(null, 0.1, 0.2, -0.7),
  isNew: few(null, true, false),
  madeAt: few(null, '2024-02-29T12:30:00.000Z', '2024-02-29T12:30:00.001Z', '1999-12-31T23:59:59.999Z'),
  soldOn: few(null, '2024-02-29', '2024-03-01'),
  opensAt: few(null, '08:00:00', '23:59:59'),
  state: few(null, 'bad', 'good', 'poor'),
  pages: few(null, 1, 2),
  binding: few(null, ...BINDINGS),
  minutes: few(80, 90),
  maker: few<number | null>(null, 0, 1, 2, 3),
})
type Values = typeof thing extends fc.Arbitrary<infer Value> ? Value : never
type Stored = Values & Readonly<{ id: string }>

type Read = (row: Stored, all: readonly Stored[]) => string | number | bigint | boolean | null
const UNCHANGED = ['name', 'rank', 'grade', 'weight', 'ratio', 'isNew', 'madeAt', 'soldOn', 'opensAt', 'state'] as const
const KEYS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(UNCHANGED.map((name) => [name, (row: Stored) => row[name]])),
  bytes: ({ bytes }) => (bytes === null ? null : BigInt(bytes)),
  price: ({ price }) => (price === null ? null : Number(price)),
  pages: ({ isBook, pages }) => (isBook ? pages : null),
  minutes: ({ isBook, minutes }) => (isBook ? null : minutes),
  binding: ({ isBook, binding }) => (isBook && binding !== null ? BINDINGS.indexOf(binding) : null),
  'length(name)': ({ name }) => name.length,
  'half(weight)': ({ weight }) => (weight === null ? null : weight / 2),
  'upper(maker.name)': ({ maker }) => (maker === null ? null : ([...makers.values()][maker]?.toUpperCase() ?? null)),
  'maker.name': ({ maker }) => (maker === null ? null : ([...makers.values()][maker] ?? null)),
  'count(parts)': ({ id }, all) => (all[0]?.id === id ? all.length - 1 : 0),
  id: ({ id }) => Number(id),
}

const key = fc.record({ name: few(...Object.keys(KEYS)), sign: few(1, -1) })
type Key = typeof key extends fc.Arbitrary<infer Value> ? Value : never

function compare(keys: readonly Key[], all: readonly Stored[]) {
  return (one: Stored, other: Stored): number => {
    for (const { name, sign } of [...keys, { name: 'id', sign: keys.at(-1)?.sign ?? 1 }]) {
      const [left, right] = [one, other].map((row) => KEYS[name]?.(row, all) ?? null)
      if (left === right) continue
      if (left === null || left === undefined) return 1
      if (right === null || right === undefined) return -1
      return (left < right ? -1 : 1) * sign
    }
    return 0
  }
}

/** Stores a thing. The first thing is the `whole` of all others. */
async function store({ isBook, pages, binding, minutes, maker, madeAt, ...shared }: Values, whole?: string) {
  const values = {
    ...shared,
    madeAt: madeAt === null ? null : new Date(madeAt),
    maker: maker === null ? null : ref([...makers.keys()][maker] ?? ''),
    whole: whole === undefined ? null : ref(whole),
  }
  const [into, own] = isBook ? [Book, { pages, binding }] : [Film, { minutes }]
  return api.add(into, { ...values, ...own })
}

async function storeAll(things: readonly Values[]): Promise<readonly Stored[]> {
  const rows: Stored[] = []
  for (const each of things) rows.push({ ...each, id: await store(each, rows[0]?.id) })
  return rows
}

async function clear(): Promise<void> {
  await updateRows(api.dataSource, [Thing], { whole: null })
  await deleteRows(api.dataSource, Thing)
}

const keyOf = ({ isBook, id }: Stored): string => `${isBook ? 'books' : 'films'} ${id}`
const sortOf = (keys: readonly Key[]): string => keys.map(({ name, sign }) => (sign < 0 ? `-${name}` : name)).join(',')
const things = fc.array(thing, { minLength: 1, maxLength: 12 })
const sorts = fc.uniqueArray(key, { minLength: 1, maxLength: 3, selector: ({ name }) => name })

it('CP-2, CP-32 returns each row once and in order, by next and by prev', async () => {
  const property = fc.asyncProperty(things, sorts, fc.integer({ min: 1, max: 5 }), async (values, keys, size) => {
    await clear()
    const rows = await storeAll(values)
    const expected = rows.toSorted(compare(keys, rows)).map(keyOf)
    const start = `/things?sort=${sortOf(keys)}&page[size]=${size}`
    const forwards = await followPages(api, start, 'next')
    expect({ start, order: forwards.flat() }).toEqual({ start, order: expected })
    expect(forwards.slice(0, -1).every(({ length }) => length === size)).toBe(true)
    const { last } = (await fetchPage(api, start)).body.links
    const backwards = await followPages(api, last, 'prev')
    expect({ start, order: backwards.toReversed().flat() }).toEqual({ start, order: expected })
  })
  await fc.assert(property, { numRuns: 30 })
}, 120_000)

it('CP-6 neither skips nor repeats rows if others are added and deleted between pages', async () => {
  const changes = fc.array(fc.record({ added: thing, removed: fc.nat() }), { minLength: 1, maxLength: 6 })
  const property = fc.asyncProperty(things, sorts, changes, async (values, keys, planned) => {
    await clear()
    const rows = await storeAll(values)
    fc.pre(keys.every(({ name }) => name !== 'count(parts)'))
    const visited: string[] = []
    const deleted = new Set<string>()
    const remainingChanges = [...planned]
    await followPages(api, `/things?sort=${sortOf(keys)}&page[size]=2`, 'next', async (page) => {
      visited.push(...page)
      const change = remainingChanges.pop()
      if (change === undefined) return
      await store(change.added)
      const removed = rows[change.removed % rows.length]
      if (removed === undefined || removed === rows[0] || deleted.has(keyOf(removed))) return
      deleted.add(keyOf(removed))
      await deleteRows(api.dataSource, Thing, removed.id)
    })
    expect(new Set(visited).size).toBe(visited.length)
    const expected = rows.toSorted(compare(keys, rows)).map(keyOf)
    const old = visited.filter((each) => expected.includes(each))
    expect(old.filter((each) => !deleted.has(each))).toEqual(expected.filter((each) => !deleted.has(each)))
  })
  await fc.assert(property, { numRuns: 15 })
}, 120_000)

it('keeps all digits of times that the database generates', async () => {
  await clear()
  const { dataSource } = api
  const isText = dataSource.options.type === 'better-sqlite3'
  const table = tableWith(dataSource, Film, 'addedAt')
  const column = dataSource.driver.escape('addedAt')
  const times = isText
    ? ['2024-01-01 10:00:00', '2024-01-01 10:00:00.000', '2024-01-01 10:00:00.5', '2024-01-01 10:00:01']
    : ['2024-01-01 10:00:00.123451', '2024-01-01 10:00:00.123452', '2024-01-01 10:00:00.123999', '2024-01-01 10:00:01']
  const ids: string[] = []
  for (const each of [...times, ...times]) {
    const id = await api.add(Film, { name: 'f' })
    ids.push(`films ${id}`)
    await dataSource.query(`update ${table} set ${column} = '${each}' where id = ${id}`)
  }
  const expected = [0, 4, 1, 5, 2, 6, 3, 7].map((index) => ids[index])
  expect((await followPages(api, '/things?sort=addedAt&page[size]=1', 'next')).flat()).toEqual(expected)
  const descending = [7, 3, 6, 2, 5, 1, 4, 0].map((index) => ids[index])
  expect((await followPages(api, '/things?sort=-addedAt&page[size]=3', 'next')).flat()).toEqual(descending)
})

it('compares text in the sort order of the database', async () => {
  await clear()
  const texts = [
    ...['a', 'A', 'ä', 'Ä', 'B', 'b', 'a ', "o'Hara", 'ß', 'ss', '💧', '', ' ', 'z', 'É', 'é', '\\', '%', '日本'],
  ]
  for (const name of [...texts, ...texts]) await api.add(Book, { name })
  for (const sort of ['name', '-name', '-name,grade']) {
    const [all = []] = await followPages(api, `/things?sort=${sort}&page[size]=100`, 'next')
    expect(all).toHaveLength(texts.length * 2)
    expect((await followPages(api, `/things?sort=${sort}&page[size]=7`, 'next')).flat()).toEqual(all)
    const { last } = (await fetchPage(api, `/things?sort=${sort}&page[size]=9`)).body.links
    expect((await followPages(api, last, 'prev')).toReversed().flat()).toEqual(all)
  }
})

describe('statements', () => {
  // Database servers use another plan for few rows than for many: docs/internals/decisions/009-pagination-and-linkage.md has the figures.
  const onSqlite = DATABASE === 'sqlite' ? it : it.skip

  onSqlite.each(['id', '-id', 'name', '-name'])('find a page by %s in an index', async (sort) => {
    await api.dataSource.query('create index if not exists by_name on makers (name)')
    const { links } = (await fetchPage(api, `/makers?sort=${sort}&page[size]=1`)).body
    for (const path of [links.first, links.next, links.last]) {
      const statements = await api.statementsOf(() => fetchPage(api, path))
      const rows = statements.filter((each) => each.includes('order by'))
      const details = await planOf(rows[0] ?? '')
      // `SCAN t0` reads in the order of the key. Merging the rows of two ranges may need a sort.
      const found = details.findIndex((each) => / t0( |$)/.test(each))
      expect(details[found]).toMatch(
        sort.endsWith('id') ? /PRIMARY KEY|^SCAN t0$/ : /^SEARCH t0 USING COVERING INDEX by_name/,
      )
      expect(details[found + 1] ?? '').not.toMatch(/TEMP B-TREE/)
    }
  })

  async function planOf(sql: string): Promise<readonly string[]> {
    const values = [...sql.matchAll(/\?/g)].map(() => 1)
    const lines: readonly { detail: string }[] = await api.dataSource.query(`explain query plan ${sql}`, values)
    return lines.map(({ detail }) => detail)
  }

  it('use no offset, and have the same number on every page', async () => {
    await clear()
    for (let each = 0; each < 12; each += 1) await api.add(Book, { name: `n${each}`, grade: each % 3 })
    const statements: (readonly string[])[] = []
    for (let path: string | null = '/things?sort=-maker.name,grade&page[size]=3'; path !== null; ) {
      const current: string = path
      const run = await api.statementsOf(async () => {
        path = (await fetchPage(api, current)).body.links.next
      })
      statements.push(run)
    }
    expect(statements.map(({ length }) => length)).toEqual([2, 2, 2, 2])
    expect(statements.flat().filter((each) => /\boffset\b/i.test(each))).toEqual([])
  })
})
