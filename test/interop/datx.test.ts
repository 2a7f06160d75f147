import { Attribute, Collection, Model } from '@datx/core'
import { config, fetchModelRefLink, jsonapiCollection, jsonapiModel, saveRelationship } from '@datx/jsonapi'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startFamily } from './support/examples'
import { fetchFrom } from './support/fetch-from'

/** Models declare no relationships. They have and save only relationships with linkage. */
class Human extends jsonapiModel(Model) {
  static override type = 'humans'
  @Attribute() name!: string
}

class Man extends Human {
  static override type = 'men'
  @Attribute() hasBeard!: boolean
  declare wife: Woman | null
}

class Woman extends Human {
  static override type = 'women'
  @Attribute() maidenName!: string
  declare husband: Man | null
  declare bestFriend: Human | null
  declare children: readonly Human[]
}

class Family extends jsonapiCollection(Collection) {
  static override types = [Human, Man, Woman]
}

const family = setUp(startFamily)
let store: Family
beforeAll(async () => {
  config.baseUrl = `${family.url}/`
  config.fetchReference = fetchFrom(family.url)
})
beforeEach(() => {
  store = new Family()
})

it('reads a hierarchy by pages, as instances of derived models', async () => {
  const custom = [{ key: 'page[size]', value: '3' }, 'page[number]=2']
  const response = await store.getMany<Woman>('humans', {
    queryParams: { include: ['husband', 'children'], sort: '-name', fields: { men: ['name'] }, custom },
  })
  const women = response.data as Woman[]
  expect(women.map((human) => [human instanceof Woman, human.name])).toEqual([
    [true, 'Irene'],
    [true, 'Hannah'],
    [true, 'Greta'],
  ])
  expect(women[0]?.husband).toBeInstanceOf(Man)
  expect(women[1]?.children.map((child) => [child instanceof Man, child.name])).toEqual([
    [false, 'Irene'],
    [true, 'Edwin'],
  ])
  const next = (await response.next?.())?.data as Human[] | undefined
  expect(next?.map(({ name }) => name)).toEqual(['Felix', 'Edwin', 'David'])
})

it('reads all pages, and a resource through its base', async () => {
  const { data } = await store.getAll<Human>('humans', { queryParams: { custom: ['page[size]=5'] } })
  expect(data.map((human) => human instanceof Man)).toEqual(data.map(({ meta }) => Number(meta.id) % 2 === 1))
  expect(data).toHaveLength(12)
  const hannah = (await store.getOne<Woman>('humans', '4', { queryParams: { include: 'bestFriend' } })).data as Woman
  expect([hannah instanceof Woman, hannah.bestFriend instanceof Man]).toEqual([true, true])
})

it('follows links of a model', async () => {
  const arthur = (await store.getOne<Man>(Man, '1')).data as Man
  const { data } = await fetchModelRefLink<Woman>(arthur, 'wife', 'related')
  expect((data as Woman).maidenName).toBe('Hill')
})

it('creates, updates and deletes', async () => {
  const woman = store.add({ name: 'Ada', maidenName: 'Byron' }, Woman)
  await woman.save()
  const { id } = woman.meta
  woman.name = 'Augusta'
  await woman.save()
  expect((await family.get(`/humans/${id}`)).body.data.attributes).toEqual({ name: 'Augusta', maidenName: 'Byron' })
  await woman.destroy()
  expect((await family.get(`/women/${id}`)).status).toBe(404)
})

it('saves relationships with linkage', async () => {
  const { data } = await store.getOne<Man>('humans', '9', { queryParams: { include: ['wife', 'father'] } })
  const david = data as Man
  david.wife = (await store.getOne<Woman>(Woman, '10')).data as Woman
  await david.save()
  const linkage = async (name: string) => (await family.get(`/men/9/relationships/${name}`)).body.data
  expect(await linkage('wife')).toEqual({ type: 'women', id: '10' })
  expect([await linkage('father'), await linkage('mother')]).toMatchObject([{ id: '5' }, { id: '6' }])
  david.wife = (await store.getOne<Woman>(Woman, '8')).data as Woman
  await saveRelationship(david, 'wife')
  expect(await linkage('wife')).toEqual({ type: 'women', id: '8' })
})

it('reads error responses', async () => {
  const arthur = (await store.getOne<Man>(Man, '1')).data as Man
  arthur.hasBeard = true
  expect(await errorsIn(arthur.save())).toEqual(['422 rule.rejected /data/attributes/hasBeard'])
  const filter = { name: 'Arthur' }
  expect(await errorsIn(store.getMany(Man, { queryParams: { filter } }))).toEqual(['400 query.filter filter[name]'])
})
