import { Attribute, createJsonApi, Resource, ToMany, ToOne } from 'stemma'
import { Column, type DataSource, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, type TestDatabase } from '../../support/database'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'

// On PostgreSQL statements are prepared under names.

@Resource('hooks')
@Entity('hook')
class Hook {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) place: string
  @ToMany() @OneToMany('Coat', 'hook') coats: Coat[]
}

@Resource('coats')
@Entity('coat')
class Coat {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) size: number
  @ToOne() @ManyToOne('Hook', 'coats', { nullable: true }) hook: Hook | null
}

const RESOURCES = [Hook, Coat]

let database: TestDatabase
let dataSource: DataSource
let server: TestServer

beforeAll(async () => {
  database = await openDatabase(RESOURCES)
})
afterAll(() => database.close())

/** A pool of one connection, which the test can inspect. */
async function begin(options: Partial<ServerOptions> = {}, more: object = {}): Promise<void> {
  const { extra } = database.place as { readonly extra?: object }
  const place = { ...database.place, poolSize: 1, extra: { ...extra, ...more } }
  dataSource = await createDataSource(place, RESOURCES).initialize()
  server = await startServer({ dataSource, resources: RESOURCES, ...options })
}
afterEach(async () => {
  await server?.close()
  if (dataSource?.isInitialized) await dataSource.destroy()
})

interface Prepared {
  readonly name: string
  readonly statement: string
}

const prepared = (): Promise<Prepared[]> => dataSource.query('select name, statement from pg_prepared_statements')
const namesOf = async () => (await prepared()).map(({ name }) => name).sort()

async function addCoat(): Promise<string> {
  const { manager } = dataSource
  const hook = await manager.save(Hook, { place: 'hall' } as Hook)
  const coat = await manager.save(Coat, { size: 40, hook } as Coat)
  return String(coat.id)
}

const resized = (id: string, size: number) => ({ data: { type: 'coats', id, attributes: { size } } })

const onPostgres = DATABASE === 'postgres' ? describe : describe.skip

onPostgres('named statements', () => {
  it('prepare each text once, for reads and writes', async () => {
    await begin()
    const id = await addCoat()
    for (const size of [41, 42, 43]) {
      expect((await server.get(`/coats/${id}?include=hook`)).body.included).toHaveLength(1)
      await server.patch(`/coats/${id}`).send(resized(id, size)).expect(204)
    }
    const statements = await prepared()
    expect(statements.length).toBeGreaterThanOrEqual(4)
    expect(statements.filter(({ name }) => !/^stemma_[\da-f]{40}$/.test(name))).toEqual([])
    expect(statements.some(({ statement }) => /^select .*"size".* from .*"coat"/.test(statement))).toBe(true)
    expect(statements.some(({ statement }) => /^update .*"coat"/i.test(statement))).toBe(true)
  })

  it('have the same names on every connection', async () => {
    await begin()
    await server.get('/coats')
    const names = await namesOf()
    await dataSource.destroy()
    await server.close()
    await begin()
    await server.get('/coats')
    expect(await namesOf()).toEqual(names)
  })

  it('are off with preparedStatements: off', async () => {
    await begin({ preparedStatements: 'off' })
    const id = await addCoat()
    expect((await server.get(`/coats/${id}`)).body.data.attributes).toEqual({ size: 40 })
    await server.patch(`/coats/${id}`).send(resized(id, 41)).expect(204)
    expect(await prepared()).toEqual([])
  })

  it('are off in the pipeline mode of pg', async () => {
    await begin({}, { pipeline: true })
    await server.get('/coats').expect(200)
    expect(await prepared()).toEqual([])
  })

  it('are evicted when there are too many, the least recently used first', async () => {
    await begin()
    const id = await addCoat()
    await server.get(`/coats/${id}`)
    const [{ name } = { name: '' }] = await prepared()
    for (const { path, isTenth } of unlike(600)) {
      await server.get(path).expect(200)
      if (isTenth) await server.get(`/coats/${id}`).expect(200)
    }
    const names = await namesOf()
    expect(names.length).toBeGreaterThan(450)
    expect(names.length).toBeLessThanOrEqual(550)
    expect(names).toContain(name)
  })

  it('stay prepared when they are used again', async () => {
    await begin()
    const id = await addCoat()
    await server.get(`/coats/${id}`)
    await server.get(`/coats/${id}`)
    const [{ name } = { name: '' }] = await prepared()
    for (const { path } of unlike(600)) await server.get(path).expect(200)
    expect(await namesOf()).toContain(name)
  })
})

/** Requests with different statements. (`size,id` would be the order by `size`.) */
function unlike(count: number) {
  const keys = [
    ...['size', 'id', 'hook.place', 'hook.id', '-size', '-id', '-hook.place', '-hook.id', 'size,-id', '-size,-id'],
  ]
  return Array.from({ length: count }, (_, number) => {
    const terms = Array.from({ length: Math.floor(number / keys.length) + 1 }, (_, each) => `equals(size,'${each}')`)
    const filter = terms.length === 1 ? terms[0] : `or(${terms.join(',')})`
    const place = number % keys.length
    return { path: `/coats?filter=${filter}&sort=${keys[place]}&page[size]=1`, isTenth: place === 0 }
  })
}

onPostgres('named statements still run', () => {
  /** Compares responses before and after, when all statements are prepared. */
  async function afterwards(meanwhile: () => Promise<unknown>): Promise<void> {
    await begin()
    const id = await addCoat()
    const read = () => server.get(`/coats/${id}?include=hook`)
    const { text } = await read()
    await server.patch(`/coats/${id}`).send(resized(id, 40)).expect(204)
    await meanwhile()
    expect(await read()).toMatchObject({ status: 200, text })
    await meanwhile()
    expect(await server.patch(`/coats/${id}`).send(resized(id, 44))).toMatchObject({ status: 204 })
    expect((await server.get(`/coats/${id}`)).body.data.attributes).toEqual({ size: 44 })
  }

  it('after the type of a column has changed', async () => {
    const types = ['bigint', 'smallint']
    await afterwards(() => dataSource.query(`alter table ${path('coat')} alter column size type ${types.shift()}`))
    expect((await namesOf()).length).toBeGreaterThan(0)
    await dataSource.query(`alter table ${path('coat')} alter column size type int`)
  })

  it('unnamed after deallocate all', async () => {
    await afterwards(() => dataSource.query('deallocate all'))
    expect(await prepared()).toEqual([])
  })

  it('when another statement has the same name', async () => {
    await begin()
    const id = await addCoat()
    await server.get(`/coats/${id}`)
    const taken = await namesOf()
    await dataSource.destroy()
    await server.close()
    await begin()
    for (const name of taken) await dataSource.query(`prepare ${name} as select 1`)
    expect((await server.get(`/coats/${id}`)).body.data.attributes).toEqual({ size: 40 })
  })
})

function path(table: string): string {
  return dataSource.getMetadata(table === 'coat' ? Coat : Hook).tablePath
}

it('refuses an unknown value of preparedStatements', async () => {
  await begin()
  const options = { dataSource, resources: RESOURCES, preparedStatements: 'sometimes' as 'on' }
  expect(() => createJsonApi(options)).toThrow("its preparedStatements is 'sometimes'. Give one of 'on', 'off'.")
})
