import { createJsonApi } from 'stemma'
import { setUp } from '../support/api'
import { Human, Man, startHumans, Woman } from '../support/humans'
import { createOpenApiCheck, type OpenApiCheck } from '../support/openapi-check'

// All tests check their responses against the OpenAPI document. These tests show that the check fails for wrong responses.

const humans = setUp(startHumans)
let check: OpenApiCheck
beforeAll(() => {
  const { dataSource } = humans
  check = createOpenApiCheck(createJsonApi({ dataSource, resources: [Human, Man, Woman], startupLog: false }), '/')
})

const MAN = { type: 'men', id: '1', attributes: { name: 'Adam' }, links: { self: '/men/1' } }

interface Changes {
  readonly method?: string
  readonly url?: string
  readonly requestBody?: object
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

function checkOf({ method = 'GET', url = '/men/1', requestBody, status = 200, headers, body }: Changes) {
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

it('accepts responses as described', () => {
  expect(checkOf({ body: { data: MAN } })).not.toThrow()
  expect(checkOf({ url: '/humans/1', body: { data: MAN } })).not.toThrow()
  expect(checkOf({ method: 'DELETE', status: 204 })).not.toThrow()
})

it.each<[string, Changes, string]>([
  ['an undescribed member', { body: { data: { ...MAN, version: 1 } } }, 'additionalProperty'],
  ['an attribute of a sibling type', { body: { data: { ...MAN, attributes: { maidenName: 'x' } } } }, 'maidenName'],
  ['another resource type', { body: { data: { ...MAN, type: 'women' } } }, '/data/type must be equal'],
  ['an abstract type', { url: '/humans/1', body: { data: { ...MAN, type: 'humans' } } }, 'must match exactly one'],
  ['a value of another type', { body: { data: { ...MAN, attributes: { name: 1 } } } }, '/data/attributes/name must be'],
  ['a missing body', {}, 'A body is described'],
  ['an undescribed body', { method: 'DELETE', status: 204, body: {} }, 'The media type'],
  ['an undescribed status', { method: 'POST', url: '/men', status: 200, body: { data: MAN } }, 'The status 200'],
  ['the wrong status of an error code', { status: 409, body: { errors: [{ code: 'query.sort' }] } }, 'The status 409'],
  ['an undescribed header', { headers: { location: '/men/1' }, body: { data: MAN } }, 'The header location'],
  ['another media type', { headers: { 'content-type': 'text/html' }, body: { data: MAN } }, 'The media type text/html'],
  ['an undescribed operation', { url: '/children', body: { data: MAN } }, 'No such operation'],
  ['an undescribed parameter', { method: 'DELETE', url: '/men/1?include=wife', status: 204 }, 'The parameter include'],
  [
    'an accepted request body that is not described',
    { method: 'PATCH', status: 204, requestBody: { data: { type: 'men', id: '1', attributes: { age: 1 } } } },
    'accepted request differs from its description: /data/attributes',
  ],
])('rejects %s', (_title, exchange, message) => expect(checkOf(exchange)).toThrow(message))
