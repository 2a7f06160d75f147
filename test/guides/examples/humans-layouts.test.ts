import { createApp } from '../../../examples/humans/app'
import { Human } from '../../../examples/humans/human'
import { Man } from '../../../examples/humans/man'
import { Woman } from '../../../examples/humans/woman'
import { inheritanceStrategyOf } from '../../../src/store/typeorm/metadata/inheritance-strategy'
import { LAYOUTS, openDatabase, type TestDatabase } from '../../support/database'
import { seedFamily } from '../../support/family'
import { ApiRequest, JSON_API_MEDIA_TYPE } from '../../support/request'
import { serve, type TestServer } from '../../support/server'
import type { Layout } from '../../support/table-layout'

// The humans example returns byte-identical responses whatever mapping its hierarchy has.

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly status?: number
}

const { REQUESTS } = require('../../../scripts/example-requests') as { readonly REQUESTS: readonly Request[] }

interface Family {
  readonly tables: Layout
  readonly database: TestDatabase
  readonly server: TestServer
  /** The ETag and the next link of the previous response. */
  etag: string
  next: string
}

const families: Family[] = []

beforeAll(async () => {
  for (const tables of LAYOUTS) {
    const database = await openDatabase([Human, Man, Woman], tables)
    await seedFamily(database, tables)
    families.push({ tables, database, server: await serve(createApp(database.dataSource)), etag: '', next: '' })
  }
}, 60_000)

afterAll(async () => {
  for (const { server, database } of families) {
    await server.close()
    await database.close()
  }
})

async function responseTo(family: Family, { method, path, headers, body }: Request): Promise<string> {
  const sent = headers['if-match'] === 'last' ? { ...headers, 'if-match': family.etag } : headers
  const response = await new ApiRequest(family.server.url, method, path === 'next' ? family.next : path)
    .send(body)
    .set(sent)
  family.etag = response.headers.etag ?? ''
  family.next = response.body.links?.next ?? ''
  const shown = ['content-type', 'location', 'etag', 'content-length'].map((name) => response.headers[name])
  return [response.status, ...shown, response.text].join('\n').replaceAll(family.server.url, '')
}

const statuses = new Set<string>()

const get = (path: string): Request => ({
  method: 'GET',
  path,
  headers: { accept: JSON_API_MEDIA_TYPE },
  body: undefined,
})

const READS = [
  '/humans?fields[humans]=name,father&include=father',
  '/humans?fields[humans]=name&fields[women]=maidenName',
  '/women?fields[humans]=maidenName',
  '/humans?include=wife.children,husband.bestFriend&page[size]=100',
  '/humans?include=wife,husband&filter=has(children)',
  '/humans?sort=maidenName,wife.maidenName',
  '/humans?sort=hasBeard,husband.name,-id',
  '/humans?sort=-father.bestFriend.name,id',
  '/humans?filter=isType(father,men,has(children,isType(,women,not(equals(maidenName,null)))))',
  "/humans?filter=has(children,isType(,men,not(equals(hasBeard,'true'))))",
  "/humans?filter=isType(bestFriend,women,equals(maidenName,'Hill'))",
  "/men?filter=equals(wife.maidenName,'Fisher')",
  // A backslash: values of MariaDB are written in another way then.
  "/humans?filter=not(contains(bestFriend.name,'%5C'))",
  '/humans?page[size]=3,children:1&page[number]=2,children:2&include=children',
  '/humans/1/children?page[size]=1&page[number]=2',
  '/humans/2/children?include=father&fields[men]=hasBeard',
  '/women/2/children?filter=isType(,women)',
  '/humans/5/relationships/children?page[size]=1',
  '/humans/12/husband',
  '/humans/1/husband',
  '/men/1/relationships/husband',
  '/humans/2/wife?include=children',
].map(get)

const ALL = [...READS, ...REQUESTS]

it.each(ALL.map((request, index) => [index, request.method, request.path, request] as const))(
  'returns the same for every layout: %i: %s %s',
  async (_index, _method, _path, request) => {
    const [single, ...others] = await Promise.all(families.map((family) => responseTo(family, request)))
    if (request.status !== undefined) expect(single).toMatch(new RegExp(`^${request.status}\n`))
    expect(others).toEqual(LAYOUTS.slice(1).map(() => single))
    statuses.add(single?.slice(0, 3) ?? '')
  },
)

it('compared all layouts, with successes and errors', () => {
  const layouts = families.map(({ database: { dataSource } }) => inheritanceStrategyOf(dataSource.getMetadata(Man)))
  expect(layouts).toEqual(LAYOUTS)
  expect([...statuses].sort().join()).toBe('200,201,204,400,403,404,405,406,409,412,415,422')
})
