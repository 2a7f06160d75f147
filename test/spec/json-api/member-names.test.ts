import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { attributeValues, expectError } from '../../support/expectations'
import { changed, startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#document-member-names

const api = setUp(startArticles)
const RESERVED = '+,.[]!"#$%&\'()*/:;<=>?@\\^`{|}~\u007f\u0000\u001f'

describe('types and fields that are declared', () => {
  /** An entity with a field of each name. */
  function clashing(type: string, names: readonly string[]) {
    class Odd {
      id: number
      whole: Odd | null
    }
    PrimaryGeneratedColumn()(Odd.prototype, 'id')
    ManyToOne(() => Odd, { nullable: true })(Odd.prototype, 'whole')
    ToOne({ name: names[0] ?? '' })(Odd.prototype, 'whole')
    for (const [index, name] of names.slice(1).entries()) {
      Column({ type: 'int' })(Odd.prototype, `odd${index}`)
      Attribute({ name })(Odd.prototype, `odd${index}`)
    }
    Entity('odd')(Odd)
    Resource(type)(Odd)
    return Odd
  }

  it.each([
    ['MN-2', 'are not empty', ['', '']],
    ['MN-3', 'have allowed characters only', ['a\u0007b', 'a\u007fb']],
    ['MN-4', 'start and end with a letter or digit', ['_a', 'a_', '-a', 'a-', ' a', 'a ', '_', '-']],
    ['RO-7', 'are distinct, and neither type nor id', ['type', 'id', 'same', 'same']],
    ['MN-6', 'have no reserved characters', [...RESERVED].map((each) => `a${each}b`)],
  ])('%s %s', async (_id, _what, names) => {
    const mistake = await startApi([clashing('odd', names)]).catch((error: Error) => error.message)
    for (const name of names) expect(mistake).toContain(`'${name}'`)
  })

  it.each(['', '_a', 'a.b', 'a:b', 'a/b'])('RO-6 a resource type is refused with the name %j', async (type) => {
    await expect(startApi([clashing(type, ['whole'])])).rejects.toThrow(`'${type}'`)
  })
})

describe('names', () => {
  it('MN-1 names are case-sensitive', async () => {
    expectError(await api.get('/articles?fields[articles]=Title'), 400, 'fields[articles]')
    expectError(await api.get('/articles?fields[Articles]=title'), 400, 'fields[Articles]')
    expectError(await api.get('/articles?sort=Title'), 400, 'sort')
    expectError(await api.get('/Articles'), 404)
    const body = changed('1', { attributes: { Title: 'Ash' } })
    expectError(await api.unchanged(() => api.patch('/articles/1').send(body)), 422, '/data/attributes/Title')
  })

  it('MN-9 names may be outside ASCII, in URLs too', async () => {
    const created = { data: { type: 'images', attributes: { title: 'Yew', größe: 1 } } }
    expect((await api.post('/images').send(created)).body.data.attributes.größe).toBe(1)
    const { data } = (await api.get('/images?fields[images]=gr%C3%B6%C3%9Fe')).body
    expect(data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([{ größe: 3 }, { größe: 1 }])
    expect(attributeValues(await api.get('/images?sort=gr%C3%B6%C3%9Fe'), 'größe')).toEqual([1, 3])
    expect(attributeValues(await api.get('/images?sort=-gr%C3%B6%C3%9Fe'), 'größe')).toEqual([3, 1])
    expect(attributeValues(await api.get("/images?filter=equals(gr%C3%B6%C3%9Fe,'3')"), 'größe')).toEqual([3])
  })
})
