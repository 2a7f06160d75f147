import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createJsonApi } from 'stemma'
import { crawl } from 'stemma/testing'
import { createToken } from '../authentication'
import { configuration } from '../configuration'
import { TenantDefinition } from '../rules/tenant-definition'
import { documentOf, LENA, LENA_OF_BROOKDALE, loanOf, reservationOf } from './samples'
import { type RunningApi, type Send, startApi } from './start-api'

interface Identifier {
  readonly type: string
  readonly id: string
}

/** The endpoints of some types are off, so that the response is 403. */
const REFUSED = [404, 403]
const HIERARCHY = ['books', 'magazines', 'audiobooks', 'films']
const TYPES = ['branches', 'authors', 'copies', 'members', 'loans', 'reservations', 'changes', 'items']

let api: RunningApi
let server: Server
/** Librarians of two tenants. */
let own: Send
let other: Send
/** Every resource of the other tenant. */
let foreign: readonly Identifier[]

beforeAll(async () => {
  api = await startApi()
  own = api.as(LENA)
  other = api.as(LENA_OF_BROOKDALE)
  for (const [send, copy, item, member] of [
    [own, '1', '1', '2'],
    [other, '13', '7', '5'],
  ] as const) {
    expect((await send('post', '/loans', loanOf(copy, member))).status).toBe(201)
    expect((await send('post', '/reservations', reservationOf(item, member))).status).toBe(201)
  }
  const lists = await Promise.all(TYPES.map((type) => other('get', `/${type}?page[size]=100`)))
  foreign = lists.flatMap(({ body }) => body.data)
  server = createServer(api.app).listen(0)
})
afterAll(async () => {
  server.close()
  await api.stop()
})

it('every type has a definition that hides the rows of other tenants', () => {
  const { definitions } = configuration(api.dataSource)
  expect(definitions.filter((definition) => !(definition instanceof TenantDefinition))).toEqual([])
  const { types } = createJsonApi(configuration(api.dataSource)).summary()
  expect(types.filter(({ definition }) => definition === undefined)).toEqual([])
})

it('no document shows a resource of another tenant, whatever it includes', async () => {
  const { port } = server.address() as AddressInfo
  const token = createToken(LENA)
  const seen = new Set<string>()
  const fetchAsLibrarian = async (url: string | URL | Request, options?: RequestInit) => {
    const response = await fetch(url, {
      ...options,
      headers: { ...options?.headers, Authorization: `Bearer ${token}` },
    })
    for (const [identifier] of (await response.clone().text()).matchAll(/"type":"[\w-]+","id":"\w+"/g))
      seen.add(identifier)
    return response
  }
  const includes = [
    'items?include=authors.items,copies.branch.copies,copies.loans.member',
    'members?include=reservations.item',
  ]
  const urls = [...TYPES, ...includes].map((path) => `http://localhost:${port}/api/${path}`)
  const { findings, isComplete } = await crawl(fetchAsLibrarian, urls)
  expect({ findings, isComplete }).toEqual({ findings: [], isComplete: true })
  // Both tenants have as many resources.
  expect(seen.size).toBe(foreign.length)
  expect(foreign.filter(({ type, id }) => seen.has(`"type":"${type}","id":"${id}"`))).toEqual([])
})

it('no resource of another tenant can be read or changed by its id', async () => {
  expect(foreign.length).toBeGreaterThan(20)
  for (const { type, id } of foreign) {
    const data = { type, id }
    const paths = HIERARCHY.includes(type) ? [`/${type}/${id}`, `/items/${id}`] : [`/${type}/${id}`]
    for (const path of paths) {
      expect((await own('get', path)).status).toBe(404)
      expect(REFUSED).toContain((await own('patch', path, { data })).status)
      expect(REFUSED).toContain((await own('delete', path)).status)
    }
    const operations = { 'atomic:operations': [{ op: 'update', data }] }
    expect(REFUSED).toContain((await own('post', '/operations', operations)).status)
  }
  const lists = await Promise.all(TYPES.map((type) => other('get', `/${type}?page[size]=100`)))
  expect(lists.flatMap(({ body }) => body.data)).toEqual(foreign)
})

it.each([
  ['post', '/copies', documentOf('copies', { barcode: 'x' }, { item: ['books', '7'], branch: ['branches', '1'] })],
  ['post', '/copies', documentOf('copies', { barcode: 'x' }, { item: ['books', '1'], branch: ['branches', '3'] })],
  ['patch', '/copies/1/relationships/branch', { data: { type: 'branches', id: '3' } }],
  ['post', '/items/1/relationships/authors', { data: [{ type: 'authors', id: '3' }] }],
  ['post', '/loans', loanOf('13', '2')],
  ['post', '/loans', loanOf('1', '5')],
  ['post', '/reservations', reservationOf('7', '2')],
  ['get', '/items/7/copies', undefined],
  ['get', '/printed/7/relationships/authors', undefined],
  ['get', '/members/5/loans', undefined],
] as const)('%s %s with an id of another tenant returns 404', async (method, path, document) => {
  expect((await own(method, path, document)).status).toBe(404)
})

it('tenants may use the same unique values', async () => {
  const branch = documentOf('branches', { name: 'Harbour' })
  expect((await own('post', '/branches', branch)).status).toBe(201)
  expect((await other('post', '/branches', branch)).status).toBe(201)
  expect((await own('post', '/branches', branch)).status).toBe(409)
})
