import { InvariantError } from '../../../src/errors/invariant'
import { JsonApiError } from '../../../src/errors/json-api-error'
import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import { readCandidates } from '../../../src/request/candidates'
import type { Intent } from '../../../src/request/intent'
import { type MatchedRoute, readIntent } from '../../../src/request/read-intent'
import { graph, relationshipOf, type } from './support/graph'
import { expectProblems, problemsOf, summariesOf } from './support/problems'

interface Sent {
  readonly query?: string
  readonly body?: unknown
}

function read(matched: MatchedRoute, { query = '', body }: Sent = {}): Intent {
  const request = {
    method: 'GET',
    findOrigin: () => undefined,
    mountPath: '',
    path: '',
    queryString: query,
    headers: {},
    context: undefined,
    deadline: undefined,
    body: body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
  return readIntent(matched, request, { graph, options: DEFAULT_OPTIONS, isFilledIn: () => true, noteValues: () => {} })
}

const mansSquire = relationshipOf(type.men, 'squire')
const womansSquire = relationshipOf(type.women, 'squire')
const children = relationshipOf(type.humans, 'children')

function at(endpoint: Intent['kind'], relationship?: string): MatchedRoute {
  return { endpoint, type: type.humans, id: '1', ...(relationship !== undefined && { relationship }) }
}

/** The candidates of an intent for relationships with the same name. */
function candidatesOf(endpoint: Intent['kind'], relationship: string, sent: Sent): unknown {
  return (read(at(endpoint, relationship), sent) as { readonly candidates?: unknown }).candidates
}

const TARGET = { type: type.humans, id: '1' }

describe('the intent of a read', () => {
  it('has all parameters for a collection', () => {
    const matched: MatchedRoute = { endpoint: 'getCollection', type: type.humans }
    expect(read(matched, { query: 'page[size]=5' })).toMatchObject({
      kind: 'getCollection',
      type: type.humans,
      query: { page: { size: 5 } },
    })
  })

  it('has only include and fields for a resource', () => {
    expect(read(at('getResource'), { query: 'include=father' })).toMatchObject({
      kind: 'getResource',
      target: TARGET,
      query: { include: [{ relationship: relationshipOf(type.humans, 'father') }] },
    })
    expectProblems(() => read(at('getResource'), { query: 'page[size]=5' }), '400 query.not-allowed page[size]')
  })

  it('parses the query of related resources for each relationship with the name', () => {
    expect(read(at('getRelated', 'children'), { query: 'sort=name' })).toMatchObject({
      kind: 'getRelated',
      target: TARGET,
      candidates: {
        name: 'children',
        found: [{ relationship: children, value: { sort: [{ direction: 'ascending' }] } }],
      },
    })
    expect(candidatesOf('getRelated', 'squire', { query: 'sort=name' })).toMatchObject({
      found: [
        { relationship: mansSquire, mistake: { problems: [{ code: 'query.not-allowed' }] } },
        { relationship: womansSquire, value: { sort: [{}] } },
      ],
    })
  })

  it('includes paths of a relationship endpoint from its parent', () => {
    expect(read(at('getRelationship', 'children'), { query: 'include=children.father' })).toMatchObject({
      kind: 'getRelationship',
      candidates: { found: [{ relationship: children, value: { includesPrimary: true } }] },
    })
  })

  it('refuses a parameter that no relationship with the name allows', () => {
    for (const endpoint of ['getRelated', 'getRelationship'] as const) {
      expectProblems(() => read(at(endpoint, 'squire'), { query: 'nope=1' }), '400 query.unknown nope')
    }
  })

  it.each([
    ['chidlren', "Expected a relationship of 'humans', found 'chidlren'. Did you mean 'children'?"],
    ['huband', "Did you mean 'husband'?"],
    ['name', "found 'name'."],
    ['hasOwnProperty', "found 'hasOwnProperty'."],
  ])('returns 404 for an unknown relationship %s', (name, words) => {
    const endpoints = ['getRelated', 'getRelationship', 'setRelationship', 'addToRelationship'] as const
    for (const endpoint of endpoints) {
      const [problem] = problemsOf(() => read(at(endpoint, name), { query: 'nope=1', body: '{' }))
      expect(problem).toMatchObject({ status: 404, code: 'relationship.not-found' })
      expect(problem?.source).toBeUndefined()
      expect(problem?.detail).toContain(words)
    }
  })
})

describe('the intent of a create or update', () => {
  const body = { data: { type: 'men', attributes: { name: 'Bob' } } }
  const create: MatchedRoute = { endpoint: 'createResource', type: type.humans }

  it('has the type of the endpoint, the change and the document', () => {
    expect(read(create, { query: 'include=father', body })).toMatchObject({
      kind: 'createResource',
      type: type.humans,
      change: { type: type.men },
      query: { include: [{}] },
      sent: { document: body, pointer: '/data' },
    })
    const sent = { data: { ...body.data, id: '1' } }
    expect(read(at('updateResource'), { query: 'fields[men]=name', body: sent })).toMatchObject({
      kind: 'updateResource',
      target: TARGET,
      change: { type: type.men, id: '1' },
      query: { fields: new Map([[type.men, new Set(['name'])]]) },
      sent: { document: sent, pointer: '/data' },
    })
  })

  it('refuses the query before the body', () => {
    for (const matched of [create, at('updateResource')]) {
      expectProblems(() => read(matched, { query: 'page[size]=1', body: '{' }), '400 query.not-allowed page[size]')
    }
  })

  it('refuses an invalid document', () => {
    for (const matched of [create, at('updateResource')]) {
      expectProblems(() => read(matched), '400 document.missing')
      expectProblems(() => read(matched, { body: '{' }), '400 document.syntax')
      expectProblems(() => read(matched, { body: {} }), "400 document.shape ''")
    }
    const included = { ...body, included: {} }
    expectProblems(() => read(create, { body: included }), '400 document.shape /included')
    const update = { data: { ...body.data, id: '1' }, included: {} }
    expectProblems(() => read(at('updateResource'), { body: update }), '400 document.shape /included')
  })
})

describe('the intent of a delete', () => {
  it('refuses parameters and ignores the body', () => {
    expect(read(at('deleteResource'), { body: '{' })).toEqual({
      kind: 'deleteResource',
      target: TARGET,
      condition: { kind: 'unsaid' },
    })
    expectProblems(() => read(at('deleteResource'), { query: 'include=father' }), '400 query.not-allowed include')
  })
})

describe('the intent of a relationship write', () => {
  const one = { data: { type: 'humans', id: '2' } }
  const many = {
    data: ['humans', 'humans', 'men'].map((name) => ({ type: name, id: '2' })),
  }

  it('has the linkage to set', () => {
    expect(read(at('setRelationship', 'bestFriend'), { body: one })).toMatchObject({
      kind: 'setRelationship',
      target: TARGET,
      candidates: {
        name: 'bestFriend',
        found: [{ value: { kind: 'toOne', identifier: { id: '2' }, pointer: '/data' } }],
      },
      sent: { document: one, pointer: '/data' },
    })
    expect(candidatesOf('setRelationship', 'bestFriend', { body: { data: null } })).toMatchObject({
      found: [{ value: { kind: 'toOne', identifier: null } }],
    })
    expect(candidatesOf('setRelationship', 'children', { body: many })).toMatchObject({
      found: [{ relationship: children, value: { kind: 'toMany', identifiers: [{}, {}] } }],
    })
  })

  it.each(['addToRelationship', 'removeFromRelationship'] as const)('has the members for %s', (endpoint) => {
    expect(read(at(endpoint, 'children'), { body: many })).toMatchObject({
      kind: endpoint,
      target: TARGET,
      candidates: {
        name: 'children',
        found: [
          {
            relationship: children,
            value: [
              { kind: 'existing', type: type.humans, id: '2', pointer: '/data/0' },
              { kind: 'existing', type: type.men, id: '2', pointer: '/data/2' },
            ],
          },
        ],
      },
      sent: { document: many, pointer: '/data' },
    })
    expect(candidatesOf(endpoint, 'children', { body: { data: [] } })).toMatchObject({ found: [{ value: [] }] })
  })

  it.each(['addToRelationship', 'removeFromRelationship'] as const)(
    'refuses %s for a to-one relationship',
    (endpoint) => {
      const [problem] = problemsOf(() => read(at(endpoint, 'father'), { body: '{' }))
      expect(problem).toMatchObject({
        status: 403,
        code: 'relationship.to-one',
        detail: "Expected a to-many relationship, found 'father' of 'humans'. Replace it with PATCH.",
      })
      expect(problem?.source).toBeUndefined()
    },
  )

  it('reads the body for each relationship with the name', () => {
    const women = { data: [{ type: 'women', id: '2' }] }
    expect(candidatesOf('addToRelationship', 'squire', { body: women })).toMatchObject({
      found: [
        { relationship: mansSquire, mistake: { problems: [{ code: 'relationship.to-one' }] } },
        { relationship: womansSquire, value: [{ type: type.women, id: '2' }] },
      ],
    })
    expect(candidatesOf('setRelationship', 'squire', { body: { data: { type: 'men', id: '2' } } })).toMatchObject({
      found: [
        { relationship: mansSquire, value: { identifier: { type: type.men } } },
        { relationship: womansSquire, mistake: { problems: [{ code: 'document.shape' }] } },
      ],
    })
  })

  it('reports the mistake of the first relationship when the body fits none', () => {
    expectProblems(
      () => read(at('setRelationship', 'squire'), { body: { data: { id: '2' } } }),
      '400 document.shape /data',
    )
    expectProblems(() => read(at('addToRelationship', 'squire'), { body: { data: {} } }), '403 relationship.to-one')
  })

  it.each<[Intent['kind'], string, unknown, string]>([
    ['setRelationship', 'children', {}, "400 document.shape ''"],
    ['setRelationship', 'children', { data: null }, '400 document.shape /data'],
    ['setRelationship', 'bestFriend', { data: [] }, '400 document.shape /data'],
    ['setRelationship', 'bestFriend', { data: {} }, '400 document.shape /data'],
    ['addToRelationship', 'children', {}, "400 document.shape ''"],
    ['addToRelationship', 'children', one, '400 document.shape /data'],
    ['removeFromRelationship', 'children', { data: null }, '400 document.shape /data'],
    ['removeFromRelationship', 'children', undefined, '400 document.missing'],
    ['addToRelationship', 'children', { data: [{ type: 'men', id: 1 }] }, '400 document.shape /data/0/id'],
    [
      'addToRelationship',
      'children',
      { data: [{ type: 'samples', id: '1' }] },
      '409 document.type-conflict /data/0/type',
    ],
    ['setRelationship', 'children', { data: [{ type: 'x', id: '1' }] }, '422 document.type-unknown /data/0/type'],
    ['addToRelationship', 'children', { data: [{ type: 'men', lid: 'a' }] }, '400 document.lid-unknown /data/0'],
  ])('refuses for %s of %s: %j', (endpoint, name, body, summary) => {
    const summaries = summariesOf(() => read(at(endpoint, name), { body }))
    expect(summaries.length).toBeGreaterThan(0)
    expect(new Set(summaries)).toEqual(new Set([summary]))
  })

  it('refuses parameters', () => {
    for (const endpoint of ['setRelationship', 'addToRelationship', 'removeFromRelationship'] as const) {
      expectProblems(
        () => read(at(endpoint, 'children'), { query: 'include=father', body: '{' }),
        '400 query.not-allowed include',
      )
    }
  })

  it('refuses to clear a required to-one relationship', () => {
    const matched: MatchedRoute = { endpoint: 'setRelationship', type: type.samples, id: 'x', relationship: 'owner' }
    expectProblems(() => read(matched, { body: { data: null } }), '422 relationship.required /data')
  })
})

describe('an invariant', () => {
  it('throws InvariantError for an impossible route', () => {
    expect(() => read({ endpoint: 'getResource', type: type.humans })).toThrow(InvariantError)
    expect(() => read({ endpoint: 'getRelated', type: type.humans, id: '1' })).toThrow(InvariantError)
    expect(() => read({ endpoint: 'nope' as 'getResource', type: type.humans })).toThrow(InvariantError)
  })

  it('rethrows InvariantError of a candidate', () => {
    const failing = () => {
      throw new InvariantError('ours')
    }
    const read1 = () => readCandidates('squire', [mansSquire], failing)
    expect(read1).toThrow(InvariantError)
    expect(read1).not.toThrow(JsonApiError)
  })
})
