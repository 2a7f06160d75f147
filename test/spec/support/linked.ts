import { ref, refs, type TestApi } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { seedFamily } from '../../support/family'
import { startHumans } from '../../support/humans'
import {
  BicycleLight,
  Bike,
  Box,
  Car,
  ChromeWheel,
  Cylinder,
  DieselEngine,
  Feature,
  GasolineEngine,
  Manufacturer,
  NumberProperty,
  NumberValue,
  StringProperty,
  StringValue,
  startVehicles,
  Tandem,
  Truck,
} from '../../support/vehicles'

/** An API that is filled, and where to begin. */
export interface Linked {
  readonly url: string
  /** What links start with, if not with `url`: a proxy in front of it. */
  readonly base?: string
  readonly starts: readonly string[]
  /** What can be created, and where. */
  readonly creating: { readonly path: string; readonly data: object }
  close(): Promise<void>
}

const ODD = 'a/b?c#d[é]:\'"%+& '

export async function startHierarchy(): Promise<Linked> {
  const api = await startHumans()
  await seedFamily(api)
  const starts = ['/humans?page[size]=5&sort=-name', '/men?include=wife.children,father', '/women?fields[humans]=name']
  const data = { type: 'women', attributes: { name: 'Zoe', maidenName: 'Hill' } }
  return { ...api, starts, creating: { path: '/humans', data } }
}

async function stockBlogs(api: TestApi): Promise<void> {
  for (const id of ['red', ODD, 'ä€😀']) await api.add(Tag, { id })
  await api.add(Blog, { title: 'A' })
  await api.add(Blog, { title: 'B' })
  const tags = refs('red', ODD, 'ä€😀')
  for (const title of ['One', ODD, 'Three', 'Four', 'Five']) await api.add(Article, { title, blog: ref('1'), tags })
  for (const id of ['1', '2', '3']) await api.add(Revision, { article: ref(id === '3' ? '2' : '1') })
  await api.add(Comment, { id: '9007199254740993', article: ref('1') })
  await api.add(Comment, { id: '2', parent: ref('9007199254740993') })
}

export async function startPages(): Promise<Linked> {
  const api = await startBlogs({
    mountPath: '/api/v1',
    page: { size: 2 },
    describedBy: '/api/v1/blogs',
    clientIds: 'allowed',
  })
  await stockBlogs(api)
  const odd = encodeURIComponent(`or(equals(title,'${ODD.replace("'", "''")}'),has(tags))`)
  const starts = [
    '/blogs',
    '/articles?page[size]=3&include=tags,blog&sort=-title',
    `/articles?filter=${odd}&fields[articles]=title`,
    '/articles/1/relationships/tags?page[size]=1',
    '/tags',
    '/comments',
  ]
  const creating = { path: '/api/v1/tags', data: { type: 'tags', id: `${ODD}!` } }
  return { ...api, starts: starts.map((path) => `/api/v1${path}`), creating }
}

export async function startCursors(): Promise<Linked> {
  const api = await startBlogs({
    pagination: 'cursors',
    page: { size: 2 },
    includedPages: 'on',
    links: { base: 'request' },
  })
  await stockBlogs(api)
  const starts = ['/articles?sort=-views,title&page[size]=2', '/blogs?include=articles', '/tags?include=articles']
  return { ...api, starts, creating: { path: '/blogs', data: { type: 'blogs', attributes: { title: 'C' } } } }
}

export async function startHierarchies(): Promise<Linked> {
  const base = 'https://api.example.com/v2'
  const api = await startVehicles({ mountPath: '/inner', links: { base }, page: { size: 3 }, toOneLinkage: 'always' })
  await stockVehicles(api)
  const starts = [
    '/vehicles?include=manufacturer,wheels,engine',
    '/wheels',
    '/engines',
    '/genericProperties?include=value',
  ]
  const creating = { path: '/vehicles', data: { type: 'cars' } }
  return { ...api, base, starts: [...starts, '/vehicles?sort=-weight', '/features'], creating }
}

async function stockVehicles(api: TestApi): Promise<void> {
  await api.add(Manufacturer, { name: 'M' })
  await api.add(Box)
  for (const description of ['F', 'G']) await api.add(Feature, { description })
  const gasoline = await api.add(GasolineEngine)
  const diesel = await api.add(DieselEngine)
  for (const _ of [1, 2]) await api.add(Cylinder, { engine: ref(gasoline) })
  const bike = await api.add(Bike, { manufacturer: ref('1'), cargoBox: ref('1') })
  await api.add(Tandem, { foldingDimensions: ref('1'), tandemFeatures: refs('1') })
  const car = await api.add(Car, {
    manufacturer: ref('1'),
    engine: ref(gasoline),
    carFeatures: refs('1', '2'),
    weight: 7,
  })
  await api.add(Truck, { engine: ref(diesel), sleepingArea: ref('1') })
  for (const vehicle of [bike, bike, bike, bike, car]) await api.add(ChromeWheel, { vehicle: ref(vehicle) })
  await api.add(BicycleLight, { bike: ref(bike) })
  await api.add(NumberValue, { content: 1 })
  await api.add(StringValue, { content: 'a' })
  await api.add(NumberProperty, { name: 'n', feature: ref('1'), numberValue: ref('1') })
  await api.add(StringProperty, { name: 's', feature: ref('1'), stringValue: ref('1') })
}
