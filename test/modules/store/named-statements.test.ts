import { setUp } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import type { ServerOptions } from '../../support/server'
import { type OwnServer, startOwnServer } from '../../support/with-server'
import { Jar, SHELVES, Shelf } from './support/shelves'

// On PostgreSQL statements are prepared under names.

const database = setUp(() => openDatabase(SHELVES))
let server: OwnServer

/** A pool of one connection, which the test can inspect. */
async function begin(options: Partial<ServerOptions> = {}, more: object = {}): Promise<void> {
  const { extra } = database.connection as { readonly extra?: object }
  const own = { poolSize: 1, extra: { ...extra, ...more } }
  server = await startOwnServer(database, SHELVES, own, { resources: SHELVES, ...options })
}
afterEach(() => server?.close())

type Prepared = Readonly<{ name: string; statement: string }>

const prepared = (): Promise<Prepared[]> =>
  server.dataSource.query('select name, statement from pg_prepared_statements')
const namesOf = async () => (await prepared()).map(({ name }) => name).sort()
let count = 0
async function addJar(): Promise<string> {
  const { manager } = server.dataSource
  count += 1
  const shelf = await manager.save(Shelf, { name: `shelf ${count}` } as Shelf)
  const jar = await manager.save(Jar, { size: 40, shelf } as Jar)
  return String(jar.id)
}

const resized = (id: string, size: number) => ({ data: { type: 'jars', id, attributes: { size } } })

// Skipped on other databases: only the driver `pg` names prepared statements.
const onPostgres = DATABASE === 'postgres' ? describe : describe.skip

onPostgres('named statements', () => {
  it('prepare each text once, for reads and writes', async () => {
    await begin()
    const id = await addJar()
    for (const size of [41, 42, 43]) {
      expect((await server.get(`/jars/${id}?include=shelf`)).body.included).toHaveLength(1)
      await server.patch(`/jars/${id}`).send(resized(id, size)).expect(204)
    }
    const statements = await prepared()
    expect(statements.length).toBeGreaterThanOrEqual(4)
    expect(statements.filter(({ name }) => !/^stemma_[\da-f]{40}$/.test(name))).toEqual([])
    expect(statements.some(({ statement }) => /^select .*"size".* from .*"jar"/.test(statement))).toBe(true)
    expect(statements.some(({ statement }) => /^update .*"jar"/i.test(statement))).toBe(true)
  })

  it('have the same names on every connection', async () => {
    await begin()
    await server.get('/jars')
    const names = await namesOf()
    await server.close()
    await begin()
    await server.get('/jars')
    expect(await namesOf()).toEqual(names)
  })

  it('are off with preparedStatements: off', async () => {
    await begin({ preparedStatements: false })
    const id = await addJar()
    expect((await server.get(`/jars/${id}`)).body.data.attributes).toMatchObject({ size: 40 })
    await server.patch(`/jars/${id}`).send(resized(id, 41)).expect(204)
    expect(await prepared()).toEqual([])
  })

  it('are off in the pipeline mode of pg', async () => {
    await begin({}, { pipeline: true })
    await server.get('/jars').expect(200)
    expect(await prepared()).toEqual([])
  })

  it('are evicted when there are too many, names that were used again last', async () => {
    await begin()
    const id = await addJar()
    await server.get(`/jars/${id}`)
    await server.get(`/jars/${id}`)
    const [{ name } = { name: '' }] = await prepared()
    for (const path of unlike(600)) await server.get(path).expect(200)
    const names = await namesOf()
    expect(names.length).toBeGreaterThan(450)
    expect(names.length).toBeLessThanOrEqual(550)
    expect(names).toContain(name)
  })
})

/** Requests with different statements. (`size,id` would be the order by `size`.) */
function unlike(count: number) {
  const keys = [
    ...['size', 'id', 'shelf.name', 'shelf.id', '-size', '-id', '-shelf.name', '-shelf.id', 'size,-id', '-size,-id'],
  ]
  return Array.from({ length: count }, (_, number) => {
    const terms = Array.from({ length: Math.floor(number / keys.length) + 1 }, (_, each) => `equals(size,'${each}')`)
    const filter = terms.length === 1 ? terms[0] : `or(${terms.join(',')})`
    return `/jars?filter=${filter}&sort=${keys[number % keys.length]}&page[size]=1`
  })
}

onPostgres('a named statement', () => {
  /** Compares responses before and after, when all statements are prepared. */
  async function afterwards(meanwhile: () => Promise<unknown>): Promise<void> {
    await begin()
    const id = await addJar()
    const read = () => server.get(`/jars/${id}?include=shelf`)
    const { text } = await read()
    await server.patch(`/jars/${id}`).send(resized(id, 40)).expect(204)
    await meanwhile()
    expect(await read()).toMatchObject({ status: 200, text })
    await meanwhile()
    expect(await server.patch(`/jars/${id}`).send(resized(id, 44))).toMatchObject({ status: 204 })
    expect((await server.get(`/jars/${id}`)).body.data.attributes).toMatchObject({ size: 44 })
  }

  it('still runs after the type of a column has changed', async () => {
    const types = ['bigint', 'smallint']
    await afterwards(() => server.dataSource.query(`alter table ${path()} alter column size type ${types.shift()}`))
    expect((await namesOf()).length).toBeGreaterThan(0)
    await server.dataSource.query(`alter table ${path()} alter column size type int`)
  })

  it('runs unnamed after deallocate all', async () => {
    await afterwards(() => server.dataSource.query('deallocate all'))
    expect(await prepared()).toEqual([])
  })

  it('still runs when another statement has the same name', async () => {
    await begin()
    const id = await addJar()
    await server.get(`/jars/${id}`)
    const taken = await namesOf()
    await server.close()
    await begin()
    for (const name of taken) await server.dataSource.query(`prepare ${name} as select 1`)
    expect((await server.get(`/jars/${id}`)).body.data.attributes).toMatchObject({ size: 40 })
  })
})

function path(): string {
  return server.dataSource.getMetadata(Jar).tablePath
}
