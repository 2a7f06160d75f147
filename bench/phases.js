// `npm run bench:phases`: CPU time of each phase of a request, in microseconds.
const { copySqlite, buildSqlite, removeSqlite } = require('./data/sqlite')
const { round, toTable } = require('./measure/tables')
const { openWorkbench, toRequest } = require('./micro/harness')
const { loadSource } = require('./packages')
const { timeEach } = require('./micro/time')
const { createEntities } = require('./model/entities')
const { optionsOf } = require('./model/data-source')
const { declareResources } = require('./model/resources')
const { requireOfProject } = require('./packages')

const QUERIES = {
  'one article': { id: '4711', query: '' },
  'page of 10': { type: 'articles', query: 'page[size]=10&page[number]=3' },
  'page of 100': { type: 'articles', query: 'page[size]=100' },
  'page of 100, include of two steps': {
    type: 'articles',
    query: 'page[size]=100,comments:10&include=author,comments.author',
  },
  'filtered and sorted': { type: 'women', query: "filter=equals(maidenName,'Surname007')&sort=name&page[size]=50" },
  'filtered by related resources': {
    type: 'articles',
    query:
      "filter=and(equals(author.name,'Unknown'),has(comments,contains(text,'owls')))&sort=-createdAt&page[size]=10",
  },
  'a base type': { type: 'humans', query: 'page[size]=50&include=father,mother' },
}

async function main() {
  const milliseconds = Number(process.env.BENCH_MILLISECONDS ?? 60)
  const file = copySqlite(buildSqlite(), 'phases')
  const entities = createEntities(requireOfProject('typeorm'), { database: 'sqlite' })
  const resources = declareResources(entities)
  const bench = await openWorkbench({ database: optionsOf(file), entities: Object.values(entities), resources })
  const columns = ['parse', 'plan', 'compile', 'bind', 'full read', 'write', 'full request']
  const rows = []
  for (const [name, request] of Object.entries(QUERIES)) {
    const times = await timeEach(await phasesOf(request, bench), { milliseconds })
    rows.push([name, ...columns.map((column) => round(times[column]))])
  }
  console.log(toTable(['microseconds of CPU', ...columns], rows))
  console.log(`
parse: from the query string to an intent. plan: applies the rules of definitions. compile: the first statement, when it is not cached. bind: the same
when it is cached. full read: bind, all statements, rows. write: from rows to the text of the document.
full request: the request handler without HTTP, including content negotiation and ETag.`)
  await bench.close()
  removeSqlite(file)
}

/** Returns a function for each phase. Its input is the result of the phase before. */
async function phasesOf({ id, type: name = 'articles', query: queryString }, { api, mapping, get }) {
  const { parseQuery } = loadSource('query/parse-query')
  const { planCollection, planResourceById } = loadSource('plan/plan-read')
  const type = api.graph.types.get(name)
  const parse = () => parseQuery(queryString, id === undefined ? 'collection' : 'single', type, api.graph, api.options)
  const query = parse()
  const plan = () => {
    const rules = api.evaluateReadRules(undefined)
    return id === undefined ? planCollection(type, query, rules) : planResourceById(type, id, query, rules)
  }
  const readPlan = plan()
  const result = await api.store.read(readPlan)
  const read = { plan: readPlan, result, query }
  const url = `/${name}${id === undefined ? '' : `/${id}`}?${queryString}`
  const { toResponseContext, toHttpResponse } = loadSource('request-handler/http-response')
  const { buildCollectionResponseDocument, buildResourceResponseDocument } = loadSource('response/to-document')
  const { CompiledQueryCache } = loadSource('store/typeorm/select/compiled-query-cache')
  const queryCache = new CompiledQueryCache(mapping.dialect, api.caches)
  const context = toResponseContext(toRequest(url), api)
  const toDocument = id === undefined ? buildCollectionResponseDocument : buildResourceResponseDocument
  return {
    ...{ parse, plan },
    compile: () => compile(readPlan, mapping),
    bind: () => compileCached(readPlan, mapping, queryCache),
    'full read': () => api.store.read(readPlan),
    write: () => toHttpResponse({ status: 200, document: toDocument(read, context.requestUrl) }, context),
    'full request': () => get(url),
  }
}

const READ_VARIANT = { tableIndex: undefined, lock: 'noLock', total: false }

function compile({ layer, projection }, mapping) {
  const { convertCriteriaIdsToKeys } = loadSource('store/typeorm/select/row-criteria')
  const { compilePrimaryLayerSelect } = loadSource('store/typeorm/select/select-layer')
  const { toSqlStatement } = loadSource('store/typeorm/sql/sql')
  const { tableRowSources } = mapping.tableOf(layer.type)
  const criteria = convertCriteriaIdsToKeys(layer.criteria, layer.type, mapping)
  return toSqlStatement(
    compilePrimaryLayerSelect(layer, criteria, { projection, mapping, tableRowSources, extraColumns: [] }).sql,
    mapping.dialect,
  )
}

function compileCached({ layer, projection }, mapping, queryCache) {
  const { convertCriteriaIdsToKeys } = loadSource('store/typeorm/select/row-criteria')
  const { compileCachedPrimarySelect } = loadSource('store/typeorm/select/compile-statements')
  return compileCachedPrimarySelect(
    layer,
    convertCriteriaIdsToKeys(layer.criteria, layer.type, mapping),
    READ_VARIANT,
    {
      mapping,
      projection,
      queryCache,
    },
  )
}

main()
