import type { JsonObject, JsonValue } from '../../../src/document/json'
import type { ResourceType } from '../../../src/graph/resource-graph'
import type { ResourceChange } from '../../../src/records/change'
import { onlyItself } from '../../../src/request/local-names'
import { readNewResource, readUpdatedResource } from '../../../src/request/read-resource-object'
import { type ResourceShape, readPrimaryShape, readResourceShape } from '../../../src/request/read-resource-shape'
import { attributeOf, graph, relationshipOf, type, withIds } from './support/graph'
import { expectProblems, problemsOf, summariesOf } from './support/problems'

function create(data: unknown, endpointType: ResourceType = type.humans): ResourceChange {
  return readNew(readPrimaryShape(documentWith(data), 'create', graph), endpointType)
}

/** What is required is left to rules here. */
function readNew(shape: ResourceShape, endpointType: ResourceType, known = graph): ResourceChange {
  return readNewResource(shape, endpointType, {
    graph: known,
    isFilledIn: () => true,
    noteValues: () => {},
    document: {},
    localsOf: onlyItself,
    mostIdentifiers: null,
  })
}

function update(data: unknown, endpointType: ResourceType = type.humans): ResourceChange {
  const shape = readResourceShape({ value: documentWith(data).data, pointer: '/data' }, 'updateOne', graph)
  return readUpdatedResource(
    shape,
    { type: endpointType, id: '7' },
    { graph, locals: onlyItself(undefined), mostIdentifiers: null },
  )
}

/** As it would have been read from a body. */
function documentWith(data: unknown): JsonObject {
  return JSON.parse(JSON.stringify({ data })) as JsonObject
}

describe('reading a resource object for a create', () => {
  it('returns a change with the fields of its type', () => {
    const change = create({
      type: 'men',
      attributes: { hasBeard: true, name: 'Bob', age: 30 },
      relationships: {
        wife: { data: { type: 'women', id: '2' } },
        father: { data: null },
        children: { data: [{ type: 'men', id: '3' }] },
      },
    })
    const [wife, father, children] = ['wife', 'father', 'children'].map((name) => relationshipOf(type.men, name))
    const pointerOf = (name: string) => ({ pointer: `/data/relationships/${name}/data` })
    expect(change.type).toBe(type.men)
    expect(change.id).toBeUndefined()
    expect([...change.attributes]).toEqual([
      [attributeOf(type.men, 'hasBeard'), true],
      [attributeOf(type.men, 'name'), 'Bob'],
      [attributeOf(type.men, 'age'), 30],
    ])
    const mary = { kind: 'existing', type: type.women, id: '2', ...pointerOf('wife') }
    const son = { kind: 'existing', type: type.men, id: '3', pointer: '/data/relationships/children/data/0' }
    expect([...change.relationships]).toEqual([
      [wife, { kind: 'toOne', identifier: mary, ...pointerOf('wife') }],
      [father, { kind: 'toOne', identifier: null, ...pointerOf('father') }],
      [children, { kind: 'toMany', identifiers: [son], ...pointerOf('children') }],
    ])
  })

  it('accepts a resource without fields', () => {
    const empty = { id: undefined, attributes: new Map(), relationships: new Map() }
    expect(create({ type: 'women' })).toEqual({ type: type.women, ...empty })
  })

  it('ignores unknown members and members that begin with @', () => {
    const identifier = { type: 'women', id: '2', '@x': 1, meta: {}, foo: 1 }
    const change = create({
      '@context': 'x',
      type: 'men',
      foo: 1,
      meta: {},
      links: {},
      attributes: { '@id': 1, '@type': [] },
      relationships: { '@x': null, wife: { '@y': 1, foo: 2, data: identifier } },
    })
    expect(change.attributes.size).toBe(0)
    expect([...change.relationships.keys()]).toEqual([relationshipOf(type.men, 'wife')])
  })

  it('treats __proto__ as a member', () => {
    const data = JSON.parse('{"type":"men","__proto__":{"id":"1"},"attributes":{"__proto__":{"name":1}}}')
    const shape = readPrimaryShape({ data }, 'create', graph)
    expectProblems(() => readNew(shape, type.men), '422 attribute.unknown /data/attributes/__proto__')
  })

  it('reports pointers from its position in the document', () => {
    const sent = { value: { type: 'men', attributes: { 'a/b': 1 } }, pointer: '/atomic:operations/2/data' }
    const shape = readResourceShape(sent, 'create', graph)
    expectProblems(() => readNew(shape, type.men), '422 attribute.unknown /atomic:operations/2/data/attributes/a~1b')
    const missing = { value: undefined, pointer: '/atomic:operations/2/data' }
    expectProblems(() => readResourceShape(missing, 'create', graph), '400 document.shape /atomic:operations/2')
  })
})

describe('the shape of a resource object', () => {
  it.each<[unknown, string, string]>([
    [undefined, "''", "a member 'data' with a resource object, found nothing"],
    [null, '/data', 'an object, found null'],
    [[], '/data', 'an object, found an array'],
    ['x', '/data', "an object, found 'x'"],
    [{}, '/data', "a member 'type' that is a string, found nothing"],
    [{ type: 5 }, '/data/type', 'a string, found 5'],
    [{ type: null }, '/data/type', 'a string, found null'],
    [{ type: 'men', id: 1 }, '/data/id', 'a string, found 1'],
    [{ type: 'men', lid: 1 }, '/data/lid', 'a string, found 1'],
    [{ type: 'men', id: '1', lid: 'a' }, '/data/lid', "no 'lid' beside an 'id', found 'a'"],
    [{ type: 'men', attributes: [] }, '/data/attributes', 'an object, found an array'],
    [{ type: 'men', attributes: null }, '/data/attributes', 'an object, found null'],
    [{ type: 'men', relationships: [] }, '/data/relationships', 'an object, found an array'],
    [relating({ wife: null }), '/data/relationships/wife', 'an object, found null'],
    [relating({ wife: [] }), '/data/relationships/wife', 'an object, found an array'],
    [relating({ wife: {} }), '/data/relationships/wife', "a member 'data', found nothing"],
    [relating({ wife: { meta: {} } }), '/data/relationships/wife', "a member 'data', found nothing"],
    [
      relating({ wife: { data: [] } }),
      '/data/relationships/wife/data',
      'a resource identifier or null, found an array',
    ],
    [relating({ wife: { data: 'x' } }), '/data/relationships/wife/data', "an object, found 'x'"],
    [relating({ children: { data: null } }), '/data/relationships/children/data', 'an array of resource identifiers'],
    [relating({ children: { data: {} } }), '/data/relationships/children/data', 'identifiers, found an object'],
    [relating({ children: { data: [1] } }), '/data/relationships/children/data/0', 'an object, found 1'],
    [relating({ nope: { data: [null] } }), '/data/relationships/nope/data/0', 'an object, found null'],
    [relating({ wife: { data: { id: '2' } } }), '/data/relationships/wife/data', "'type' that is a string"],
    [relating({ wife: { data: { type: 'women' } } }), '/data/relationships/wife/data', "'id' that is a string"],
    [relating({ wife: { data: { type: 1, id: '2' } } }), '/data/relationships/wife/data/type', 'a string, found 1'],
    [relating({ wife: { data: { type: 'women', id: 2 } } }), '/data/relationships/wife/data/id', 'found 2'],
    [relating({ wife: { data: { type: 'women', lid: 2 } } }), '/data/relationships/wife/data/lid', 'found 2'],
    [
      relating({ wife: { data: { type: 'women', id: '2', lid: 'a' } } }),
      '/data/relationships/wife/data/lid',
      "no 'lid' beside an 'id'",
    ],
  ])('is checked in %j', (data, place, words) => {
    expectProblems(() => create(data), `400 document.shape ${place}`)
    expect(problemsOf(() => create(data))[0]?.detail).toContain(words)
  })

  it('is checked first, with all mistakes together', () => {
    const data = {
      id: 5,
      attributes: { nope: 1, age: 'x' },
      relationships: { wife: {}, children: { data: [{ type: 'men' }, { id: '1' }, {}] } },
    }
    expectProblems(
      () => create({ ...data, type: 'men' }),
      ...['400 document.shape /data/id', '400 document.shape /data/relationships/wife'],
      ...['400 document.shape /data/relationships/children/data/0'],
      ...['400 document.shape /data/relationships/children/data/1'],
      ...['400 document.shape /data/relationships/children/data/2'],
      ...['400 document.shape /data/relationships/children/data/2'],
    )
    expect(summariesOf(() => create(data))[0]).toBe('400 document.shape /data')
  })

  it.each(['create', 'updateOne'] as const)('refuses included resources with fields in a request to %s', (purpose) => {
    const read = (included: JsonValue) => () =>
      readPrimaryShape({ data: { type: 'men', id: '7' }, included }, purpose, graph)
    const named = { type: 'women', id: '2' }
    expect(read([])).not.toThrow()
    expect(read([named, { ...named, attributes: {}, links: {}, meta: {} }])).not.toThrow()
    expectProblems(read(null), '400 document.shape /included')
    expectProblems(
      read(['women', { id: '2' }, { type: 'women' }]),
      '400 document.shape /included/0',
      '400 document.shape /included/1',
      '400 document.shape /included/2',
    )
    const attributes = { name: 'Eve' }
    expectProblems(read([named, { ...named, attributes }]), '400 document.shape /included/1/attributes')
    const relationships = { husband: { data: null } }
    expectProblems(read([{ ...named, relationships }]), '400 document.shape /included/0/relationships')
  })

  it('requires an id and refuses a local id on update', () => {
    expectProblems(() => update({ type: 'men' }), '400 document.shape /data')
    expect(problemsOf(() => update({ type: 'men' }))[0]?.detail).toContain("a member 'id'")
    expectProblems(() => update({ type: 'men', id: 7 }), '400 document.shape /data/id')
    expectProblems(() => update({ type: 'men', id: '7', lid: 'a' }), '400 document.shape /data/lid')
  })
})

describe('the type of a resource object', () => {
  it.each([
    [
      ...['humans', 'humans', '422 document.type-abstract'],
      ...["the abstract type 'humans'. Name 'men' or 'knights' or 'women'."],
    ],
    ['humans', 'women', '422 document.type-abstract', "the abstract type 'humans'. Name 'women'."],
    ['mne', 'humans', '409 document.type-conflict', "'men' or 'knights' or 'women', found 'mne'. Did you mean 'men'?"],
    ['', 'humans', '409 document.type-conflict', "found ''"],
    ['constructor', 'humans', '409 document.type-conflict', "found 'constructor'"],
    ['samples', 'humans', '409 document.type-conflict', "found 'samples'"],
    ['women', 'men', '409 document.type-conflict', "Expected 'men' or 'knights', found 'women'"],
    ['men', 'knights', '409 document.type-conflict', "Expected 'knights', found 'men'"],
  ])('refuses %s at %s without further errors', (name, endpoint, summary, words) => {
    const endpointType = graph.types.get(endpoint) ?? type.humans
    const data = { type: name, id: '9', attributes: { nope: 1 } }
    for (const read of [() => create(data, endpointType), () => update(data, endpointType)]) {
      expectProblems(read, `${summary} /data/type`)
      expect(problemsOf(read)[0]?.detail).toContain(words)
    }
  })

  it('may be derived from the type of the endpoint', () => {
    expect(create({ type: 'knights', id: '1' }, type.men).type).toBe(type.knights)
    expect(update({ type: 'knights', id: '7' }, type.humans).type).toBe(type.knights)
  })
})

describe('the id of a created resource', () => {
  it.each([
    ['women', { id: '1' }, '403 resource.client-id /data/id', "Expected no id for 'women', found '1'."],
    ['knights', {}, '422 resource.id-value /data', "Expected an id for 'knights', found nothing."],
    ['knights', { lid: 'a' }, '422 resource.id-value /data', "Expected an id for 'knights'"],
    ['men', { id: '' }, '422 resource.id-value /data/id', 'an id that is not empty'],
    ['men', { id: '01' }, '422 resource.id-value /data/id', "an integer in digits, found '01'"],
    ['men', { id: '-0' }, '422 resource.id-value /data/id', 'an integer in digits'],
    ['men', { id: '1e3' }, '422 resource.id-value /data/id', 'an integer in digits'],
    ['men', { id: '0' }, '422 resource.id-value /data/id', 'between 1 and 2147483647'],
    ['men', { id: '2147483648' }, '422 resource.id-value /data/id', 'between 1 and 2147483647'],
    ['men', { id: '1'.repeat(31) }, '422 resource.id-value /data/id', 'an integer between'],
    ['samples', { id: 'abc' }, '422 resource.id-value /data/id', 'a UUID like'],
  ])('of %s refuses %j', (name, identity, summary, detail) => {
    const read = () => create({ type: name, ...identity }, graph.types.get(name))
    expectProblems(read, summary)
    expect(problemsOf(read)[0]?.detail).toContain(detail)
  })

  it('is accepted with clientIds', () => {
    const uuid = '123e4567-e89b-42d3-a456-426614174000'
    expect(create({ type: 'men', id: '12' }).id).toBe('12')
    expect(create({ type: 'samples', id: uuid.toUpperCase() }, type.samples).id).toBe(uuid)
    expect(create({ type: 'men', lid: 'a' }).id).toBeUndefined()
  })

  it('is checked against the range of the key', () => {
    const shape = (id: string) => readPrimaryShape({ data: { type: 'men', id } }, 'create', graph)
    const read = (id: string, men: ResourceType) => {
      const types = new Map([...graph.types, ['men', men]])
      return readNew(shape(id), men, { ...graph, types }).id
    }
    const bigints = withIds(type.men, 'allowed', { valueType: 'bigint' })
    const texts = withIds(type.men, 'allowed', { valueType: 'string', maximumLength: 2 })
    expect(read('9007199254740993', bigints)).toBe('9007199254740993')
    expectProblems(() => read('007', bigints), '422 resource.id-value /data/id')
    expect(read('é/', texts)).toBe('é/')
    expectProblems(() => read('abc', texts), '422 resource.id-value /data/id')
  })
})

describe('the id of an updated resource', () => {
  it('must equal the id of the URL', () => {
    expect(update({ type: 'men', id: '7' })).toMatchObject({ type: type.men, id: '7' })
    expect(problemsOf(() => update({ type: 'men', id: '8', attributes: { age: 'x' } }))).toMatchObject([
      {
        status: 409,
        code: 'document.id-conflict',
        source: { pointer: '/data/id' },
        detail: "Expected the id of the URL, '7', found '8'.",
      },
      { status: 422, code: 'attribute.value' },
    ])
  })
})

describe('the fields of a resource object', () => {
  it.each<[object, string, string]>([
    [{ attributes: { hasbeard: 1 } }, '422 attribute.unknown /data/attributes/hasbeard', "Did you mean 'hasBeard'?"],
    [{ attributes: { maidenName: 'x' } }, '422 attribute.unknown /data/attributes/maidenName', "of 'men'"],
    [{ attributes: { wife: null } }, '422 attribute.unknown /data/attributes/wife', "send it under 'relationships'"],
    [{ attributes: { id: '1' } }, '422 attribute.unknown /data/attributes/id', "stands beside 'attributes'"],
    [{ attributes: { type: 'x' } }, '422 attribute.unknown /data/attributes/type', "stands beside 'attributes'"],
    [{ attributes: { 'a:b': 1 } }, '422 attribute.unknown /data/attributes/a:b', "found 'a:b'"],
    [{ attributes: { '': 1 } }, '422 attribute.unknown /data/attributes/', "found ''"],
    [{ attributes: { createdAt: 'x' } }, '422 attribute.read-only /data/attributes/createdAt', 'the server maintains'],
    [{ attributes: { age: 151 } }, '422 attribute.value /data/attributes/age', 'an integer between 0 and 150'],
    [{ relationships: { wive: { data: null } } }, '422 relationship.unknown /data/relationships/wive', "mean 'wife'?"],
    [
      { relationships: { name: { data: null } } },
      '422 relationship.unknown /data/relationships/name',
      "send it under 'attributes'",
    ],
    [
      { relationships: { husband: { data: null } } },
      '422 relationship.unknown /data/relationships/husband',
      "a relationship of 'men'",
    ],
  ])('are checked in %j', (members, summary, words) => {
    const data = { type: 'men', ...members }
    for (const read of [() => create(data), () => update({ ...data, id: '7' })]) {
      expectProblems(read, summary)
      expect(problemsOf(read)[0]?.detail).toContain(words)
    }
  })

  it('are checked together, each with its own status', () => {
    const data = {
      type: 'women',
      id: '1',
      attributes: { nope: 1, name: 'Elizabeth', age: 30 },
      relationships: {
        husband: { data: { type: 'humans', id: '1' } },
        children: { data: ['samples', 'human'].map((name) => ({ type: name, id: '1' })) },
      },
    }
    expectProblems(
      () => create(data),
      ...['403 resource.client-id /data/id', '422 attribute.unknown /data/attributes/nope'],
      ...['422 attribute.value /data/attributes/name'],
      ...['422 document.type-abstract /data/relationships/husband/data/type'],
      ...['409 document.type-conflict /data/relationships/children/data/0/type'],
      ...['422 document.type-unknown /data/relationships/children/data/1/type'],
    )
  })

  it('refuse to clear a required to-one relationship', () => {
    const owner = { data: null }
    const summary = ['422 relationship.required /data/relationships/owner/data']
    expect(summariesOf(() => create({ type: 'samples', relationships: { owner } }, type.samples))).toEqual(summary)
    expect(summariesOf(() => update({ type: 'samples', id: '7', relationships: { owner } }, type.samples))).toEqual(
      summary,
    )
  })
})

function relating(relationships: object): object {
  return { type: 'men', relationships }
}
