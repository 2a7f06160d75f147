import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, type ClientOptions, createClient, JsonApiRequestError } from 'stemma/client'
import { type HumansApi, startHumans } from '../../support/humans'
import { checkedFetch } from '../../support/lint'
import type { Family } from './support/family'

let api: HumansApi
beforeEach(async () => {
  api = await startHumans({ mountPath: '/api/v1' })
  await api.addMan({ name: 'Max' })
  await api.addMan({ name: 'Moritz' })
})
afterEach(() => api.close())

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
  it('follows pagination links of an API below a path', async () => {
    const names: string[] = []
    for await (const { name } of await clientWith().list('humans', { page: { size: 1 } })) names.push(name)
    expect(names).toEqual(['Max', 'Moritz'])
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
    const page = await client.list('men', { page: { size: 1 }, headers: { 'x-trace': 'a' } })
    await page.next()
    await client.delete({ type: 'men', id: '1' }, { headers: { 'x-trace': 'b' } })
    expect(sent.map((headers) => [headers.get('authorization'), headers.get('x-trace')])).toEqual([
      ['Bearer 1', 'a'],
      ['Bearer 2', 'a'],
      ['Bearer 3', 'b'],
    ])
  })

  it('reads the resource again after a 204', async () => {
    const { sent, fetch } = watched((headers) => headers.delete('prefer'))
    const changed = await clientWith({ fetch }).update({ type: 'men', id: '1' }, { attributes: { name: 'Maximilian' } })
    expect([changed.name, sent.length]).toEqual(['Maximilian', 2])
  })

  it('rejects when its signal is aborted', async () => {
    const stopped = AbortSignal.abort(new TypeError('Enough.'))
    await expect(clientWith().get('men', '1', { signal: stopped })).rejects.toThrow('Enough.')
  })

  it('sends operations to operationsPath', async () => {
    const client = clientWith({ operationsPath: '/elsewhere' })
    const sending = client.operate((operations) => operations.delete({ type: 'men', id: '1' }))
    await expect(sending).rejects.toMatchObject({ status: 404, url: `${api.url}/api/v1/elsewhere` })
  })
})

describe('a response that is not JSON:API', () => {
  it.each([
    [502, '<h1>Bad Gateway</h1>'],
    [200, '<h1>Welcome</h1>'],
    [500, '{ "errors": "many" }'],
  ])('is rejected: %s with %s', async (status, body) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0)
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const asking = createClient<Family>({ baseUrl }).get('men', '1')
    const error = await asking.catch((reason: unknown) => reason).finally(() => server.close())
    expect(error).toBeInstanceOf(JsonApiRequestError)
    expect(error).toMatchObject({ status, errors: [], message: `GET ${baseUrl}/men/1 was answered with ${status}.` })
  })
})
