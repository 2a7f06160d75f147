import type { RequestOptions } from '@orbit/data'
import { JSONAPISerializers, JSONAPISource, JSONAPIURLBuilder } from '@orbit/jsonapi'
import {
  type ModelDefinition,
  type OffsetLimitPageSpecifier,
  type PageSpecifier,
  type RecordIdentity,
  RecordKeyMap,
  type RecordQueryBuilder,
  RecordSchema,
  type RecordTransformBuilder,
} from '@orbit/records'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startFamily } from './support/examples'

const human = {
  keys: { remoteId: {} },
  attributes: { name: { type: 'string' } },
  relationships: {
    father: { kind: 'hasOne', type: 'men' },
    bestFriend: { kind: 'hasOne', type: ['men', 'women'] },
    children: { kind: 'hasMany', type: ['men', 'women'] },
  },
} satisfies ModelDefinition
const man: ModelDefinition = {
  ...human,
  attributes: { ...human.attributes, hasBeard: { type: 'boolean' } },
  relationships: { ...human.relationships, wife: { kind: 'hasOne', type: 'women' } },
}
const woman: ModelDefinition = {
  ...human,
  attributes: { ...human.attributes, maidenName: { type: 'string' } },
  relationships: { ...human.relationships, husband: { kind: 'hasOne', type: 'men' } },
}
const schema = new RecordSchema({ models: { humans: human, men: man, women: woman } })

/** Orbit paginates by the number of records to skip. */
class PagesByNumber extends JSONAPIURLBuilder {
  override buildPageParam(page: PageSpecifier): { number: number; size: number } {
    const { offset = 0, limit = 10 } = page as OffsetLimitPageSpecifier
    return { number: offset / limit + 1, size: limit }
  }
}

/** By default Orbit changes types to plurals, and writes fields with dashes. */
const AS_THEY_ARE = new Set<string>([JSONAPISerializers.ResourceTypePath, JSONAPISerializers.ResourceFieldPath])
const family = setUp(startFamily)
let keyMap: RecordKeyMap
let source: JSONAPISource<RequestOptions, RequestOptions, RecordQueryBuilder, RecordTransformBuilder>
beforeAll(async () => {
  keyMap = new RecordKeyMap()
  source = new JSONAPISource({
    schema,
    keyMap,
    name: 'family',
    host: family.url,
    URLBuilderClass: PagesByNumber,
    serializerSettingsFor: (type) =>
      AS_THEY_ARE.has(String(type)) ? { serializationOptions: { inflectors: [] } } : {},
  })
})
// The queue of Orbit waits after an error.
afterEach(() => source.requestQueue.clear())

it('reads a hierarchy by pages, each record by its own model', async () => {
  const found = await source.query((q) => q.findRecords('humans').sort('-name').page({ offset: 3, limit: 3 }), {
    include: ['husband', 'children'],
  })
  expect(found).toMatchObject([
    { type: 'women', attributes: { name: 'Irene', maidenName: 'Archer' } },
    { type: 'women', attributes: { name: 'Hannah' } },
    { type: 'women', attributes: { name: 'Greta' } },
  ])
  const [irene] = found as readonly { relationships: Record<string, { data: unknown }> }[]
  expect(irene?.relationships.husband?.data).toEqual(idOf('men', '5'))
  expect(irene?.relationships.children?.data).toEqual([idOf('men', '9'), idOf('women', '10')])
})

it('reads related records', async () => {
  const friend = await source.query((q) => q.findRelatedRecord(idOf('women', '4'), 'bestFriend'))
  expect(friend).toMatchObject({ type: 'men', keys: { remoteId: '1' } })
  const children = await source.query((q) =>
    q.findRelatedRecords(idOf('men', '1'), 'children').page({ offset: 1, limit: 1 }),
  )
  expect(children).toMatchObject([{ type: 'women', attributes: { name: 'Karen' } }])
})

it('creates, updates and deletes', async () => {
  const attributes = { name: 'Ada', maidenName: 'Byron' }
  const created = await source.update<RecordIdentity>((t) =>
    t.addRecord({ type: 'women', attributes, relationships: { bestFriend: { data: idOf('men', '1') } } }),
  )
  const id = keyMap.idToKey('women', 'remoteId', created.id)
  expect((await family.get(`/women/${id}/relationships/bestFriend`)).body.data).toEqual({ type: 'men', id: '1' })
  await source.update((t) => t.replaceAttribute(created, 'name', 'Augusta'))
  expect((await family.get(`/humans/${id}`)).body.data.attributes.name).toBe('Augusta')
  await source.update((t) => t.removeRecord(created))
  expect((await family.get(`/women/${id}`)).status).toBe(404)
})

it('changes relationships', async () => {
  const david = idOf('men', '9')
  const [judith, felix] = [idOf('women', '10'), idOf('men', '11')]
  const linkage = async (name: string) => (await family.get(`/men/9/relationships/${name}`)).body.data
  await source.update((t) => t.replaceRelatedRecord(david, 'wife', judith))
  expect(await linkage('wife')).toEqual({ type: 'women', id: '10' })
  await source.update((t) => t.replaceRelatedRecord(david, 'wife', null))
  expect(await linkage('wife')).toBeNull()
  await source.update((t) => t.addToRelatedRecords(david, 'children', judith))
  await source.update((t) => t.addToRelatedRecords(david, 'children', felix))
  await source.update((t) => t.removeFromRelatedRecords(david, 'children', judith))
  expect(await linkage('children')).toEqual([{ type: 'men', id: '11' }])
  await source.update((t) => t.replaceRelatedRecords(david, 'children', []))
  expect(await linkage('children')).toEqual([])
})

it('reads error responses and continues', async () => {
  const arthur = idOf('men', '1')
  expect(await errorsIn(source.update((t) => t.replaceAttribute(arthur, 'hasBeard', true)))).toEqual([
    '422 rule.rejected /data/attributes/hasBeard',
  ])
  await source.requestQueue.skip()
  const filtered = source.query((q) => q.findRecords('men').filter({ attribute: 'name', value: 'Arthur' }))
  expect(await errorsIn(filtered)).toEqual(['400 query.filter filter[name]'])
  await source.requestQueue.skip()
  const url = `${family.url}/men?filter=equals(name,'Arthur')`
  expect(await source.query((q) => q.findRecords('men'), { url })).toMatchObject([{ keys: { remoteId: '1' } }])
})

/** A record, which has a client-side id. */
function idOf(type: string, remoteId: string): RecordIdentity {
  const id = keyMap.keyToId(type, 'remoteId', remoteId) ?? schema.generateId(type)
  keyMap.pushRecord({ type, id, keys: { remoteId } })
  return { type, id }
}
