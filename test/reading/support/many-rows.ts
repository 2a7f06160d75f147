import type { ResourceClass } from 'stemma'
import { type ApiOptions, ref, type TestApi } from '../../support/api'
import { Article, BLOGS, Blog, Comment, startBlogs, Tag } from '../../support/blogs'
import { insertRows, linkRow } from '../../support/rows'
import { startServer, type TestServer } from '../../support/server'
import {
  Car,
  Cylinder,
  Feature,
  GasolineEngine,
  Manufacturer,
  startVehicles,
  Tandem,
  Truck,
} from '../../support/vehicles'

/** As much as the rows that there are. */
const LARGE_PAGES: ApiOptions = { page: { maximumSize: 1000 }, limits: { cost: null } }

/** So many blogs, each with an article that has two tags, a comment and a reply to that. */
export async function startWithBlogs(blogs: number): Promise<TestApi> {
  const api = await startBlogs(LARGE_PAGES)
  const numbers = upTo(blogs)
  await insert(api, Tag, [{ id: 'a' }, { id: 'b' }])
  await insert(
    api,
    Blog,
    numbers.map((id) => ({ id, title: `B${id}` })),
  )
  await insert(
    api,
    Article,
    numbers.map((id) => ({ id, title: `A${id}`, blog: ref(String(id)) })),
  )
  await insert(
    api,
    Comment,
    numbers.map((id) => ({ id: String(id), article: ref(String(id)) })),
  )
  await insert(
    api,
    Comment,
    numbers.map((id) => ({ id: String(blogs + id), parent: ref(String(id)) })),
  )
  await pair(api, Article, 'tags', numbers, ['a', 'b'])
  return api
}

/** The same rows under rules. */
export function serveBlogs(api: TestApi, definitions: ApiOptions['definitions'] = []): Promise<TestServer> {
  return startServer({ ...LARGE_PAGES, dataSource: api.dataSource, resources: BLOGS, definitions })
}

/** So many tandems, cars and trucks, each with a feature, the cars and trucks with an engine that has a cylinder; first one of each. */
export async function startWithVehicles(ofEach: number): Promise<TestApi> {
  const api = await startVehicles(LARGE_PAGES)
  const engines = upTo(3 * ofEach)
  await insert(api, Manufacturer, [{ id: 1, name: 'M' }])
  await insert(api, Feature, [{ id: 1, description: 'F' }])
  await insert(
    api,
    GasolineEngine,
    engines.map((id) => ({ id })),
  )
  await insert(
    api,
    Cylinder,
    engines.map((id) => ({ id, engine: ref(String(id)) })),
  )
  await addVehicles(api, 1, 1)
  if (ofEach > 1) await addVehicles(api, 4, ofEach - 1)
  return api
}

/** From an id on, type by type: some databases give ids in the order of the rows, whatever they are told. */
async function addVehicles(api: TestApi, first: number, ofEach: number): Promise<void> {
  const parts = [
    [Tandem, 'tandemFeatures'],
    [Car, 'carFeatures'],
    [Truck, 'truckFeatures'],
  ] as const
  for (const [index, [type, features]] of parts.entries()) {
    const ids = upTo(ofEach).map((each) => first - 1 + index * ofEach + each)
    const rows = ids.map((id) => ({ id, manufacturer: ref('1'), ...(type !== Tandem && { engine: ref(String(id)) }) }))
    await insert(api, type, rows)
    await pair(api, type, features, ids, [1])
  }
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

async function insert({ dataSource }: TestApi, type: ResourceClass, rows: readonly object[]): Promise<void> {
  await insertRows(dataSource, type, rows)
}

/** Every left with every right. */
async function pair(
  { dataSource }: TestApi,
  type: ResourceClass,
  relationship: string,
  lefts: readonly number[],
  rights: readonly unknown[],
): Promise<void> {
  for (const left of lefts) await linkRow(dataSource, [type, left], relationship, rights)
}
