import { Caches } from '../../../src/cache/caches'
import { InvariantError } from '../../../src/errors/invariant'
import { JsonApiError } from '../../../src/errors/json-api-error'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { readSentDataPerCandidateRelationship } from '../../../src/request/intent/relationship-candidates'
import type { MatchedEndpoint } from '../../../src/request/intent/routes'
import { parseRequestIntent } from '../../../src/request/parse-request-intent'
import { graphOf, typeNamed } from '../graph/support/with-graph'
import { KNIGHTS } from './support/knights'

it('throws InvariantError for an impossible route', async () => {
  const graph = await graphOf({ resources: KNIGHTS })
  const request = { method: 'GET', mountPath: '', path: '', queryString: '', headers: {} }
  const rest = { findOrigin: () => undefined, context: undefined, deadline: undefined, body: undefined }
  const caches = new Caches()
  const served = { graph, caches, options: DEFAULT_API_OPTIONS, providesDefaults: () => true, onValues: () => {} }
  const read = (route: Omit<MatchedEndpoint, 'type'>) => () =>
    parseRequestIntent({ ...route, type: typeNamed(graph, 'humans') }, { ...request, ...rest }, served)
  expect(read({ endpoint: 'getResource', id: '1' })).not.toThrow()
  expect(read({ endpoint: 'getResource' })).toThrow(InvariantError)
  expect(read({ endpoint: 'getRelated', id: '1' })).toThrow(InvariantError)
  expect(read({ endpoint: 'nope' as 'getResource' })).toThrow(InvariantError)
})

it('rethrows InvariantError of a relationship', async () => {
  const squire = typeNamed(await graphOf({ resources: KNIGHTS }), 'women').fields.get('squire') as never
  const read = () =>
    readSentDataPerCandidateRelationship('squire', [squire], () => {
      throw new InvariantError('ours')
    })
  expect(read).toThrow(InvariantError)
  expect(read).not.toThrow(JsonApiError)
})
