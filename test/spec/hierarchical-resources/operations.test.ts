import { apiOver, startApi, type TestApi } from '../../support/api'
import { errorsOf } from '../../support/expectations'
import { type HumansApi, startHumans } from '../../support/humans'
import { operate, resultsOf } from '../../support/operate'
import { Boat, Ferry, Sailboat, VESSELS } from '../../support/writing-models'

// Operations go by what is stored, as single requests do. The rules of men and women: write-rules.test.ts.

let humans: HumansApi
let api: TestApi
let vessels: TestApi
let adam: string
let bert: string
let clara: string
let dora: string

beforeAll(async () => {
  humans = await startHumans()
  api = apiOver(humans, humans, humans.close)
  adam = await humans.addMan({ name: 'Adam', hasBeard: false })
  bert = await humans.addMan({ name: 'Bert', hasBeard: false })
  clara = await humans.addWoman({ name: 'Clara', maidenName: 'Clay' })
  dora = await humans.addWoman({ name: 'Dora', maidenName: 'Dorn' })
  vessels = await startApi(VESSELS)
})
afterAll(async () => {
  await api.close()
  await vessels.close()
})

const refused = async (server: TestApi, ...operations: readonly object[]) =>
  errorsOf(await server.unchanged(() => operate(server, ...operations)))

const man = (name: string, rest: object = {}) => ({ type: 'men', attributes: { name }, ...rest })
const woman = (name: string, rest: object = {}) => ({ type: 'women', attributes: { name, maidenName: name }, ...rest })

async function linked(id: string, relationship: string): Promise<unknown> {
  return (await api.get(`/humans/${id}/relationships/${relationship}`)).body.data
}

describe('what is added', () => {
  it.each([
    ['without a collection', {}, man('Emil'), 'men'],
    ['in the collection of the base', { href: '/humans' }, woman('Emma'), 'women'],
    ['in its own', { href: '/men' }, man('Emil'), 'men'],
  ])('is of the type that it names: %s', async (_where, target, data, type) => {
    const [result] = resultsOf(await operate(api, { op: 'add', ...target, data }))
    expect(result.data.type).toBe(type)
    expect(result.data.links.self).toBe(`/${type}/${result.data.id}`)
    expect((await api.get(`/humans/${result.data.id}`)).body.data).toEqual(result.data)
  })

  it.each([
    [{}, { type: 'humans', attributes: { name: 'x' } }, '422 document.type-abstract'],
    [{ href: '/humans' }, { type: 'humans', attributes: { name: 'x' } }, '422 document.type-abstract'],
    [{ href: '/men' }, woman('x'), '409 document.type-conflict'],
    [{ href: '/men' }, { type: 'cats' }, '409 document.type-conflict'],
    [{}, { type: 'cats' }, '422 document.type-unknown'],
  ])('is of a type that can be stored there: %j %j', async (target, data, expected) => {
    expect(await refused(api, { op: 'add', ...target, data })).toEqual([`${expected} /atomic:operations/0/data/type`])
  })
})

describe('what is updated', () => {
  it.each(['humans', 'men'])('may be found as one of %s', async (type) => {
    for (const target of [{ ref: { type, id: adam } }, { href: `/${type}/${adam}` }]) {
      const data = man(`Adam of ${type}`, { id: adam })
      await operate(api, { op: 'update', ...target, data }).expect(204)
      expect((await api.get(`/men/${adam}`)).body.data.attributes.name).toBe(`Adam of ${type}`)
    }
  })

  it('is not found as what it is not, and not written as that either', async () => {
    const asWoman = woman('Ada', { id: adam })
    const abstract = { type: 'humans', id: adam, attributes: { name: 'x' } }
    const update = (data: object, target: object = {}) => ({ op: 'update', ...target, data })
    expect(await refused(api, update(asWoman, { ref: { type: 'women', id: adam } }))).toEqual([
      '404 resource.not-found /atomic:operations/0/ref',
    ])
    expect(await refused(api, update(asWoman))).toEqual(['404 resource.not-found /atomic:operations/0/data'])
    expect(await refused(api, update(asWoman, { ref: { type: 'humans', id: adam } }))).toEqual([
      '409 document.type-conflict /atomic:operations/0/data/type',
    ])
    for (const target of [{}, { ref: { type: 'humans', id: adam } }]) {
      expect(await refused(api, update(abstract, target))).toEqual([
        '422 document.type-abstract /atomic:operations/0/data/type',
      ])
    }
  })
})

it.each(['humans', 'men'])('what is removed may be found as one of %s', async (type) => {
  const id = await humans.addMan({ name: 'Gone', hasBeard: false })
  expect(await refused(api, { op: 'remove', ref: { type: 'women', id } })).toEqual([
    '404 resource.not-found /atomic:operations/0/ref',
  ])
  await operate(api, { op: 'remove', ref: { type, id } }).expect(204)
  await api.get(`/men/${id}`).expect(404)
})

describe('a relationship', () => {
  const update = (type: string, id: string, relationship: string, data: unknown) => ({
    op: 'update',
    ref: { type, id, relationship },
    data,
  })

  it.each(['humans', 'women'].flatMap((left) => ['humans', 'women', 'men'].map((right) => [left, right] as const)))(
    'is set for one of %s to one of %s',
    async (left, right) => {
      const friend = right === 'men' ? adam : dora
      await operate(api, update('humans', clara, 'bestFriend', null))
      await operate(api, update(left, clara, 'bestFriend', { type: right, id: friend })).expect(204)
      expect(await linked(clara, 'bestFriend')).toEqual({ type: right === 'men' ? 'men' : 'women', id: friend })
    },
  )

  it.each(['humans', 'men'])('is refused by the rule of what is stored, for one of %s to any woman', async (left) => {
    for (const right of ['humans', 'women']) {
      expect(await refused(api, update(left, adam, 'bestFriend', { type: right, id: clara }))).toEqual([
        '422 rule.refused /atomic:operations/0/data',
      ])
    }
  })

  it('of a derived type is found by what is stored', async () => {
    const wife = update('humans', adam, 'wife', { type: 'women', id: dora })
    await operate(api, wife).expect(204)
    expect(await linked(adam, 'wife')).toEqual({ type: 'women', id: dora })
    for (const type of ['humans', 'women']) {
      expect(await refused(api, update(type, clara, 'wife', null))).toEqual([
        '404 relationship.not-found /atomic:operations/0/ref/relationship',
      ])
    }
  })

  it('has members of any type of the hierarchy, abstract ones too', async () => {
    const ref = { type: 'humans', id: clara, relationship: 'children' }
    const members = [
      { type: 'humans', id: adam },
      { type: 'men', id: adam },
      { type: 'women', id: dora },
    ]
    await operate(api, { op: 'add', ref, data: members })
    expect(await linked(clara, 'children')).toEqual([
      { type: 'men', id: adam },
      { type: 'women', id: dora },
    ])
    await operate(api, { op: 'remove', ref, data: [{ type: 'humans', id: dora }] })
    expect(await linked(clara, 'children')).toEqual([{ type: 'men', id: adam }])
    expect(await refused(api, { op: 'add', ref, data: [{ type: 'women', id: bert }] })).toEqual([
      '404 related.not-found /atomic:operations/0/data/0',
    ])
  })
})

describe('a local id', () => {
  it('is that of a type above as well', async () => {
    const answer = await operate(
      api,
      { op: 'add', data: man('Felix', { lid: 'f' }) },
      {
        op: 'add',
        data: woman('Frida', { lid: 'w', relationships: { bestFriend: { data: { type: 'men', lid: 'f' } } } }),
      },
      { op: 'update', ref: { type: 'humans', lid: 'f', relationship: 'wife' }, data: { type: 'humans', lid: 'w' } },
      { op: 'update', ref: { type: 'humans', lid: 'f' }, data: { ...man('Fritz'), lid: 'f' } },
      { op: 'add', ref: { type: 'women', lid: 'w', relationship: 'children' }, data: [{ type: 'humans', lid: 'f' }] },
    )
    const [felix, frida] = resultsOf(answer).map(({ data }: { data?: { id: string } }) => data?.id)
    expect(await linked(felix, 'wife')).toEqual({ type: 'women', id: frida })
    expect(await linked(frida, 'bestFriend')).toEqual({ type: 'men', id: felix })
    expect(await linked(frida, 'children')).toEqual([{ type: 'men', id: felix }])
    expect((await api.get(`/men/${felix}`)).body.data.attributes.name).toBe('Fritz')
  })

  it('may be the same in two types of a hierarchy, as long as it is told which is meant', async () => {
    const both = [
      { op: 'add', data: man('Gero', { lid: 'g' }) },
      { op: 'add', data: woman('Gesa', { lid: 'g', relationships: { husband: { data: { type: 'men', lid: 'g' } } } }) },
    ]
    const [gero, gesa] = resultsOf(await operate(api, ...both)).map(({ data }: { data: { id: string } }) => data.id)
    expect(await linked(gesa, 'husband')).toEqual({ type: 'men', id: gero })
    expect(await refused(api, ...both, { op: 'remove', ref: { type: 'humans', lid: 'g' } })).toEqual([
      '400 document.lid-unknown /atomic:operations/2/ref',
    ])
    const [first] = both
    const removed = { op: 'remove', ref: { type: 'men', lid: 'g' } }
    const left = { op: 'remove', ref: { type: 'humans', lid: 'g' } }
    await operate(api, ...both, removed, left).expect(200)
    expect(await refused(api, { op: 'add', data: first?.data }, removed, left)).toEqual([
      '400 document.lid-unknown /atomic:operations/2/ref',
    ])
  })

  it('of what is added itself may be used by a type above', async () => {
    const itself = { pilotBoat: { data: { type: 'boats', lid: 's' } } }
    const boat = { op: 'add', data: { type: 'sailboats', lid: 's', attributes: { name: 'Sea' } } }
    const answer = await operate(vessels, boat, { op: 'add', data: { type: 'harbours', relationships: itself } })
    const [sailboat, harbour] = resultsOf(answer).map(({ data }: { data: { id: string } }) => data.id)
    const { body } = await vessels.get(`/harbours/${harbour}/relationships/pilotBoat`)
    expect(body.data).toEqual({ type: 'sailboats', id: sailboat })
    const escort = { escort: { data: { type: 'boats', lid: 'me' } } }
    const own = { op: 'add', data: { type: 'sailboats', lid: 'me', attributes: { name: 'Me' }, relationships: escort } }
    const [{ data }] = resultsOf(await operate(vessels, own))
    const { body: linkage } = await vessels.get(`/vessels/${data.id}/relationships/escort`)
    expect(linkage.data).toEqual({ type: 'sailboats', id: data.id })
  })

  it('of the very type that is named comes before one of a type below', async () => {
    const named = (type: string, name: string) => ({ op: 'add', data: { type, lid: 'x', attributes: { name } } })
    const renamed = { op: 'update', data: { type: 'boats', lid: 'x', attributes: { name: 'Bo' } } }
    const answer = await operate(vessels, named('boats', 'Bee'), named('sailboats', 'Sea'), renamed)
    const [boat, sailboat] = resultsOf(answer).map(({ data }: { data?: { id: string } }) => data?.id)
    expect((await vessels.get(`/boats/${boat}`)).body.data.attributes.name).toBe('Bo')
    expect((await vessels.get(`/boats/${sailboat}`)).body.data.attributes.name).toBe('Sea')
  })

  it('of a type below is that of a row which is not of it', async () => {
    const boat = { op: 'add', data: { type: 'boats', lid: 'b', attributes: { name: 'Bee' } } }
    const sailing = { type: 'sailboats', lid: 'b' }
    expect(await refused(vessels, boat, { op: 'remove', ref: sailing })).toEqual([
      '404 resource.not-found /atomic:operations/1/ref',
    ])
    const harbour = { op: 'add', data: { type: 'harbours', relationships: { pilotBoat: { data: sailing } } } }
    expect(await refused(vessels, boat, harbour)).toEqual([
      '404 related.not-found /atomic:operations/1/data/relationships/pilotBoat/data',
    ])
    const crossed = {
      op: 'add',
      data: { type: 'harbours', relationships: { pilotBoat: { data: { type: 'tugs', lid: 'b' } } } },
    }
    expect(await refused(vessels, boat, crossed)).toEqual([
      '409 document.type-conflict /atomic:operations/1/data/relationships/pilotBoat/data/type',
    ])
  })
})

it('a concrete base may be named for a row that is stored below it', async () => {
  const id = await vessels.add(Sailboat, { name: 'Sea', masts: 2 })
  const update = { op: 'update', data: { type: 'boats', id, attributes: { oars: 4 } } }
  await operate(vessels, update).expect(204)
  expect((await vessels.get(`/sailboats/${id}`)).body.data.attributes).toMatchObject({ oars: 4, masts: 2 })
  const boat = await vessels.add(Boat, { name: 'Bee' })
  expect(
    await refused(vessels, { ...update, ref: { type: 'vessels', id: boat }, data: { type: 'sailboats', id: boat } }),
  ).toEqual(['409 document.type-conflict /atomic:operations/0/data/type'])
  const ferry = await vessels.add(Ferry, { name: 'Fay' })
  await operate(vessels, { op: 'remove', ref: { type: 'ships', id: ferry } }).expect(204)
})
