import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import type { ResourceGraph } from '../../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { parseQuery } from '../../../src/query/parse-query'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { graphOf, typeNamed } from '../graph/support/with-graph'
import { problemsOf } from '../request/support/problems'

/** `code` can be sorted by on two of three branches, `parts` be included on one of two. */
@HierarchyRoot('things', { abstract: true })
abstract class Thing {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ capabilities: [] }) @Column({ type: 'varchar' }) secret: string
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Thing', { nullable: true }) above: Thing | null
}

@DerivedResource('pens')
class Pen extends Thing {
  @Attribute({ name: 'code' }) @Column({ type: 'int' }) penCode: number
  @Attribute({ name: 'size', capabilities: ['view', 'filter'] }) @Column({ type: 'int' }) penSize: number
  @ToMany({ name: 'parts' }) @OneToMany('Part', 'pen') penParts: Part[]
  @ToMany({ name: 'more', capabilities: ['view'] }) @OneToMany('Part', 'otherPen') penMore: Part[]
}

@DerivedResource('cups')
class Cup extends Thing {
  @Attribute({ name: 'code', capabilities: ['view'] }) @Column({ type: 'int' }) cupCode: number
  @Attribute({ name: 'size', capabilities: ['view'] }) @Column({ type: 'int' }) cupSize: number
  @ToMany({ name: 'parts', capabilities: ['view', 'filter'] }) @OneToMany('Part', 'cup') cupParts: Part[]
  @ToMany({ name: 'more', capabilities: ['view', 'filter'] }) @OneToMany('Part', 'otherCup') cupMore: Part[]
}

@DerivedResource('hats')
class Hat extends Thing {
  @Attribute({ name: 'code', capabilities: [] }) @Column({ type: 'int' }) hatCode: number
}

@StoredResource('parts')
class Part {
  @PrimaryGeneratedColumn() id: number
  @ManyToOne('Pen', 'penParts') pen: Pen
  @ManyToOne('Cup', 'cupParts') cup: Cup
  @ManyToOne('Pen', 'penMore') otherPen: Pen
  @ManyToOne('Cup', 'cupMore') otherCup: Cup
}

let graph: ResourceGraph

beforeAll(async () => {
  graph = await graphOf({ resources: [Thing, Pen, Cup, Hat, Part] })
})

const read = (queryString: string) =>
  parseQuery(queryString, 'collection', typeNamed(graph, 'things'), graph, DEFAULT_API_OPTIONS)

describe('a name that several branches have', () => {
  it('stands for the fields with the capability', () => {
    const [key] = read('sort=code').sort
    expect(key?.by).toMatchObject({ type: typeNamed(graph, 'pens') })
    expect(read('include=parts').include?.map(({ relationship }) => relationship.declaringType.name)).toEqual(['pens'])
    expect(read('page[size]=parts:1').includePaths.map(({ path }) => path[0]?.declaringType.name)).toEqual(['pens'])
    const [count] = read('sort=count(more)').sort
    expect(count?.by).toMatchObject({ path: { type: typeNamed(graph, 'cups') } })
  })

  it.each([
    ['sort=size', 1, "the attribute 'size', which can't be sorted by"],
    ['sort=cups:code', 1, "the attribute 'code', which can't be sorted by"],
    ['sort=-cups:code', 2, "the attribute 'code', which can't be sorted by"],
    ['sort=hats:code', 6, "'code'"],
    ['sort=count(pens:more)', 7, "the to-many relationship 'more', which can't be counted"],
    ['include=more', 1, "the to-many relationship 'more', which can't be included"],
    ['page[size]=more:1', 1, "the to-many relationship 'more', which can't be included"],
    ['filter[more]=has(parts)', 8, "the to-many relationship 'more', which can't be included"],
  ])('is refused where no field has the capability: %s', (queryString, position, found) => {
    const problems = problemsOf(() => read(queryString))
    expect(problems).toMatchObject([{ status: 400, meta: { position } }])
    expect(problems[0]?.detail).toContain(`, found ${found}.`)
  })

  it('is ambiguous only among fields with the capability', () => expect(read('sort=above.code').sort).toHaveLength(1))
})

describe('a filter in the notation of other servers', () => {
  const detailOf = (name: string, operator = '') => {
    const [problem] = problemsOf(() => read(`filter[${name}]${operator}=a`))
    return problem?.detail?.replaceAll(name, 'NAME').replace(/At position \d+/, '')
  }

  it('is refused with a suggestion for fields that can be filtered by', () => {
    expect(detailOf('id', '[eq]')).not.toContain('Write')
    expect(problemsOf(() => read('filter[id][eq]=1'))[0]?.detail).toContain(" Write filter=equals(id,'1').")
  })

  it('is refused without a hint at hidden fields or fields that cannot be filtered by', () => {
    for (const operator of ['', '[eq]']) {
      expect(detailOf('secret', operator)).toBe(detailOf('unknown', operator))
      expect(detailOf('above', operator)).not.toContain('Write')
    }
  })
})
