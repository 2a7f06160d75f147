import { checkRequired } from '../../../src/request/check-required'
import { attributeOf, relationshipOf, type } from './support/graph'
import { expectProblems, problemsOf } from './support/problems'

const name = attributeOf(type.men, 'name')
const owner = relationshipOf(type.samples, 'owner')

describe('required fields on create', () => {
  it('are accepted when they are filled in', () => {
    const sent = { document: { data: {} }, pointer: '/data' }
    expect(() => checkRequired(type.men, new Set([name]), sent)).not.toThrow()
    expect(() => checkRequired(type.samples, new Set([owner]), sent)).not.toThrow()
  })

  it.each([
    [{ data: { type: 'men' } }, '/data', '/data'],
    [{ data: { type: 'men', attributes: {} } }, '/data', '/data/attributes'],
    [{ data: { type: 'men', attributes: { name: 'x' } } }, '/data', '/data/attributes/name'],
    [{ ops: [{ data: { attributes: {} } }] }, '/ops/0/data', '/ops/0/data/attributes'],
  ])('are reported with the pointer of the nearest member in %j', (document, pointer, place) => {
    expect(problemsOf(() => checkRequired(type.men, new Set(), { document, pointer }))).toMatchObject([
      {
        status: 422,
        code: 'attribute.required',
        source: { pointer: place },
        detail: "Expected 'name' in 'attributes', found nothing.",
      },
    ])
  })

  it('include relationships that are not nullable', () => {
    const samples = { ...type.samples, attributes: [...type.samples.attributes, name] }
    const sent = { document: { data: { relationships: {} } }, pointer: '/data' }
    expectProblems(
      () => checkRequired(samples, new Set(), sent),
      '422 attribute.required /data',
      '422 relationship.required /data/relationships',
    )
  })
})
