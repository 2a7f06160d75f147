import { Attribute, equals, type ResourceClass } from 'stemma'
import { Column, PrimaryGeneratedColumn } from 'typeorm'
import { define, ref, setUp, startApi } from '../../support/api'
import { DATABASE, LAYOUTS } from '../../support/database'
import { idsOf } from '../../support/expectations'
import { DerivedResource, HierarchyRoot } from '../../support/resource-decorators'
import { Book, Film, Maker, startShelves, Thing } from '../../support/shelves'

// A rule of a base holds for each of its types. A statement has it once for each place where rows of the base are read.

const KINDS = [Book, Film]
const definitions = [define<object>(Thing, { filter: () => equals('maker.name' as never, 'seen') })]
const lookUps = (text: string) => text.match(/makers/g)?.length ?? 0

describe.each(LAYOUTS)('rows of tables that are %s', (tables) => {
  const api = setUp(() => startShelves({ tables, definitions, totals: false, limits: { cost: null } }))
  // Each is a part of the one with half of its number; every third has no maker.
  beforeAll(async () => {
    const maker = ref(await api.add(Maker, { name: 'seen' }))
    const ids: string[] = []
    for (let number = 0; number < 17; number += 1) {
      const whole = number === 0 ? null : ref(ids[number >> 1] ?? '')
      const values = { name: 'n', rank: number, whole, maker: number % 3 === 2 ? null : maker }
      ids.push(await api.add(KINDS[number % 2] as ResourceClass, values))
    }
  })

  const statementOf = async (path: string) => {
    const [text = '', ...others] = await api.statementsOf(() => api.get(path).expect(200))
    expect(others).toEqual([])
    return text
  }
  const nested = (depth: number): string => (depth === 0 ? 'has(parts)' : `has(parts,${nested(depth - 1)})`)
  const ranks = async (filter: string) => {
    const { body } = await api.get(`/things?sort=rank&page[size]=20&filter=${filter}`)
    return body.data.map(({ attributes }: { attributes: { rank: number } }) => attributes.rank)
  }

  it.each([
    ["greaterOrEqual(rank,'0')", [0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16]],
    ['has(parts)', [0, 1, 3, 4, 6, 7]],
    ['has(parts,has(parts))', [0, 1, 3]],
    ["equals(whole.rank,'3')", [6, 7]],
    ["has(parts,equals(whole.rank,'6'))", [6]],
  ])('applies the rule of the base to clients: %s', async (filter, expected) => {
    expect(await ranks(filter)).toEqual(expected)
  })

  it('grows by the same length with each step', async () => {
    const lengths: number[] = []
    for (const depth of [0, 1, 2, 3, 4]) lengths.push((await statementOf(`/things?filter=${nested(depth)}`)).length)
    const steps = lengths.slice(1).map((length, index) => length - (lengths[index] ?? 0))
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan((steps[0] ?? 0) / 10)
  })

  it('contains the rule once for each place where rows are read', async () => {
    const [own, once] = [await statementOf('/things'), await statementOf('/things?filter=has(parts)')].map(lookUps)
    const tablesOfTop = tables === 'tablePerConcreteClass' ? KINDS.length : 1
    // MariaDB looks into no union: there `has` is one of each table.
    const tablesOfHas = tables === 'tablePerConcreteClass' && DATABASE === 'mariadb' ? KINDS.length : 1
    expect(own).toBe(tablesOfTop)
    expect(once).toBe(tablesOfTop * (1 + tablesOfHas))
  })
})

describe('a definition of a base', () => {
  @HierarchyRoot('roots', { abstract: true })
  abstract class Root {
    @PrimaryGeneratedColumn() id: number
  }
  @DerivedResource('lefts')
  class Left extends Root {
    @Attribute({ name: 'shown' }) @Column({ type: 'boolean', default: true }) leftShown: boolean
  }
  @DerivedResource('related')
  class Right extends Root {
    @Attribute({ name: 'shown' }) @Column({ type: 'boolean', default: true }) rightShown: boolean
  }
  const api = setUp(() =>
    startApi([Root, Left, Right], {
      definitions: [define(Root as ResourceClass, { filter: () => equals('shown' as never, true) })],
    }),
  )

  it('may use a name that each derived type has as a field', async () => {
    for (const shown of [true, false]) await api.add(Left, { leftShown: shown })
    for (const shown of [true, false]) await api.add(Right, { rightShown: shown })
    expect(idsOf(await api.get('/roots'))).toBe('1 3')
  })
})
