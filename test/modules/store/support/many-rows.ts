import { type ApiOptions, ref, type TestApi } from '../../../support/api'
import { Article, BLOGS, Blog, Comment, startBlogs, Tag } from '../../../support/blogs'
import { insertRows, linkRow } from '../../../support/rows'
import { startServer, type TestServer } from '../../../support/server'
import {
  Car,
  Cylinder,
  Feature,
  GasolineEngine,
  Manufacturer,
  startVehicles,
  Tandem,
  Truck,
} from '../../../support/vehicles'

const LARGE_PAGES: ApiOptions = { page: { maxSize: 1000 }, limits: { cost: null } }
const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index)

/** So many blogs, each with an article that has two tags, a comment and a reply to that. */
export async function startWithBlogs(count: number): Promise<TestApi> {
  const api = await startBlogs(LARGE_PAGES)
  const { dataSource } = api
  const ids = numbers(count)
  await insertRows(dataSource, Tag, [{ id: 'a' }, { id: 'b' }])
  const blogs = ids.map((id) => ({ id, title: `B${id}` }))
  await insertRows(dataSource, Blog, blogs)
  const articles = ids.map((id) => ({ id, title: `A${id}`, blog: ref(String(id)) }))
  await insertRows(dataSource, Article, articles)
  const comments = ids.map((id) => ({ id: String(id), article: ref(String(id)) }))
  await insertRows(dataSource, Comment, comments)
  const replies = ids.map((id) => ({ id: String(count + id), parent: ref(String(id)) }))
  await insertRows(dataSource, Comment, replies)
  for (const id of ids) await linkRow(dataSource, [Article, id], 'tags', ['a', 'b'])
  return api
}

export function serveBlogs(api: TestApi, definitions: ApiOptions['definitions'] = []): Promise<TestServer> {
  return startServer({ ...LARGE_PAGES, dataSource: api.dataSource, resources: BLOGS, definitions })
}

/** So many tandems, cars and trucks, each with a feature, the cars and trucks with an engine that has a cylinder; first one of each. */
export async function startWithVehicles(ofEach: number): Promise<TestApi> {
  const api = await startVehicles(LARGE_PAGES)
  const { dataSource } = api
  const engines = numbers(3 * ofEach).map((id) => ({ id }))
  await insertRows(dataSource, Manufacturer, [{ id: 1, name: 'M' }])
  await insertRows(dataSource, Feature, [{ id: 1, description: 'F' }])
  await insertRows(dataSource, GasolineEngine, engines)
  const cylinders = engines.map(({ id }) => ({ id, engine: ref(String(id)) }))
  await insertRows(dataSource, Cylinder, cylinders)
  await addVehicles(api, 1, 1)
  if (ofEach > 1) await addVehicles(api, 4, ofEach - 1)
  return api
}

/** Type by type, since some databases number rows in the order of insertion. */
async function addVehicles({ dataSource }: TestApi, first: number, ofEach: number): Promise<void> {
  const types = [
    [Tandem, 'tandemFeatures'],
    [Car, 'carFeatures'],
    [Truck, 'truckFeatures'],
  ] as const
  for (const [index, [type, features]] of types.entries()) {
    const ids = numbers(ofEach, first + index * ofEach)
    const rows = ids.map((id) => ({ id, manufacturer: ref('1'), ...(type !== Tandem && { engine: ref(String(id)) }) }))
    await insertRows(dataSource, type, rows)
    for (const id of ids) await linkRow(dataSource, [type, id], features, [1])
  }
}
