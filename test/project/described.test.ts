import { createJsonApi } from 'stemma'
import { type CheckDescribed, describedBy } from '../support/described'
import { Human, type HumansApi, Man, startHumans, Woman } from '../support/humans'

// All tests hold all of their answers against the document: what does that must be able to say no.

let humans: HumansApi
let check: CheckDescribed
beforeAll(async () => {
  humans = await startHumans()
  const { dataSource } = humans
  check = describedBy(createJsonApi({ dataSource, resources: [Human, Man, Woman], startUp: 'quiet' }), '/')
})
afterAll(() => humans.close())

const MAN = { type: 'men', id: '1', attributes: { name: 'Adam' }, links: { self: '/men/1' } }

interface Exchanged {
  readonly method?: string
  readonly url?: string
  readonly requestBody?: object
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

function judge({ method = 'GET', url = '/men/1', requestBody, status = 200, headers, body }: Exchanged) {
  const document = body && { jsonapi: { version: '1.1' }, ...body }
  const exchange = {
    method,
    url,
    requestBody: requestBody === undefined ? '' : JSON.stringify(requestBody),
    status,
    headers: new Headers({ 'content-type': 'application/vnd.api+json', ...headers }),
    body: document === undefined ? '' : JSON.stringify(document),
  }
  return () => check(exchange, document)
}

it('finds nothing in what is described', () => {
  expect(judge({ body: { data: MAN } })).not.toThrow()
  expect(judge({ url: '/humans/1', body: { data: MAN } })).not.toThrow()
  expect(judge({ method: 'DELETE', status: 204 })).not.toThrow()
})

it.each<[string, Exchanged, string]>([
  ['a member that is not described', { body: { data: { ...MAN, version: 1 } } }, 'additionalProperty'],
  ['an attribute of another type', { body: { data: { ...MAN, attributes: { maidenName: 'x' } } } }, 'maidenName'],
  ['a type that is not promised', { body: { data: { ...MAN, type: 'women' } } }, '/data/type must be equal'],
  [
    'an abstract type',
    { url: '/humans/1', body: { data: { ...MAN, type: 'humans' } } },
    '/data must match exactly one',
  ],
  ['a value of another type', { body: { data: { ...MAN, attributes: { name: 1 } } } }, '/data/attributes/name must be'],
  ['a body that is missing', {}, 'A body is described'],
  ['a body that is not described', { method: 'DELETE', status: 204, body: {} }, 'The media type'],
  ['a status', { method: 'POST', url: '/men', status: 200, body: { data: MAN } }, 'The status 200'],
  ['a status of an error of ours', { status: 409, body: { errors: [{ code: 'query.sort' }] } }, 'The status 409'],
  ['a header', { headers: { location: '/men/1' }, body: { data: MAN } }, 'The header location'],
  ['a media type', { headers: { 'content-type': 'text/html' }, body: { data: MAN } }, 'The media type text/html'],
  ['an operation', { url: '/children', body: { data: MAN } }, 'No such operation'],
  ['a parameter', { method: 'DELETE', url: '/men/1?include=wife', status: 204 }, 'The parameter include'],
  [
    'a body that was accepted',
    { method: 'PATCH', status: 204, requestBody: { data: { type: 'men', id: '1', attributes: { age: 1 } } } },
    'accepted: /data/attributes',
  ],
])('finds %s', (_what, exchange, mistake) => {
  expect(judge(exchange)).toThrow(mistake)
})
