// `npm run bench:phases`: CPU time of each phase of a request, in microseconds.
const { copySqlite, buildSqlite, removeSqlite } = require('./data/sqlite')
const { round, toTable } = require('./measure/tables')
const { dist, openWorkbench, toRequest } = require('./micro/harness')
const { timeEach } = require('./micro/time')
const { createEntities } = require('./model/entities')
const { optionsOf } = require('./model/data-source')
const { declareResources } = require('./model/resources')
const { library } = require('./packages')

const QUERIES = {
  'one article': { id: '4711', query: '' },
  'page of 10': { type: 'articles', query: 'page[size]=10&page[number]=3' },
  'page of 100': { type: 'articles', query: 'page[size]=100' },
  'page of 100, two steps included': {
    type: 'articles',
    query: 'page[size]=100,comments:10&include=author,comments.author',
  },
  'filtered and sorted': { type: 'women', query: "filter=equals(maidenName,'Surname007')&sort=name&page[size]=50" },
  'filtered by what is related': {
    type: 'articles',
    query:
      "filter=and(equals(author.name,'Unknown'),has(comments,contains(text,'owls')))&sort=-createdAt&page[size]=10",
  },
  'a base type': { type: 'humans', query: 'page[size]=50&include=father,mother' },
}

async function main() {
  const milliseconds = Number(process.env.BENCH_MILLISECONDS ?? 60)
  const file = copySqlite(buildSqlite(), 'phases')
  const entities = createEntities(library('typeorm'), { database: 'sqlite' })
  const resources = declareResources(entities)
  const bench = await openWorkbench({ database: optionsOf(file), entities: Object.values(entities), resources })
  const columns = ['parse', 'plan', 'compile', 'bind', 'whole read', 'write', 'whole request']
  const rows = []
  for (const [name, asked] of Object.entries(QUERIES)) {
    const times = await timeEach(await stepsOf(asked, bench), { milliseconds })
    rows.push([name, ...columns.map((column) => round(times[column]))])
  }
  console.log(toTable(['microseconds of CPU', ...columns], rows))
  console.log(`
parse: from the query string to an intent. plan: with the rules of definitions. compile: the first statement, the first time; bind: every other time.
whole read: bind, the statements of all steps, rows. write: from rows to the text of the document.
whole request: from what was received to what is sent, negotiation and ETag included.`)
  await bench.close()
  removeSqlite(file)
}

/** Each starts with what the one before it gives. */
async function stepsOf({ id, type: name = 'articles', query: text }, { api, mapping, ask }) {
  const { parseQuery } = dist('query/parse-query')
  const { planCollection, planResource } = dist('plan/plan-read')
  const type = api.graph.types.get(name)
  const parse = () => parseQuery(text, id === undefined ? 'collection' : 'single', type, api.graph, api.options)
  const query = parse()
  const plan = () => {
    const rules = api.evaluateReadRules(undefined)
    return id === undefined ? planCollection(type, query, rules) : planResource(type, id, query, rules)
  }
  const planned = plan()
  const result = await api.store.read(planned)
  const read = { plan: planned, result, query }
  const url = `/${name}${id === undefined ? '' : `/${id}`}?${text}`
  const { toResponseContext, toHttpResponse } = dist('request-handler/http-response')
  const { toCollectionDocument, toResourceDocument } = dist('response/to-document')
  const { StatementCache } = dist('store/typeorm/select/statement-cache')
  const known = new StatementCache(mapping.dialect, api.caches)
  const context = toResponseContext(toRequest(url), api)
  const toDocument = id === undefined ? toCollectionDocument : toResourceDocument
  return {
    ...{ parse, plan },
    compile: () => compile(planned, mapping),
    bind: () => prepare(planned, mapping, known),
    'whole read': () => api.store.read(planned),
    write: () => toHttpResponse({ status: 200, document: toDocument(read, context.requestUrl) }, context),
    'whole request': () => ask(url),
  }
}

const REACH = { tableIndex: undefined, lock: 'noLock', total: false }

function compile({ layer, projection }, mapping) {
  const { replaceIdsByKeys } = dist('store/typeorm/select/key-criteria')
  const { selectPrimary } = dist('store/typeorm/select/select-layer')
  const { printSql } = dist('store/typeorm/sql/sql')
  const { concreteTables } = mapping.tableOf(layer.type)
  const criteria = replaceIdsByKeys(layer.criteria, layer.type, mapping)
  return printSql(
    selectPrimary(layer, criteria, { projection, mapping, concreteTables, extraColumns: [] }).sql,
    mapping.dialect,
  )
}

/** `statementCache`: what is known of plans that were asked before. */
function prepare({ layer, projection }, mapping, statementCache) {
  const { replaceIdsByKeys } = dist('store/typeorm/select/key-criteria')
  const { compilePrimary } = dist('store/typeorm/select/compile-statements')
  return compilePrimary(layer, replaceIdsByKeys(layer.criteria, layer.type, mapping), REACH, {
    mapping,
    projection,
    statementCache,
  })
}

main()
