import type { Response } from 'supertest'
import { setUp, startApi } from '../../support/api'
import { keysAt } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import { operate, refused, resultsOf } from '../../support/operate'
import { Boat, Ferry, Sailboat, VESSELS } from '../../support/writing-models'

// Operations use the stored type, as single requests do. The rules of men and women: write-rules.test.ts.

const api = setUp(startHumans)
const vessels = setUp(() => startApi(VESSELS))
const [adam, bert, clara, dora] = ['1', '2', '3', '4']

beforeAll(async () => {
  await api.addMan({ name: 'Adam', hasBeard: false })
  await api.addMan({ name: 'Bert', hasBeard: false })
  await api.addWoman({ name: 'Clara', maidenName: 'Clay' })
  await api.addWoman({ name: 'Dora', maidenName: 'Dorn' })
})

const AT = '/atomic:operations'

const man = (name: string, rest: object = {}) => ({ type: 'men', attributes: { name }, ...rest })
const woman = (name: string, rest: object = {}) => ({ type: 'women', attributes: { name, maidenName: name }, ...rest })
const remove = (ref: object) => ({ op: 'remove', ref })
const resultIds = (response: Response): readonly (string | undefined)[] =>
  resultsOf(response).map(({ data }: { data?: { id: string } }) => data?.id)
const linked = (id: string | undefined, relationship: string) =>
  keysAt(api, `/humans/${id}/relationships/${relationship}`)

describe('add of a resource', () => {
  it.each([
    ['without href', {}, man('Emil')],
    ['with the collection of the base', { href: '/humans' }, woman('Emma')],
    ['with its own collection', { href: '/men' }, man('Emil')],
  ])('stores the type that is sent %s', async (_title, target, sent) => {
    const [{ data }] = resultsOf(await operate(api, { op: 'add', ...target, data: sent }))
    expect([data.type, data.links.self]).toEqual([sent.type, `/${sent.type}/${data.id}`])
    expect((await api.get(`/humans/${data.id}`)).body.data).toEqual(data)
  })

  it.each([
    ['an abstract type in its collection', { href: '/humans' }, { type: 'humans' }, '422 document.type-abstract'],
    ['an unknown type', { href: '/men' }, { type: 'cats' }, '409 document.type-conflict'],
  ])('refuses %s', async (_title, target, data, expected) => {
    expect(await refused(api, { op: 'add', ...target, data })).toBe(`${expected} ${AT}/0/data/type`)
  })
})

describe('update and remove of a resource', () => {
  it.each(['humans', 'men'])('find a man as one of %s', async (type) => {
    for (const target of [{ ref: { type, id: adam } }, { href: `/${type}/${adam}` }]) {
      await operate(api, { op: 'update', ...target, data: man(`Adam of ${type}`, { id: adam }) }).expect(204)
      expect((await api.get(`/men/${adam}`)).body.data.attributes.name).toBe(`Adam of ${type}`)
    }
    const id = await api.addMan({ name: 'Removed', hasBeard: false })
    expect(await refused(api, remove({ type: 'women', id }))).toBe(`404 resource.not-found ${AT}/0/ref`)
    await operate(api, remove({ type, id })).expect(204)
    await api.get(`/men/${id}`).expect(404)
  }) // anchor: O/HO-04

  it.each([
    ['a ref of another type', 'women', { type: 'women' }, '404 resource.not-found', '/ref'],
    ['the data of another type', 'women', undefined, '404 resource.not-found', '/data'],
    ['the data of another type, and a ref', 'women', { type: 'humans' }, '409 document.type-conflict', '/data/type'],
    ['an abstract type', 'humans', undefined, '422 document.type-abstract', '/data/type'],
    ['an abstract type, and a ref', 'humans', { type: 'humans' }, '422 document.type-abstract', '/data/type'],
  ])('refuse an update of a man by %s', async (_title, type, target, expected, place) => {
    const ref = target && { ref: { ...target, id: adam } }
    const data = { type, id: adam, attributes: { name: 'x' } }
    expect(await refused(api, { op: 'update', ...ref, data })).toBe(`${expected} ${AT}/0${place}`)
  })

  it('accept a base type for a row of a derived type, and no derived type for a row of the base', async () => {
    const id = await vessels.add(Sailboat, { name: 'Sea', masts: 2 })
    await operate(vessels, { op: 'update', data: { type: 'boats', id, attributes: { oars: 4 } } }).expect(204)
    expect((await vessels.get(`/sailboats/${id}`)).body.data.attributes).toMatchObject({ oars: 4, masts: 2 })
    const boat = await vessels.add(Boat, { name: 'Bee' })
    const asSailboat = { op: 'update', ref: { type: 'vessels', id: boat }, data: { type: 'sailboats', id: boat } }
    expect(await refused(vessels, asSailboat)).toBe(`409 document.type-conflict ${AT}/0/data/type`)
    const ferry = await vessels.add(Ferry, { name: 'Fay' })
    await operate(vessels, remove({ type: 'ships', id: ferry })).expect(204)
  }) // anchor: O/HO-04
})

describe('operations on a relationship', () => {
  const update = (type: string, id: string, relationship: string, data: unknown) => ({
    op: 'update',
    ref: { type, id, relationship },
    data,
  })

  it('find a relationship of the stored type by its base', async () => {
    await operate(api, update('humans', adam, 'wife', { type: 'women', id: dora })).expect(204)
    expect(await linked(adam, 'wife')).toEqual([`women ${dora}`])
    for (const type of ['humans', 'women'])
      expect(await refused(api, update(type, clara, 'wife', null))).toBe(
        `404 relationship.not-found ${AT}/0/ref/relationship`,
      )
  }) // anchor: O/HO-05

  it('add and remove members under each of their types, each once', async () => {
    const ref = { type: 'humans', id: clara, relationship: 'children' }
    const members = [
      ['humans', adam],
      ['men', adam],
      ['women', dora],
    ].map(([type, id]) => ({ type, id }))
    await operate(api, { op: 'add', ref, data: members })
    expect(await linked(clara, 'children')).toEqual([`men ${adam}`, `women ${dora}`])
    await operate(api, { op: 'remove', ref, data: [{ type: 'humans', id: dora }] })
    expect(await linked(clara, 'children')).toEqual([`men ${adam}`])
    const wrong = { op: 'add', ref, data: [{ type: 'women', id: bert }] }
    expect(await refused(api, wrong)).toBe(`404 related.not-found ${AT}/0/data/0`)
  })
})

describe('a local id', () => {
  const boat = (type: string, lid: string, rest: object = {}) => ({
    op: 'add',
    data: { type, lid, attributes: { name: lid }, ...rest },
  })
  const harbour = (type: string, lid: string) => ({
    op: 'add',
    data: { type: 'harbours', relationships: { pilotBoat: { data: { type, lid } } } },
  })

  it('can be named by a base type', async () => {
    const bestFriend = { data: { type: 'men', lid: 'f' } }
    const response = await operate(
      api,
      { op: 'add', data: man('Felix', { lid: 'f' }) },
      { op: 'add', data: woman('Frida', { lid: 'w', relationships: { bestFriend } }) },
      { op: 'update', ref: { type: 'humans', lid: 'f', relationship: 'wife' }, data: { type: 'humans', lid: 'w' } },
      { op: 'update', ref: { type: 'humans', lid: 'f' }, data: man('Fritz', { lid: 'f' }) },
      { op: 'add', ref: { type: 'women', lid: 'w', relationship: 'children' }, data: [{ type: 'humans', lid: 'f' }] },
    )
    const [felix, frida] = resultIds(response)
    expect(await linked(felix, 'wife')).toEqual([`women ${frida}`])
    expect(await linked(frida, 'bestFriend')).toEqual([`men ${felix}`])
    expect(await linked(frida, 'children')).toEqual([`men ${felix}`])
    expect((await api.get(`/men/${felix}`)).body.data.attributes.name).toBe('Fritz')
  }) // anchor: O/HO-04, O/HO-06

  it('can be the same for two types unless a base type of both names it', async () => {
    const husband = { data: { type: 'men', lid: 'g' } }
    const first = { op: 'add', data: man('Gero', { lid: 'g' }) }
    const both = [first, { op: 'add', data: woman('Gesa', { lid: 'g', relationships: { husband } }) }]
    const [gero, gesa] = resultIds(await operate(api, ...both))
    expect(await linked(gesa, 'husband')).toEqual([`men ${gero}`])
    const [removeMan, removeHuman] = [remove({ type: 'men', lid: 'g' }), remove({ type: 'humans', lid: 'g' })]
    expect(await refused(api, ...both, removeHuman)).toBe(`400 document.lid-unknown ${AT}/2/ref`)
    await operate(api, ...both, removeMan, removeHuman).expect(200)
    expect(await refused(api, first, removeMan, removeHuman)).toBe(`400 document.lid-unknown ${AT}/2/ref`)
  })

  it('is known when the operation that adds it names an abstract type', async () => {
    const added = { op: 'add', data: { type: 'humans', lid: 'h', attributes: { name: 'Hal' } } }
    for (const type of ['humans', 'women'])
      expect(await refused(api, added, remove({ type, lid: 'h' }))).toBe(`422 document.type-abstract ${AT}/0/data/type`)
  })

  it('names its own resource by a base type', async () => {
    const relationships = { escort: { data: { type: 'boats', lid: 'me' } } }
    const [id] = resultIds(await operate(vessels, boat('sailboats', 'me', { relationships })))
    const { body: linkage } = await vessels.get(`/vessels/${id}/relationships/escort`)
    expect(linkage.data).toEqual({ type: 'sailboats', id })
  }) // anchor: O/HO-06

  it('prefers the resource of the type that is sent to one of a derived type', async () => {
    const rename = { op: 'update', data: { type: 'boats', lid: 'x', attributes: { name: 'Bo' } } }
    const [id, sailboat] = resultIds(await operate(vessels, boat('boats', 'x'), boat('sailboats', 'x'), rename))
    expect((await vessels.get(`/boats/${id}`)).body.data.attributes.name).toBe('Bo')
    expect((await vessels.get(`/boats/${sailboat}`)).body.data.attributes.name).toBe('x')
  })

  it.each([
    ['404 resource.not-found', remove({ type: 'sailboats', lid: 'b' }), '/ref'],
    ['404 related.not-found', harbour('sailboats', 'b'), '/data/relationships/pilotBoat/data'],
    ['409 document.type-conflict', harbour('tugs', 'b'), '/data/relationships/pilotBoat/data/type'],
  ])('returns %s when the resource is not of the type that is sent', async (expected, operation, place) => {
    expect(await refused(vessels, boat('boats', 'b'), operation)).toBe(`${expected} ${AT}/1${place}`)
  })
})
