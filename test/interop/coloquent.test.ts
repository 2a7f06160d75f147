import { Model, PaginationStrategy, type SaveResponse, type ToManyRelation, type ToOneRelation } from 'coloquent'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { FOR_SIMPLE_CLIENTS, startFamily } from './support/examples'

const family = setUp(() => startFamily(FOR_SIMPLE_CLIENTS))
const plain = setUp(startFamily)
/** The folder of the models. */
let origin: string
beforeEach(() => {
  origin = family.url
})

class Human extends Model {
  static override paginationStrategy = PaginationStrategy.PageBased
  static override pageSize = 2
  protected jsonApiType = 'humans'
  getJsonApiBaseUrl(): string {
    return `${origin}/`
  }
  bestFriend(): ToOneRelation {
    return this.hasOne(Human, 'bestFriend')
  }
  children(): ToManyRelation {
    return this.hasMany(Human, 'children')
  }
  get name(): string {
    return this.getAttribute('name')
  }
  set(name: string, value: unknown): this {
    this.setAttribute(name, value)
    return this
  }
  related(name: string): Human & Human[] {
    return this.getRelation(name)
  }
}

class Man extends Human {
  protected override jsonApiType = 'men'
  wife(): ToOneRelation {
    return this.hasOne(Woman, 'wife')
  }
}

class Woman extends Human {
  protected override jsonApiType = 'women'
}

const dataOf = (response: object) => (response as { getData(): unknown }).getData() as readonly Human[]
const savedName = (response: SaveResponse) => (response.getModel() as Human | null)?.name

it('reads pages with included resources', async () => {
  const men = dataOf(await Man.with(['wife', 'children']).orderBy('name').get(2))
  expect(men.map((man) => [man.getApiId(), man.name])).toEqual([
    ['5', 'Conrad'],
    ['9', 'David'],
  ])
  expect(men[0]?.related('wife')).toBeInstanceOf(Woman)
  expect(men[0]?.related('children').map(({ name }) => name)).toEqual(['David', 'Judith'])
})

it('reads a hierarchy as the requested class', async () => {
  const humans = dataOf(await Human.where('id', '1,2').get())
  expect(humans.map((human) => [human.constructor.name, human.getAttributes()])).toEqual([
    ['Human', { name: 'Arthur', hasBeard: false }],
    ['Human', { name: 'Greta', maidenName: 'Hill' }],
  ])
})

it('filters by attributes and by ids of to-one relationships', async () => {
  const found = async (field: string, value: string) =>
    dataOf(await Human.where(field, value).get()).map(({ name }) => name)
  expect(await found('name', 'Greta')).toEqual(['Greta'])
  expect(await found('hasBeard', 'true')).toEqual(['Bernard', 'Edwin'])
  expect(await found('wife', '2,4')).toEqual(['Arthur', 'Bernard'])
  expect(dataOf(await Human.option('filter', "equals(name,'Greta')").get())).toHaveLength(1)
})

it('reads related resources', async () => {
  const arthur = (await Man.find('1')).getData() as Man
  const children = dataOf(await arthur.children().get())
  expect(children.map(({ name }) => name)).toEqual(['Conrad', 'Karen'])
})

it('creates, updates, links and deletes', async () => {
  const ada = new Woman().set('name', 'Ada').set('maidenName', 'Byron')
  const arthur = (await Man.find('1')).getData() as Man
  ada.setRelation('bestFriend', arthur)
  ada.setRelation('children', [arthur])
  await ada.save()
  expect(savedName(await ada.set('name', 'Augusta').save())).toBe('Augusta')
  const read = (await Woman.with(['bestFriend', 'children']).find(String(ada.getApiId()))).getData() as Woman
  expect([read.related('bestFriend').name, read.related('children').length]).toEqual(['Arthur', 1])
  await ada.delete()
  await expect(Woman.find(String(ada.getApiId()))).rejects.toThrow('404')
})

it('reads error responses', async () => {
  const arthur = new Man()
  arthur.setApiId('1')
  expect(await errorsIn(arthur.set('hasBeard', true).save())).toEqual(['422 rule.rejected /data/attributes/hasBeard'])
})

it('throws for an update without the options, although the update succeeds', async () => {
  origin = plain.url
  const arthur = new Man()
  arthur.setApiId('1')
  await expect(arthur.set('name', 'Art').save()).rejects.toThrow(TypeError)
  expect((await plain.get('/men/1')).body.data.attributes.name).toBe('Art')
  await expect(Human.where('name', 'Greta').get()).rejects.toThrow('400')
})
