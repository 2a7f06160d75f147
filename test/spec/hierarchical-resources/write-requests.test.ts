import { setUp } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { startHumans } from '../../support/humans'

// Where a request that writes may be sent. Errors of documents: errors.test.ts.

const api = setUp(startHumans)
beforeAll(() => api.addMan({ name: 'Adam', hasBeard: false }))

it.each([
  ['POST', '/nothings', '404 url.not-found'],
  ['PATCH', '/nothings/1', '404 url.not-found'],
  ['POST', '/nothings/1/relationships/wife', '404 url.not-found'],
  ['PATCH', '/men/1/relationships/nothing', '404 relationship.not-found'],
  ['POST', '/men/1/relationships/nothing', '404 relationship.not-found'],
  ['DELETE', '/men/1/relationships/%20', '404 relationship.not-found'],
  ['PATCH', '/men/1/relationships/name', '404 relationship.not-found'],
  ['POST', '/men/1/children', '405 url.method-not-allowed'],
  ['PUT', '/men/1/relationships/wife', '405 url.method-not-allowed'],
  ['POST', '/men/1/relationships/wife', '403 relationship.not-to-many'],
  ['DELETE', '/humans/1/relationships/wife', '403 relationship.not-to-many'],
  ['POST', '/men?nothing=1', '400 query.unknown nothing'],
  ['POST', '/men?filter=equals(name,%27a%27)', '400 query.not-allowed filter'],
  ['POST', '/men?sort=name', '400 query.not-allowed sort'],
  ['POST', '/men?include=nothing', '400 query.include include'],
  ['PATCH', '/men/1?include=%20', '400 query.include include'],
  ['PATCH', '/men/1/relationships/wife?include=wife', '400 query.not-allowed include'],
  ['DELETE', '/men/1?include=wife', '400 query.not-allowed include'],
])('a write is refused because of its URL: %s %s', async (method, path, expected) => {
  for (const sent of [{ data: { type: 'men', attributes: { name: 'New' } } }, { data: null }, '{']) {
    const response = await api.unchanged(() => api.request(method, path).send(sent))
    expect(outcomeOf(response)).toBe(expected)
    expect('allow' in response.headers).toBe(response.status === 405)
  }
}) // anchor: W/A-02, W/A-03, W/I-08, W/Q-05
