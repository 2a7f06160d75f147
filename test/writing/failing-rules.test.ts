import { Attribute, entityManagerOf, Resource, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import type { Response } from 'supertest'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../support/data-source'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../support/database'
import { startServer, type TestServer } from '../support/server'

// Rules that fail, each at another step. Where there is a pool, it has one connection: it has to come back.

@Resource('steps')
@Entity()
class Step {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
}

/** Which of the rules fails. */
let failing = ''

function failAt(step: string): void {
  if (failing === step) throw new Error(`${step} is broken.`)
}

class Failing extends ResourceDefinition<Step> {
  readonly resource = Step

  override filter() {
    failAt('filter')
    return undefined
  }

  override async prepareWrite() {
    failAt('prepareWrite')
    return undefined
  }

  override async beforeWrite(write: ResourceWrite<Step>) {
    await entityManagerOf(write).insert(Step, { name: 'beside' })
    failAt('beforeWrite')
    return undefined
  }

  override async afterWrite(write: ResourceWrite<Step>) {
    await entityManagerOf(write).insert(Step, { name: 'behind' })
    failAt('afterWrite')
  }

  override async afterCommit() {
    failAt('afterCommit')
  }

  override serialize(_record: StoredRecord<Step>) {
    failAt('serialize')
    return undefined
  }

  override meta() {
    failAt('meta of a record')
    return undefined
  }
}

let database: TestDatabase
let dataSource: DataSource
let server: TestServer
const reported: string[] = []

beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile([Step]) : openDatabase([Step]))
  dataSource = await createDataSource({ ...database.place, poolSize: 1 }, [Step]).initialize()
  server = await startServer({
    dataSource,
    resources: [Step],
    definitions: [new Failing()],
    context: () => failAt('context'),
    meta: () => {
      failAt('meta')
      return undefined
    },
    report: (error) => reported.push((error as Error).message),
  })
})
afterAll(async () => {
  await server.close()
  await dataSource.destroy()
  await database.close()
})
beforeEach(async () => {
  failing = ''
  await database.dataSource.getRepository(Step).clear()
  reported.length = 0
})

const names = async () => (await database.dataSource.getRepository(Step).find()).map(({ name }) => name).sort()
const post = () => server.post('/steps').send({ data: { type: 'steps', attributes: { name: 'itself' } } })
const brief = ({ status, body }: Response) => (status < 300 ? `${status}` : `${status} ${body.errors[0].code}`)
const WHOLE = ['behind', 'beside', 'itself']

describe('a write', () => {
  it.each(['context', 'filter', 'prepareWrite', 'beforeWrite', 'afterWrite', 'serialize', 'meta of a record'])(
    'of which %s fails is undone, told of once, and nobody else notices',
    async (step) => {
      failing = step
      expect(brief(await post())).toBe('500 server.error')
      expect(reported).toEqual([`${step} is broken.`])
      failing = ''
      expect(await names()).toEqual([])
      expect(brief(await post())).toBe('201')
      expect(await names()).toEqual(WHOLE)
    },
  )

  it('of which afterCommit fails is kept, and told of', async () => {
    failing = 'afterCommit'
    expect(brief(await post())).toBe('201')
    expect(reported).toEqual(['afterCommit is broken.'])
    expect(await names()).toEqual(WHOLE)
  })
})

it.each(['context', 'filter', 'serialize', 'meta of a record', 'meta'])(
  'a read of which %s fails is told of once, and the next one is answered',
  async (step) => {
    await post()
    failing = step
    expect(brief(await server.get('/steps'))).toBe('500 server.error')
    expect(new Set(reported)).toEqual(new Set([`${step} is broken.`]))
    failing = ''
    expect(brief(await server.get('/steps'))).toBe('200')
  },
)
