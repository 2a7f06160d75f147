import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { equals, not } from 'stemma'
import {
  type Client,
  type ClientOptions,
  createClient,
  type FilterExpression,
  getEtag,
  JsonApiRequestError,
  type QueriedType,
  rawFilter,
  UnreadableWriteResultError,
} from 'stemma/client'
import { define, setUp, useApi } from '../../support/api'
import { Human, type HumansApi, Man, startHumans } from '../../support/humans'
import { checkedFetch } from '../../support/lint'
import { type Family, familyAt } from './support/family'

let api: HumansApi
let client: Client<Family>
beforeEach(async () => {
  api = await startHumans({ mountPath: '/api/v1' })
  client = familyAt(`${api.url}/api/v1`)
})
afterEach(() => api.close())

describe('operations', () => {
  it('can refer to resources created by earlier operations', async () => {
    const made = await client.performOperations((operations) => {
      const groom = operations.create('men', { attributes: { name: 'Kilian' } })
      const bride = operations.create('women', {
        attributes: { name: 'Lotte', maidenName: 'Hill' },
        relationships: { husband: groom, children: [] },
      })
      operations.setLinkage(groom, 'wife', bride)
      operations.addLinkage(bride, 'children', [groom])
      operations.update(groom, { attributes: { name: 'Kilian Hill' } })
      return { groom, bride }
    })
    const { data } = await client.list('humans', { include: { wife: true, husband: true, children: true } })
    const [groom, bride] = data
    expect(groom).toMatchObject({ type: 'men', name: 'Kilian Hill' })
    expect(groom?.type === 'men' && groom.wife).toBe(bride)
    expect(bride?.children).toEqual([groom])
    expect([made.groom.name, made.bride.maidenName]).toEqual(['Kilian', 'Hill'])
  })

  it('return created resources with their ETag', async () => {
    const { max } = await client.performOperations((operations) => ({
      max: operations.create('men', { attributes: { name: 'Max' } }),
    }))
    expect(max).toEqual({ type: 'men', id: '1', name: 'Max', hasBeard: false })
    expect((await client.update(max, { attributes: { name: 'Maximilian' } })).name).toBe('Maximilian')
    await expect(client.delete(max)).rejects.toMatchObject({ status: 412 })
  })

  it('return no ETag if a later operation may have changed the resource', async () => {
    const { bea, max, moritz } = await client.performOperations(({ create }) => {
      const wife = create('women', { attributes: { name: 'Ada', maidenName: 'Hill' } })
      const max = create('men', { attributes: { name: 'Max' }, relationships: { wife } })
      // Max loses his wife.
      const moritz = create('men', { attributes: { name: 'Moritz' }, relationships: { wife } })
      const bea = create('women', { attributes: { name: 'Bea', maidenName: 'Hill' } })
      const lou = create('men', { attributes: { name: 'Lou' } })
      return { bea, max, moritz, lou }
    })
    expect([bea, max, moritz].map((each) => getEtag(each) !== undefined)).toEqual([true, false, true])
    for (const one of [max, moritz]) await client.update(one, { attributes: { name: 'Leo' } })
    const { groom } = await client.performOperations(({ create, setLinkage }) => {
      const groom = create('men', { attributes: { name: 'Kilian' } })
      setLinkage(groom, 'wife', bea)
      return { groom }
    })
    expect((await client.update(groom, { attributes: { name: 'Leo' } })).name).toBe('Leo')
  })

  it('send the version in ifMatch, and * for a resource that the request adds', async () => {
    await useApi(startHumans({ ifMatch: 'required' }), async ({ url, addMan }) => {
      const family = familyAt(url)
      // With an attribute named 'lid'.
      const max = { type: 'men', id: await addMan({ name: 'Max' }), lid: '0' } as const
      const { etag = '' } = await family.getLinkage(max, 'children')
      const old = getEtag(await family.get('men', max.id)) ?? ''
      await family.performOperations((operations) => {
        const mia = operations.create('women', { attributes: { name: 'Mia', maidenName: 'May' } })
        operations.update(mia, { attributes: { name: 'Mio' } })
        operations.setLinkage(mia, 'father', max)
        operations.addLinkage(max, 'children', [mia], { ifMatch: etag })
        operations.removeLinkage(max, 'children', [mia], { ifMatch: '*' })
        operations.delete(mia)
        operations.update(max, { attributes: { name: 'Moritz' } }, { ifMatch: old })
      })
      const [missing, late] = [{}, { ifMatch: old }].map((options) =>
        family.performOperations((operations) => operations.delete(max, options)),
      )
      await expect(missing).rejects.toMatchObject({ status: 428 })
      await expect(late).rejects.toMatchObject({ status: 412 })
    })
  })

  it('send the version of the resource that was read', async () => {
    const id = await api.addMan({ name: 'Max' })
    const [one, other] = [await client.get('men', id), await client.get('men', id)]
    expect(getEtag(one)).toBeDefined()
    await client.performOperations((operations) => operations.update(one, { attributes: { name: 'Moritz' } }))
    const late = client.performOperations((operations) => operations.delete(other))
    await expect(late).rejects.toMatchObject({ status: 412, errors: [{ code: 'operation.precondition-failed' }] })
  })

  it('are all applied, or none', async () => {
    const failing = client.performOperations((operations) => {
      operations.create('men', { attributes: { name: 'Max' } })
      operations.create('women', { attributes: { name: 'Mia' } })
    })
    const error: unknown = await failing.catch((reason: unknown) => reason)
    expect(error instanceof JsonApiRequestError && error.errorsAt('/atomic:operations/1')).toMatchObject([
      { title: 'A woman must have a maiden name.' },
    ])
    expect((await client.list('humans')).total).toBe(0)
  })

  it('can delete resources, and remove members of relationships', async () => {
    const [max, mia] = [await api.addMan({ name: 'Max' }), await api.addWoman({ name: 'Mia', maidenName: 'May' })]
    await api.link(mia, 'children', [max])
    await client.performOperations((operations) => {
      operations.removeLinkage({ type: 'women', id: mia }, 'children', [{ type: 'humans', id: max }])
      operations.delete({ type: 'men', id: max })
    })
    const { data } = await client.list('humans', { include: { children: true } })
    expect(data).toMatchObject([{ id: mia, children: [] }])
  })
})

it('relationships can be set and cleared', async () => {
  const max = await client.create('men', { attributes: { name: 'Max' } })
  const mia = await client.create('women', { attributes: { name: 'Mia', maidenName: 'May' } })
  await client.setLinkage(max, 'wife', mia)
  expect(await client.getRelated(max, 'wife')).toMatchObject({ name: 'Mia' })
  await client.setLinkage(max, 'wife', null)
  expect(await client.getRelated(max, 'wife')).toBeNull()
})

describe('a relationship that was read in part', () => {
  async function addParent() {
    const id = await api.addMan({ name: 'Max' })
    const children = await Promise.all(['A', 'B', 'C'].map((name) => api.addMan({ name })))
    await api.link(id, 'children', children)
    const read = (size: number) => client.get('men', id, { include: { children: { page: { size } } } })
    return { id, part: await read(2), whole: await read(3) }
  }

  it('says whether there are more members', async () => {
    const { part, whole } = await addParent()
    expect([part.children.hasMore, whole.children.hasMore]).toEqual([true, false])
  })

  it('is refused as the new content of a relationship, and nothing is sent', async () => {
    const { id, part } = await addParent()
    const plain = { type: 'men', id } as const
    const children = part.children as never
    const filter: FilterExpression<QueriedType<Family, 'humans'>> = rawFilter("not(equals(name,'C'))")
    const include = { children: { filter } }
    const [filtered, updated] = [await client.get('men', id, { include }), await client.update(plain, {}, { include })]
    const grandparent = await api.addMan({ name: 'Old' })
    await api.link(grandparent, 'children', [id])
    const { data: men } = await client.list('men', { include: { children: { include } } })
    const queries = [{ page: { size: 2 } }, { page: { size: 2, number: 2 } }, { filter }]
    const read = await Promise.all(queries.map((query) => client.listRelated(plain, 'children', query)))
    const included = [filtered.children, updated.children, men.at(-1)?.children[0]?.children]
    const attempts: readonly (() => Promise<unknown>)[] = [
      ...[...read.map(({ data }) => data), ...included].map(
        (list) => () => client.setLinkage(plain, 'children', list as never),
      ),
      () => client.update(filtered, { relationships: { children: filtered.children.slice(1) } }),
      () => client.setLinkage(plain, 'children', children),
      () => client.update(plain, { relationships: { children } }),
      () => client.create('men', { attributes: { name: 'Z' }, relationships: { children } }),
      () => client.performOperations((operations) => operations.setLinkage(plain, 'children', children)),
      () => client.performOperations((operations) => operations.update(plain, { relationships: { children } })),
      // Copies of what was read, sent for the resource that it was read with.
      () => client.setLinkage(part, 'children', [...part.children, { type: 'men', id }]),
      () => client.update(part, { relationships: { children: part.children.slice(1) } }),
    ]
    const statements = await api.statementsOf(async () => {
      for (const attempt of attempts) {
        await expect(Promise.resolve().then(attempt)).rejects.toThrow(
          "The list for 'children' is incomplete: it is one page, or the result of a filter. As a replacement it would remove " +
            "all other members. Use 'addLinkage' and 'removeLinkage', or read all pages with 'listRelated' first.",
        )
      }
    })
    expect(statements).toEqual([])
    expect((await client.getLinkage(plain, 'children')).total).toBe(3)
  })

  it('can be added, removed, and replaced by other members', async () => {
    const { id, part, whole } = await addParent()
    await client.removeLinkage(part, 'children', part.children)
    await client.addLinkage(part, 'children', part.children)
    expect((await client.getLinkage(part, 'children')).total).toBe(3)
    if (!whole.children.hasMore) await client.setLinkage(whole, 'children', whole.children)
    await client.setLinkage(whole, 'children', (await client.listRelated(whole, 'children')).data)
    expect((await client.getLinkage(part, 'children')).total).toBe(3)
    await client.setLinkage(part, 'children', [{ type: 'men', id }])
    await client.setLinkage(part, 'children', [])
    expect((await client.getLinkage(part, 'children')).total).toBe(0)
  })
})

// With page links or the total, the client knows it. Without both, even a small page may be incomplete: rules can reduce its size.
it.each([
  [{}, [true, true, false, false, false]],
  [{ links: { pages: false } }, [true, true, false, false, false]],
  [{ links: { pages: false }, totals: false }, [true, true, true, true, true]],
] as const)('a page of linkage says whether there may be more members, with %j', async (options, expected) => {
  await useApi(startHumans(options), async ({ url, addMan, link }) => {
    const max = { type: 'men', id: await addMan({ name: 'Max' }) } as const
    await link(max.id, 'children', [await addMan({ name: 'A' }), await addMan({ name: 'B' }), max.id])
    const pages = [{ size: 2 }, { size: 2, number: 2 }, { size: 3 }, { size: 4 }, {}]
    const read = await Promise.all(pages.map((page) => familyAt(url).getLinkage(max, 'children', { page })))
    expect(read.map(({ data }) => data.hasMore)).toEqual(expected)
    await expect(familyAt(url).setLinkage(max, 'children', read[0]?.data as never)).rejects.toThrow('incomplete')
  })
})

describe('a rule that hides the written resource', () => {
  const hide = define(Human, { filter: () => not(equals('name', 'Hidden')) })
  const hidden = setUp(() => startHumans({ definitions: [hide] }))
  const attributes = { name: 'Hidden' }
  const count = () => hidden.dataSource.getRepository(Man).count()
  const rename = async ({ create, update }: Client<Family>) =>
    update(await create('men', { attributes: { name: 'Max' } }), { attributes })

  it.each<[string, number, (family: Client<Family>) => Promise<unknown>]>([
    ['create', 201, ({ create }) => create('men', { attributes })],
    ['update', 204, rename],
    ['operations', 200, (family) => family.performOperations(({ create }) => ({ max: create('men', { attributes }) }))],
  ])('makes %s reject with an UnreadableWriteResultError after the write', async (_what, status, write) => {
    const before = await count()
    const error = await write(familyAt(hidden.url)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnreadableWriteResultError)
    expect(error).not.toBeInstanceOf(JsonApiRequestError)
    expect(error).toMatchObject({ status })
    expect(await count()).toBe(before + 1)
  })

  it('leaves the other results of operations readable', async () => {
    const writing = familyAt(hidden.url).performOperations(({ create }) => ({
      max: create('men', { attributes }),
      moritz: create('men', { attributes: { name: 'Moritz' } }),
    }))
    await expect(writing).rejects.toMatchObject({ resources: { moritz: { type: 'men', name: 'Moritz' } } })
  })
})

describe('an error response', () => {
  it('gives the errors of a field and of a pointer', async () => {
    const attributes = { name: 'Bo', hasBeard: true }
    const error: JsonApiRequestError = await client.create('men', { attributes }).catch((reason) => reason)
    expect(error).toBeInstanceOf(JsonApiRequestError)
    const message = `POST ${api.url}/api/v1/men returned 422. 'hasBeard' would be true after this request. Send it as false.`
    expect(error).toMatchObject({ status: 422, method: 'POST', url: `${api.url}/api/v1/men`, message })
    expect(error.errorsOf('hasBeard')).toEqual(error.errors)
    expect(error.errorsAt('/data')).toEqual(error.errors)
    expect([...error.errorsOf('name'), ...error.errorsAt('/data/attributes/hasBear')]).toEqual([])
  })

  it('gives the errors of a relationship', async () => {
    const relationships = { mother: { type: 'women', id: '9' } } as const
    const error: unknown = await client
      .create('men', { attributes: { name: 'Bo' }, relationships })
      .catch((reason) => reason)
    expect(error instanceof JsonApiRequestError && error.errorsOf('mother')).toHaveLength(1)
  })
})

function clientWith(options: Partial<ClientOptions> = {}): Client<Family> {
  return createClient<Family>({ baseUrl: `${api.url}/api/v1/`, fetch: checkedFetch, ...options })
}

/** A fetch that records headers. */
function watched(change: (headers: Headers) => void = () => {}) {
  const sent: Headers[] = []
  const fetch: typeof globalThis.fetch = (url, init) => {
    const headers = new Headers(init?.headers)
    change(headers)
    sent.push(headers)
    return checkedFetch(url, { ...init, headers })
  }
  return { sent, fetch }
}

describe('createClient', () => {
  beforeEach(async () => {
    for (const name of ['Max', 'Moritz']) await api.addMan({ name })
  })

  it.each([
    ['a URL', () => ({})],
    ['a path', () => ({ baseUrl: '/api/v1', fetch: (url: unknown) => checkedFetch(`${api.url}${url}`) })],
  ])('follows pagination links of an API below %s', async (_what, options) => {
    const names: string[] = []
    for await (const { name } of await clientWith(options()).list('humans', { page: { size: 1 } })) names.push(name)
    expect(names).toEqual(['Max', 'Moritz'])
  })

  it.each(['', '.', '..'])("refuses '%s' as an id, and sends nothing", async (id) => {
    const { sent, fetch } = watched()
    const [client, max] = [clientWith({ fetch }), { type: 'men', id } as const]
    const attempts = [
      client.get('men', id),
      client.getRelated(max, 'wife'),
      client.listRelated(max, 'children'),
      client.getLinkage(max, 'wife'),
      client.update(max, {}),
      client.delete(max),
      client.setLinkage(max, 'wife', null),
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(/^'men\/.*Pass a type and an id/)
    expect(sent).toEqual([])
  })

  it('calls headers for each request, and adds those of a single call', async () => {
    const { sent, fetch } = watched()
    let token = 0
    const client = clientWith({
      fetch,
      headers: async () => {
        token += 1
        return { authorization: `Bearer ${token}` }
      },
    })
    await (await client.list('men', { page: { size: 1 }, headers: { 'x-trace': 'a' } })).next()
    await client.delete({ type: 'men', id: '1' }, { headers: { 'x-trace': 'b' } })
    expect(sent.map((headers) => [headers.get('authorization'), headers.get('x-trace')])).toEqual([
      ['Bearer 1', 'a'],
      ['Bearer 2', 'a'],
      ['Bearer 3', 'b'],
    ])
  })

  it('replaces headers in any case: those of the call come before its own, and those before the common ones', async () => {
    const { sent, fetch } = watched()
    const client = clientWith({ fetch, headers: { 'IF-MATCH': '*', Accept: 'text/html', 'X-Trace': 'a' } })
    const max = await client.get('men', '1', { headers: { 'x-trace': 'b' } })
    await client.update(max, { attributes: { name: 'Maximilian' } })
    await client.update(max, { attributes: { name: 'Max' } }, { headers: { 'If-Match': '*' } })
    const names = ['accept', 'x-trace', 'if-match']
    expect(sent.map((headers) => names.map((name) => headers.get(name)))).toEqual([
      ['application/vnd.api+json', 'b', '*'],
      ['application/vnd.api+json', 'a', getEtag(max)],
      ['application/vnd.api+json', 'a', '*'],
    ])
  })

  it('reads the resource again after a 204', async () => {
    const { sent, fetch } = watched((headers) => headers.delete('prefer'))
    const changed = await clientWith({ fetch }).update({ type: 'men', id: '1' }, { attributes: { name: 'Maximilian' } })
    expect([changed.name, sent.length]).toEqual(['Maximilian', 2])
  })

  it('says that the write is done if the read after it fails', async () => {
    const minimal = watched((headers) => headers.delete('prefer')).fetch
    const fetch: typeof globalThis.fetch = async (url, init) =>
      init?.method === 'GET' ? new Response(null, { status: 503 }) : minimal(url, init)
    const writing = clientWith({ fetch }).update({ type: 'men', id: '1' }, { attributes: { name: 'Maximilian' } })
    await expect(writing).rejects.toMatchObject({
      name: 'UnreadableWriteResultError',
      status: 204,
      cause: { status: 503 },
    })
  })

  it('refuses to return a resource that no operation creates, and sends nothing', async () => {
    const { sent, fetch } = watched()
    const max = { type: 'men', id: '1' } as const
    const writing = clientWith({ fetch }).performOperations(({ update }) => {
      update(max, { attributes: { name: 'Maximilian' } })
      return { max }
    })
    await expect(writing).rejects.toThrow("'max' is not a resource that an operation creates.")
    expect(sent).toEqual([])
  })

  it('rejects when its signal is aborted', async () => {
    const stopped = AbortSignal.abort(new TypeError('Enough.'))
    await expect(clientWith().get('men', '1', { signal: stopped })).rejects.toThrow('Enough.')
  })

  it.each(['/elsewhere', 'elsewhere'])('sends operations to operationsPath %s', async (operationsPath) => {
    const client = clientWith({ operationsPath })
    const sending = client.performOperations((operations) => operations.delete({ type: 'men', id: '1' }))
    await expect(sending).rejects.toMatchObject({ status: 404, url: `${api.url}/api/v1/elsewhere` })
  })
})

it.each([
  [502, '<h1>Bad Gateway</h1>'],
  [200, '<h1>Welcome</h1>'],
  [500, '{ "errors": "many" }'],
])('a response that is not JSON:API is rejected: %s with %s', async (status, body) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asking = createClient<Family>({ baseUrl }).get('men', '1')
  const error = await asking.catch((reason: unknown) => reason).finally(() => server.close())
  expect(error).toBeInstanceOf(JsonApiRequestError)
  expect(error).toMatchObject({ status, errors: [], message: `GET ${baseUrl}/men/1 returned ${status}.` })
})
