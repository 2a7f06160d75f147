import { Attribute, equals, has, Resource, type ResourceClass, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { ref, refs, startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { define } from '../../support/define'
import { idsOf } from '../../support/expectations'
import type { Tables } from '../../support/lay-tables'
import { setUp } from '../../support/set-up'

// A rule of a base holds for each of its types. A statement has it once for each place where rows of the base are read.

@Resource('things', { abstract: true })
@Entity('things')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Thing {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @Column({ type: 'int', default: 0 }) weight: number
  @ToOne() @ManyToOne('Thing', 'tows', { nullable: true }) towedBy: Thing | null
  @ToMany() @OneToMany('Thing', 'towedBy') tows: Thing[]
  @ToMany() @ManyToMany('Permit') @JoinTable() permits: Permit[]
}

@Resource('permits')
@Entity()
class Permit {
  @PrimaryGeneratedColumn() id: number
}

const KINDS = Array.from({ length: 7 }, (_, place) => {
  const kind = { [`Kind${place}`]: class extends Thing {} }[`Kind${place}`] as ResourceClass
  Resource(`kinds${place}`)(kind)
  ChildEntity()(kind as new () => object)
  return kind
})
const definitions = [define(Thing as ResourceClass, { filter: () => has('permits') })]

const lookUps = (text: string) => text.match(/join "?`?things_permits|things_permits_permit/g)?.length ?? 0

describe.each<Tables>(['single', 'joined', 'perConcreteType'])('rows of tables that are %s', (tables) => {
  const api: TestApi = setUp(() =>
    startApi([Thing, Permit, ...KINDS], {
      ...{ tables, definitions, totals: 'off', limits: { cost: null } },
      // SQLite would count the ids of each table by itself.
      clientIds: 'required',
    }),
  )
  // Each is towed by the one with half of its number; every third has no permit.
  beforeAll(async () => {
    const permit = await api.add(Permit)
    const ids: string[] = []
    for (let number = 0; number < 17; number += 1) {
      const towedBy = number === 0 ? null : ref(ids[number >> 1] ?? '')
      const permits = number % 3 === 2 ? [] : refs(permit)
      ids.push(await api.add(KINDS[number % 7] as ResourceClass, { id: number + 1, weight: number, towedBy, permits }))
    }
  })

  const statementOf = async (path: string) => {
    const [text = '', ...others] = await api.statementsOf(() => api.get(path).expect(200))
    expect(others).toEqual([])
    return text
  }
  const nested = (depth: number): string => (depth === 0 ? 'has(tows)' : `has(tows,${nested(depth - 1)})`)
  const weights = async (filter: string) => {
    const { body } = await api.get(`/things?sort=weight&page[size]=20&filter=${filter}`)
    return body.data.map(({ attributes }: { attributes: { weight: number } }) => attributes.weight)
  }

  it.each([
    ["greaterOrEqual(weight,'0')", [0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16]],
    ['has(tows)', [0, 1, 3, 4, 6, 7]],
    ['has(tows,has(tows))', [0, 1, 3]],
    ["equals(towedBy.weight,'3')", [6, 7]],
    ["has(tows,equals(towedBy.weight,'6'))", [6]],
  ])('shows clients what the rule lets them see: %s', async (filter, expected) => {
    expect(await weights(filter)).toEqual(expected)
  })

  it('grows by as much with each step', async () => {
    const lengths: number[] = []
    for (const depth of [0, 1, 2, 3, 4]) lengths.push((await statementOf(`/things?filter=${nested(depth)}`)).length)
    const steps = lengths.slice(1).map((length, index) => length - (lengths[index] ?? 0))
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan((steps[0] ?? 0) / 10)
  })

  it('has the rule once for each place where rows are read', async () => {
    const [own, once] = [await statementOf('/things'), await statementOf('/things?filter=has(tows)')].map(lookUps)
    const tablesOfTop = tables === 'perConcreteType' ? KINDS.length : 1
    // MariaDB looks into no union: there `has` is one of each table.
    const tablesOfHas = tables === 'perConcreteType' && DATABASE === 'mariadb' ? KINDS.length : 1
    expect(own).toBe(tablesOfTop)
    expect(once).toBe(tablesOfTop * (1 + tablesOfHas))
  })
})

describe('a definition of a base', () => {
  @Resource('roots', { abstract: true })
  @Entity('roots')
  @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
  abstract class Root {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('lefts')
  @ChildEntity()
  class Left extends Root {
    @Attribute({ name: 'shown' }) @Column({ type: 'boolean', default: true }) leftShown: boolean
  }
  @Resource('rights')
  @ChildEntity()
  class Right extends Root {
    @Attribute({ name: 'shown' }) @Column({ type: 'boolean', default: true }) rightShown: boolean
  }
  const api = setUp(() =>
    startApi([Root, Left, Right], {
      definitions: [define(Root as ResourceClass, { filter: () => equals('shown' as never, true) })],
    }),
  )

  it('may use a name that stands for a field of each type', async () => {
    for (const shown of [true, false]) await api.add(Left, { leftShown: shown })
    for (const shown of [true, false]) await api.add(Right, { rightShown: shown })
    expect(idsOf(await api.get('/roots'))).toBe('1 3')
  })
})
