import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { TYPES } from '../../exams/oracle/model'
import { createRows } from '../../exams/oracle/rows'
import type { Endpoint } from '../../exams/query/ast'
import { printUrl } from '../../exams/query/print'
import { createRandom } from '../../exams/shared/random'
import { Caches } from '../../src/cache/caches'
import type { TotalOption } from '../../src/declarations/field-options'
import { indexResourceDefinitionsByType } from '../../src/definitions/definitions'
import { buildResourceGraph } from '../../src/graph/build-graph'
import type { Relationship, ResourceGraph, ResourceType } from '../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS, type ResolvedApiOptions } from '../../src/graph/options/options'
import { planCollection, planRelated } from '../../src/plan/plan-read'
import type { IncludePlan, OffsetRange, ReadPlan, ReadPlanLayer } from '../../src/plan/read-plan'
import { createReadRulesFactory } from '../../src/plan/read-rules'
import { parseQuery } from '../../src/query/parse-query'
import type { ParsedQuery, SortKeyNode } from '../../src/query/tree/ast'
import { valueConstraintsOfOperand } from '../../src/query/tree/comparability'
import { Param } from '../../src/query/tree/param'
import { createTypeOrmStoreFactory } from '../../src/store/typeorm/create-typeorm-store-factory'
import type { Dialect } from '../../src/store/typeorm/dialects/dialect'
import { dialectOf } from '../../src/store/typeorm/dialects/dialect-of'
import { buildDatabaseMapping } from '../../src/store/typeorm/mapping/build-database-mapping'
import type { DatabaseMapping } from '../../src/store/typeorm/mapping/database-mapping'
import {
  compileCachedIncludedSelect,
  compileCachedPrimarySelect,
  compileCachedTotalSelect,
  type ReadStatementVariant,
} from '../../src/store/typeorm/select/compile-statements'
import { CompiledQueryCache, type QueryWithBoundStatement } from '../../src/store/typeorm/select/compiled-query-cache'
import { convertCriteriaIdsToKeys, toParentKeysParam } from '../../src/store/typeorm/select/row-criteria'
import type { TestApi } from '../support/api'
import { createModelClasses, queries, startModelApi } from './support/examined'
import { withOtherValues } from './support/other-values'
import { atLeast, holdsFor, SEED, TIME_LIMIT } from './support/random'

// A cached statement of a plan with other values must be the same as a newly compiled one.

jest.setTimeout(TIME_LIMIT)
let api: TestApi
let graph: ResourceGraph
let mapping: DatabaseMapping
let cache: CompiledQueryCache
const rows = createRows(createRandom(SEED))

beforeAll(async () => {
  const classes = createModelClasses()
  api = await startModelApi([], classes)
  const { dataSource } = api
  const { describe } = createTypeOrmStoreFactory(dataSource)
  graph = buildResourceGraph({ resources: [...classes.values()], describe, options: DEFAULT_API_OPTIONS })
  mapping = buildDatabaseMapping(dataSource, dialectOf(dataSource), graph)
  cache = new CompiledQueryCache(mapping.dialect, new Caches())
})
afterAll(() => api.close())

it('finds cached statements of collections', async () => {
  let repeated = 0
  await holdsFor(requestsTo('collection'), 200, async ({ url, endpoint }) => {
    const { layer, ...plan } = planOf(url, endpoint)
    const compiled = check({ layer, ...plan }, layer)
    if (check({ layer, ...plan }, withOtherValues(layer)) === compiled) repeated++
  })
  expect(repeated).toBeGreaterThan(atLeast(60))
})

it('finds cached statements of cursor pages', async () => {
  let repeated = 0
  const cut = fc.record({
    list: requestsTo('collection'),
    texts: positions(),
    side: fc.constantFrom('after', 'before', 'both'),
  })
  const values = cut.map(({ list, ...cursors }) => ({ ...list, ...cursors }))
  await holdsFor(values, 200, async ({ url, endpoint, texts, side }) => {
    const { layer, ...plan } = planOf(url, endpoint)
    // Composite ids in cursors are decoded, and the texts of this test are not valid ids.
    if (layer.sort.some(({ by }) => valueConstraintsOfOperand(by).parts !== undefined)) return
    const at = (from: number): ReadPlanLayer => ({ ...layer, range: cutAt(layer, texts, { from, side }) })
    const compiled = check({ layer, ...plan }, at(0))
    if (check({ layer, ...plan }, at(1)) === compiled) repeated++
  })
  expect(repeated).toBeGreaterThan(atLeast(10))
})

it('finds cached statements of related resources', async () => {
  let repeated = 0
  await holdsFor(requestsTo('related'), 120, async ({ url, endpoint }) => {
    const { id, field } = endpoint as Endpoint & { readonly kind: 'related' }
    const stored = rows.find((row) => row.id === id && TYPES.isSameOrDerivedType(row.type, endpoint.type))
    const type = typeOf(stored?.type ?? '')
    const relationship = type.relationships.find(({ name }) => name === field) as Relationship
    const query = parse(url, relationship.target)
    const plans = rows
      .filter((row) => row.type === type.name)
      .map((row) => planRelated({ type, id: row.id }, relationship, query, rules()))
    const [first, ...others] = plans
    const compiled = first && check(first, first.layer)
    for (const plan of others) if (check(plan, plan.layer) === compiled) repeated++
  })
  expect(repeated).toBeGreaterThan(atLeast(60))
})

function requestsTo(kind: Endpoint['kind']) {
  return queries(rows)
    .filter(({ endpoint }) => endpoint.kind === kind)
    .map((query) => ({ url: printUrl(query), endpoint: query.endpoint }))
}

function planOf(url: string, { type: name }: Endpoint): ReadPlan {
  const type = typeOf(name)
  return planCollection(type, parse(url, type), rules())
}

function parse(url: string, type: ResourceType): ParsedQuery {
  const [, text = ''] = url.split('?')
  return parseQuery(text, 'collection', type, graph, UNLIMITED)
}

function typeOf(name: string): ResourceType {
  const type = graph.types.get(name)
  if (type === undefined) throw new Error(`There is no type '${name}'.`)
  return type
}

function rules() {
  return createReadRulesFactory(indexResourceDefinitionsByType([], graph), graph)(undefined)
}

type CompileContext = Parameters<typeof compileCachedPrimarySelect>[3]

/** Compares cached statements with newly compiled ones, and returns the query of the primary data. */
function check({ projection }: ReadPlan, layer: ReadPlanLayer): unknown {
  const criteria = convertCriteriaIdsToKeys(layer.criteria, layer.type, mapping)
  if (criteria === undefined) return undefined
  const compare = <Found>(compile: (context: CompileContext) => QueryWithBoundStatement<Found>) => {
    const cached = compile({ mapping, projection, queryCache: cache })
    expectSame(cached, compile({ mapping, projection, queryCache: createEmptyCache(mapping.dialect) }))
    return cached
  }
  const variant: ReadStatementVariant = { tableIndex: undefined, lock: 'noLock', total: false }
  const primary = compare((context) => compileCachedPrimarySelect(layer, criteria, variant, context))
  for (const range of otherRanges(layer))
    compare((context) => compileCachedPrimarySelect({ ...layer, range }, criteria, variant, context))
  for (const total of TOTALS) {
    compare((context) => compileCachedPrimarySelect(layer, criteria, { ...variant, total }, context))
    compare((context) => compileCachedTotalSelect({ layer, total }, criteria, context))
  }
  for (const include of stepsOf(layer))
    for (const keys of PARENT_KEYS) compare((context) => compileCachedIncludedSelect(include, keys, context))
  return primary.query
}

/** Random queries may exceed the default limit. */
const UNLIMITED: ResolvedApiOptions = { ...DEFAULT_API_OPTIONS, limits: { ...DEFAULT_API_OPTIONS.limits, cost: null } }

/** Values as in cursors: texts and nulls. */
function positions() {
  const texts = ['7', '-12', '9007199254740993', '1.5', '2.25', 'true', 'b', "it's", '2024-05-06 07:08:09.123', null]
  return fc.array(fc.constantFrom(...texts), { minLength: 8, maxLength: 8 })
}

function cutAt(
  { sort }: ReadPlanLayer,
  texts: readonly (string | null)[],
  { from, side }: { from: number; side: string },
) {
  const position = (behind: number) =>
    sort.map((_, index) => {
      const text = toBindableText(texts[(index + behind) % texts.length] ?? null, sort[index])
      return text === null ? null : new Param(text)
    })
  const [after, before] = [position(from), position(from + 3)]
  return {
    kind: 'cursors',
    size: 3,
    fingerprint: new Param(`fingerprint${from}`),
    after: side === 'before' ? undefined : after,
    before: side === 'after' ? undefined : before,
  } as const
}

/** Returns an integer if the sort key requires one. */
function toBindableText(text: string | null, key: SortKeyNode | undefined): string | null {
  const whole = key !== undefined && ['integer', 'bigint'].includes(valueConstraintsOfOperand(key.by).valueType)
  return whole && text !== null && !/^-?\d+$/.test(text) ? String(text.length) : text
}

/** Creates an empty cache. The constructor would allocate a thousand entries, which takes longer than compiling. */
function createEmptyCache(dialect: Dialect): CompiledQueryCache {
  return Object.assign(Object.create(CompiledQueryCache.prototype), { dialect, statements: new Map() })
}

/** Calls `expect` only for a difference, because it is slower than the comparison. */
function expectSame(one: QueryWithBoundStatement<unknown>, other: QueryWithBoundStatement<unknown>): void {
  if (!isDeepStrictEqual(one.statement, other.statement)) expect(one.statement).toEqual(other.statement)
}

/** Returns ranges far from the start, or near the end. */
function otherRanges({ range }: ReadPlanLayer): readonly OffsetRange[] {
  if (range?.kind !== 'numbers') return []
  const deep = { ...range, offset: new Param(range.offset.value + 5000) }
  return [deep, { ...deep, from: 'end' }, { ...range, from: 'end' }]
}

function stepsOf({ includes }: ReadPlanLayer): readonly IncludePlan[] {
  return includes.flatMap((include) => [include, ...stepsOf(include.layer)])
}

const TOTALS: readonly TotalOption[] = ['exact', 'estimated', { maxCount: 3 }, { maxCount: 1000 }]

const PARENT_KEYS = [
  [[1, 2]],
  [
    [3, 4],
    [5, 6],
  ],
  [[Buffer.from('7'), 8]],
].map(toParentKeysParam)
