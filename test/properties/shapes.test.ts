import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { TotalOption } from '../../src/declarations/field-options'
import { buildDefinitions } from '../../src/definitions/definitions'
import type { ResourceType } from '../../src/graph/resource-graph'
import { planCollection, planRelated } from '../../src/plan/plan-read'
import type { IncludeLayer, Layer, NumberRange, ReadPlan } from '../../src/plan/read-plan'
import { buildReadingRules } from '../../src/plan/reading-rules'
import type { SortKey } from '../../src/query/ast'
import { rangeOf } from '../../src/query/comparability'
import { parseQuery } from '../../src/query/parse-query'
import { toKeyed } from '../../src/store/typeorm/among'
import { buildMapping } from '../../src/store/typeorm/build-mapping'
import { CompiledStatements, type Prepared } from '../../src/store/typeorm/compiled'
import type { Dialect } from '../../src/store/typeorm/dialect'
import { dialectOf } from '../../src/store/typeorm/dialect-of'
import { toLeftKeys } from '../../src/store/typeorm/left-keys'
import type { Mapping } from '../../src/store/typeorm/mapping'
import { prepareIncluded, preparePrimary, prepareTotal, type Reach } from '../../src/store/typeorm/prepare'
import { BLOGS } from '../support/blogs'
import { GRID } from '../support/grid'
import { VEHICLES } from '../support/vehicles'
import { filters } from './support/filters'
import { withOtherValues } from './support/other-values'
import { type QueryStrings, queryStrings } from './support/query-strings'
import { atLeast, holdsFor, randomOf, SEED, TIME_LIMIT } from './support/random'
import { valuesIn } from './support/rows'
import { makeRows } from './support/stored-rows'
import { openWorld, UNLIMITED, type World } from './support/world'

// A statement that was compiled for another plan of the same shape is the one that would be compiled for this plan.

jest.setTimeout(TIME_LIMIT)

describe.each([
  ['values of every type', BLOGS, 'plainIds'],
  ['a hierarchy', VEHICLES, 'plainIds'],
  ['keys of several columns', GRID, 'composedIds'],
])('%s', (_name, resources, ids) => {
  let world: World
  let strings: QueryStrings
  let mapping: Mapping
  let warm: CompiledStatements

  beforeAll(async () => {
    world = await openWorld({
      resources,
      makeRows: (dataSource, graph) => makeRows({ dataSource, graph, random: randomOf(SEED), each: () => 3 }),
    })
    strings = queryStrings(world.graph, filters(valuesIn(world.rows)))
    mapping = buildMapping(world.dataSource, dialectOf(world.dataSource), world.graph)
    warm = new CompiledStatements(mapping.dialect)
  })
  afterAll(() => world.close())

  it('finds cached statements of collections', async () => {
    let repeated = 0
    const asked = types().chain((type) =>
      strings.ofList(type).map((text) => ({ url: `/${type.name}?${text}`, type, text })),
    )
    await holdsFor(asked, 100, async ({ type, text }) => {
      const plan = planCollection(type, parseQuery(text, 'collection', type, world.graph, UNLIMITED), rules())
      const made = check(plan, plan.layer)
      if (check(plan, withOtherValues(plan.layer)) === made) repeated++
    })
    expect(repeated).toBeGreaterThan(atLeast(60))
  })

  if (ids === 'plainIds') {
    it('finds cached statements of cursor pages', async () => {
      let repeated = 0
      // What stands in an id of several columns is decoded; nothing that is made up here could be.
      const plain = [...world.graph.types.values()].filter(({ id }) => id.range.parts === undefined)
      const asked = fc
        .constantFrom(...plain)
        .chain((type) =>
          fc
            .tuple(strings.ofList(type), positions(), fc.constantFrom('after', 'before', 'both'))
            .map(([text, texts, side]) => ({ url: `/${type.name}?${text}`, type, text, texts, side })),
        )
      await holdsFor(asked, 100, async ({ type, text, texts, side }) => {
        const query = parseQuery(text, 'collection', type, world.graph, UNLIMITED)
        const { layer, ...plan } = planCollection(type, query, rules())
        if (layer.sort.some(({ by }) => rangeOf(by).parts !== undefined)) return
        const at = (from: number): Layer => ({ ...layer, range: cutAt(layer, texts, { from, side }) })
        const made = check({ layer, ...plan }, at(0))
        if (check({ layer, ...plan }, at(1)) === made) repeated++
      })
      expect(repeated).toBeGreaterThan(atLeast(5))
    })
  }

  it('finds cached statements of related resources', async () => {
    let repeated = 0
    const ends = world.rows.flatMap((row) => row.type.relationships.map((relationship) => ({ row, relationship })))
    const asked = fc
      .constantFrom(...ends)
      .chain(({ row, relationship }) =>
        strings
          .ofList(relationship.target, relationship.kind === 'toMany' ? relationship.page : 'off')
          .map((text) => ({ url: `${relationship.name}?${text}`, row, relationship, text })),
      )
    await holdsFor(asked, 50, async ({ row, relationship, text }) => {
      const { target } = relationship
      const query = parseQuery(text, 'collection', target, world.graph, UNLIMITED)
      const plans = world.rows
        .filter(({ type }) => type === row.type)
        .map((left) => planRelated(left, relationship, query, rules()))
      const [first, ...others] = plans
      const made = first && check(first, first.layer)
      for (const plan of others) if (check(plan, plan.layer) === made) repeated++
    })
    expect(repeated).toBeGreaterThan(atLeast(50))
  })

  function types(): fc.Arbitrary<ResourceType> {
    return fc.constantFrom(...world.graph.types.values())
  }

  function rules() {
    return buildReadingRules(buildDefinitions([], world.graph), world.graph)(undefined)
  }

  /** What the rows' own statement was compiled to, now or before. */
  function check({ shown }: ReadPlan, layer: Layer): unknown {
    const among = toKeyed(layer.among, layer.type, mapping)
    if (among === undefined) return undefined
    const known = { mapping, shown, compiled: warm }
    const cold = () => ({ mapping, shown, compiled: withoutRoom(mapping.dialect) })
    const reach: Reach = { place: undefined, lock: 'noLock', total: 'off' }
    const rows = preparePrimary(layer, among, reach, known)
    expectSame(rows, preparePrimary(layer, among, reach, cold()))
    for (const range of otherWays(layer)) {
      const way = { ...layer, range }
      expectSame(preparePrimary(way, among, reach, known), preparePrimary(way, among, reach, cold()))
    }
    for (const total of TOTALS) {
      const along = { ...reach, total }
      expectSame(preparePrimary(layer, among, along, known), preparePrimary(layer, among, along, cold()))
      expectSame(prepareTotal({ layer, total }, among, known), prepareTotal({ layer, total }, among, cold()))
    }
    for (const include of stepsOf(layer)) {
      for (const lefts of LEFTS) {
        expectSame(prepareIncluded(include, lefts, known), prepareIncluded(include, lefts, cold()))
      }
    }
    return rows.made
  }
})

/** Texts such as cursors have them, and nulls. */
function positions() {
  const texts = ['7', '-12', '9007199254740993', '1.5', '2.25', 'true', 'b', "it's", '2024-05-06 07:08:09.123', null]
  return fc.array(fc.constantFrom(...texts), { minLength: 8, maxLength: 8 })
}

function cutAt({ sort }: Layer, texts: readonly (string | null)[], { from, side }: { from: number; side: string }) {
  const position = (behind: number) =>
    sort.map((_, index) => fits(texts[(index + behind) % texts.length] ?? null, sort[index]))
  const [after, before] = [position(from), position(from + 3)]
  return {
    kind: 'cursors',
    size: 3 + from,
    mark: 'mark',
    after: side === 'before' ? undefined : after,
    before: side === 'after' ? undefined : before,
  } as const
}

/** A whole number where nothing else can be bound. */
function fits(text: string | null, key: SortKey | undefined): string | null {
  const whole = key !== undefined && ['integer', 'bigint'].includes(rangeOf(key.by).valueType)
  return whole && text !== null && !/^-?\d+$/.test(text) ? String(text.length) : text
}

/** Knows nothing yet. Room for a thousand statements takes longer to make than the one that is compiled. */
function withoutRoom(dialect: Dialect): CompiledStatements {
  return Object.assign(Object.create(CompiledStatements.prototype), { dialect, kept: new Map() })
}

/** Told apart by Node.js: to say `expect` takes longer than the look. */
function expectSame(one: Prepared<unknown>, other: Prepared<unknown>): void {
  if (!isDeepStrictEqual(one.statement, other.statement)) expect(one.statement).toEqual(other.statement)
}

/** Of pages that lie deep, or near the end. */
function otherWays({ range }: Layer): readonly NumberRange[] {
  if (range?.kind !== 'numbers') return []
  const deep = { ...range, offset: range.offset + 5000 }
  return [deep, { ...deep, from: 'end' }, { ...range, from: 'end' }]
}

function stepsOf({ includes }: Layer): readonly IncludeLayer[] {
  return includes.flatMap((include) => [include, ...stepsOf(include.layer)])
}

const TOTALS: readonly TotalOption[] = ['exact', 'estimated', { upTo: 3 }, { upTo: 1000 }]

const LEFTS = [
  [[1, 2]],
  [
    [3, 4],
    [5, 6],
  ],
  [[Buffer.from('7'), 8]],
].map(toLeftKeys)
