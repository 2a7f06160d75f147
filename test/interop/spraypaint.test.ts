import { Attr, BelongsTo, HasMany, Model, SpraypaintBase } from 'spraypaint'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startFamily } from './support/examples'

@Model()
class Family extends SpraypaintBase {
  static override baseUrl = ''
  static override apiNamespace = ''
  static override keyCase = { server: 'camel', client: 'camel' } as const
}

@Model()
class Human extends Family {
  static override jsonapiType = 'humans'
  static override endpoint = '/humans'
  @Attr() name!: string
  @BelongsTo('humans') bestFriend!: Human | null
  @HasMany('humans') children!: Human[]
}

@Model()
class Man extends Human {
  static override jsonapiType = 'men'
  static override endpoint = '/men'
  @Attr() hasBeard!: boolean
  @BelongsTo('women') wife!: Woman | null
}

@Model()
class Woman extends Human {
  static override jsonapiType = 'women'
  static override endpoint = '/women'
  @Attr() maidenName!: string
  @BelongsTo('men') husband!: Man | null
}

const family = setUp(startFamily)
beforeAll(async () => {
  for (const model of [Family, Human, Man, Woman]) model.baseUrl = family.url
})

it('reads a hierarchy by pages, as instances of derived models', async () => {
  const scope = Human.page(2)
    .per(3)
    .order({ name: 'desc' })
    .includes(['husband', 'children'])
    .select({ men: ['name'] })
  const { data, meta } = await scope.all()
  expect(data.map((human) => [human instanceof Woman, human.id])).toEqual([
    [true, '6'],
    [true, '4'],
    [true, '2'],
  ])
  const [irene] = data as unknown as readonly Woman[]
  expect(irene?.husband).toBeInstanceOf(Man)
  expect(irene?.children.map((child) => [child instanceof Man, child.name])).toEqual([
    [true, 'David'],
    [false, 'Judith'],
  ])
  expect(meta).toEqual({ total: 12 })
})

it('reads a resource through its base', async () => {
  const { data } = await Human.includes('bestFriend').find('4')
  expect(data).toBeInstanceOf(Woman)
  expect(data.bestFriend).toBeInstanceOf(Man)
  const filtered = await Human.extraParams({ filter: "isType(,women,startsWith(maidenName,'Car'))" }).all()
  expect(filtered.data.map(({ name }) => name)).toEqual(['Karen', 'Judith'])
})

it('creates, updates and deletes', async () => {
  const woman = new Woman({ name: 'Ada', maidenName: 'Byron' })
  expect(await woman.save()).toBe(true)
  const { data: stored } = await Human.find(String(woman.id))
  stored.name = 'Augusta'
  expect(await stored.save()).toBe(true)
  expect((await family.get(`/women/${woman.id}`)).body.data.attributes.name).toBe('Augusta')
  expect(await stored.destroy()).toBe(true)
  expect(await errorsIn(Woman.find(String(woman.id)))).toEqual(['404 resource.not-found'])
})

it('sends the new to-one resource in included', async () => {
  const [{ data: conrad }, { data: judith }] = await Promise.all([Man.find('9'), Woman.find('10')])
  conrad.wife = judith
  expect(await conrad.save({ with: 'wife.id' })).toBe(true)
  expect((await family.get('/men/9/relationships/wife')).body.data).toEqual({ type: 'women', id: '10' })
  judith.name = 'Judy'
  expect(await errorsIn(conrad.save({ with: 'wife' }))).toEqual(['400 document.shape /included/0/attributes'])
})

it('reads error responses', async () => {
  const { data: arthur } = await Man.find('1')
  arthur.hasBeard = true
  expect(await errorsIn(arthur.save())).toEqual(['422 rule.rejected /data/attributes/hasBeard'])
})
