import type { JsonValue } from '../../../src/document/json'
import type { Relationship } from '../../../src/graph/resource-graph'
import type { LocalResource, RequestedLinkage } from '../../../src/records/change'
import { onlyItself } from '../../../src/request/local-names'
import { readLinkage } from '../../../src/request/read-linkage'
import { readLinkageShape } from '../../../src/request/read-linkage-shape'
import { graph, relationshipOf, type } from './support/graph'
import { expectProblems, problemsOf } from './support/problems'

const children = relationshipOf(type.men, 'children')
const wife = relationshipOf(type.men, 'wife')
const owner = relationshipOf(type.samples, 'owner')

function read(
  data: JsonValue,
  relationship: Relationship,
  place: 'resourceObject' | 'relationshipEndpoint' = 'resourceObject',
  created?: LocalResource,
): RequestedLinkage {
  const shape = readLinkageShape(data, '/data', relationship.kind)
  return readLinkage(shape, { relationship, graph, place, locals: onlyItself(created), mostIdentifiers: null })
}

describe('reading linkage', () => {
  it.each([
    ['men', children],
    ['knights', children],
    ['women', wife],
    ['men', relationshipOf(type.knights, 'father')],
  ])('accepts %s', (name, relationship) => {
    const identifier = { type: name, id: '01' }
    const data = relationship.kind === 'toMany' ? [identifier] : identifier
    expect(() => read(data, relationship)).not.toThrow()
  })

  it('accepts a concrete base of the target', () => {
    const relationship = { ...relationshipOf(type.men, 'father'), target: type.knights }
    expect(read({ type: 'men', id: '1' }, relationship)).toMatchObject({ identifier: { type: type.men, id: '1' } })
  })

  it('accepts an abstract type at a relationship endpoint', () => {
    expect(read([{ type: 'humans', id: '1' }], children, 'relationshipEndpoint')).toMatchObject({
      identifiers: [{ kind: 'existing', type: type.humans, id: '1', pointer: '/data/0' }],
    })
    expect(read({ type: 'humans', id: '1' }, wife, 'relationshipEndpoint')).toMatchObject({
      identifier: { type: type.humans },
    })
  })

  it.each<[JsonValue, Relationship, string, string]>([
    [{ type: 'womem', id: '1' }, wife, '422 document.type-unknown /data/type', "Did you mean 'women'?"],
    [{ type: '', id: '1' }, wife, '422 document.type-unknown /data/type', "a resource type, found ''."],
    [
      { type: 'men', id: '1' },
      wife,
      '409 document.type-conflict /data/type',
      "'women', or a type above or below it, in 'wife'",
    ],
    [[{ type: 'samples', id: '1' }], children, '409 document.type-conflict /data/0/type', "found 'samples'"],
    [null, owner, '422 relationship.required /data', "'owner', which can't be empty"],
  ])('refuses %j', (data, relationship, summary, words) => {
    for (const place of ['resourceObject', 'relationshipEndpoint'] as const) {
      expectProblems(() => read(data, relationship, place), summary)
      expect(problemsOf(() => read(data, relationship, place))[0]?.detail).toContain(words)
    }
  })

  it('refuses an abstract type in a resource object', () => {
    expectProblems(() => read({ type: 'humans', id: '1' }, wife), '422 document.type-abstract /data/type')
    expect(problemsOf(() => read({ type: 'humans', id: '1' }, relationshipOf(type.samples, 'tags')))).toHaveLength(1)
    const tags = relationshipOf(type.samples, 'tags')
    expectProblems(() => read([{ type: 'humans', id: '1' }], tags), '422 document.type-abstract /data/0/type')
  })

  it('removes duplicates and keeps the first', () => {
    const data = [
      { type: 'men', id: '1' },
      { type: 'women', id: '1' },
      { type: 'men', id: '1', meta: {} },
      { type: 'men', id: '2' },
    ]
    expect(read(data, children)).toEqual({
      kind: 'toMany',
      pointer: '/data',
      identifiers: [
        { kind: 'existing', type: type.men, id: '1', pointer: '/data/0' },
        { kind: 'existing', type: type.women, id: '1', pointer: '/data/1' },
        { kind: 'existing', type: type.men, id: '2', pointer: '/data/3' },
      ],
    })
  })
})

describe('reading a local id in linkage', () => {
  const knight: LocalResource = { type: type.knights, lid: 'me' }

  it('accepts the created resource by its type or a base', () => {
    const data = [
      { type: 'knights', lid: 'me' },
      { type: 'men', id: '1' },
      { type: 'men', lid: 'me' },
    ]
    expect(read(data, children, 'resourceObject', knight)).toMatchObject({
      identifiers: [
        { kind: 'created', pointer: '/data/0' },
        { kind: 'existing', id: '1' },
      ],
    })
  })

  it.each<[JsonValue, LocalResource | undefined]>([
    [{ type: 'men', lid: 'ghost' }, knight],
    [{ type: 'women', lid: 'me' }, knight],
    [
      { type: 'knights', lid: 'me' },
      { type: type.men, lid: 'me' },
    ],
    [{ type: 'men', lid: 'me' }, undefined],
  ])('refuses %j', (identifier, created) => {
    expectProblems(() => read([identifier], children, 'resourceObject', created), '400 document.lid-unknown /data/0')
  })

  it('refuses a resource of a type outside the relationship', () => {
    const squire = { ...relationshipOf(type.men, 'squire'), target: type.knights }
    const created = { type: type.men, lid: 'me' }
    expectProblems(
      () => read({ type: 'men', lid: 'me' }, squire, 'resourceObject', created),
      '400 document.lid-unknown /data',
    )
  })

  it('refuses a local id at a relationship endpoint', () => {
    const read1 = () => read([{ type: 'humans', lid: 'me' }], children, 'relationshipEndpoint')
    expect(problemsOf(read1)).toMatchObject([
      { code: 'document.lid-unknown', detail: "Expected an 'id', found the local id 'me' of 'humans'." },
    ])
  })
})
