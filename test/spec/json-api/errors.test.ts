import { setUp } from '../../support/api'
import { errorsOf, outcomeOf } from '../../support/expectations'
import { startHumans } from '../../support/humans'

// https://jsonapi.org/format/1.1/#errors-processing. Members of error objects: every-response.test.ts.

const api = setUp(startHumans)
beforeAll(() => api.addMan({ name: 'Adam', hasBeard: false }))

describe('Processing Errors', () => {
  it('ER-1 several errors with the same status are returned with that status', async () => {
    const data = { type: 'men', id: '1', attributes: { nam: 1, name: 5 }, relationships: { wives: { data: null } } }
    const response = await api.unchanged(() => api.patch('/men/1').send({ data }).expect(422))
    expect(errorsOf(response)).toEqual([
      '422 attribute.unknown /data/attributes/nam',
      '422 attribute.type /data/attributes/name',
      '422 relationship.unknown /data/relationships/wives',
    ])
  }) // anchor: W/D-08

  it('ER-2 several errors with different statuses are returned with 400', async () => {
    const relationships = { father: { data: { type: 'women', id: '1' } } }
    const data = { type: 'men', id: '2', attributes: { name: 5 }, relationships }
    const response = await api.unchanged(() => api.patch('/men/1').send({ data }).expect(400))
    expect(errorsOf(response)).toEqual([
      '409 document.id-conflict /data/id',
      '422 attribute.type /data/attributes/name',
      '409 document.type-conflict /data/relationships/father/data/type',
    ])
  })

  const missing = { data: { type: 'women', id: '999' } }

  it.each([
    ['the shape', '999', { nam: 1 }, {}, '400 document.shape /data/relationships/wife'],
    ['then the names', '999', { nam: 1 }, missing, '422 attribute.unknown /data/attributes/nam'],
    ['then the resource', '999', { hasBeard: true }, missing, '404 resource.not-found'],
    ['then related resources', '1', { hasBeard: true }, missing, '404 related.not-found /data/relationships/wife/data'],
    ['then the rules', '1', { hasBeard: true }, { data: null }, '422 rule.rejected /data/attributes/hasBeard'],
  ])('a request is checked in phases: %s', async (_title, id, attributes, wife, expected) => {
    const data = { type: 'men', id, attributes, relationships: { wife } }
    expect(outcomeOf(await api.unchanged(() => api.patch(`/men/${id}`).send({ data })))).toBe(expected)
  }) // anchor: W/G-09
})
