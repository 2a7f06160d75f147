// The cases of `npm run bench:options`. `options(entities)` returns options of createJsonApi, `change(entities, typeorm)` decorates classes,
// `connection` has options of TypeORM. `url` is requested with the option, `baseUrl` without it, by default the same. `on`: the databases.
const { loadStemma } = require('../packages')

const PAGE = '/articles?page[size]=100'
const RESOURCE = '/articles/4711'
const FILTERED = `${PAGE}&filter=contains(title,'owls')`
const INCLUDED = `${PAGE},comments:10&include=comments`

const withOptions =
  (url, options, rest = {}) =>
  () => ({ url, options: () => options, ...rest })

/** Returns a case with a definition of articles that has these hooks. */
const withHooks = (hooks, url = PAGE) => ({
  url,
  options: ({ Article }) => {
    const { ResourceDefinition } = loadStemma()
    class Definition extends ResourceDefinition {
      resource = Article
    }
    Object.assign(Definition.prototype, hooks())
    return { definitions: [new Definition()] }
  },
})

const TOTALS = [
  ["totals: 'exact'", withOptions(PAGE, { totals: 'exact' })],
  ["totals: 'exact', filtered", withOptions(FILTERED, { totals: 'exact' })],
  ['totals: { maxCount: 1000 }', withOptions(PAGE, { totals: { maxCount: 1000 } })],
  ['totals: { maxCount: 1000 }, filtered', withOptions(FILTERED, { totals: { maxCount: 1000 } })],
  ["totals: 'estimated'", withOptions(PAGE, { totals: 'estimated' })],
]

const PAGES = [
  ["pagination: 'cursors'", withOptions(PAGE, { pagination: 'cursors' })],
  ['includedPagination: true', withOptions(INCLUDED, { includedPagination: true })],
]

const DOCUMENTS = [
  ["etags: 'all'", withOptions(PAGE, { etags: 'all' })],
  ['etags: false, one resource', withOptions(RESOURCE, { etags: false })],
  ['links: { resource: false }', withOptions(PAGE, { links: { resource: false } })],
  [
    'links: { resource: false, relationship: false }',
    withOptions(PAGE, { links: { resource: false, relationship: false } }),
  ],
  ["links: { base: 'request' }", withOptions(PAGE, { links: { base: 'request' } })],
  ['meta of documents', withOptions(PAGE, { meta: ({ method }) => ({ method }) })],
  ["toOneLinkage: 'always'", withOptions(PAGE, { toOneLinkage: 'always' })],
  ['include=author,blog', withOptions(`${PAGE}&include=author,blog`, {}, { baseUrl: PAGE })],
  ['fields[articles]=title', withOptions(`${PAGE}&fields[articles]=title`, {}, { baseUrl: PAGE })],
]

const filter = () => loadStemma().not(loadStemma().equals('title', ''))
const HOOKS = [
  ['a definition without hooks', () => withHooks(() => ({}))],
  ['the hook filter', () => withHooks(() => ({ filter }))],
  ['the hook filter, one resource', () => withHooks(() => ({ filter }), RESOURCE)],
  ['the hook sort', () => withHooks(() => ({ sort: () => 'id' }))],
  ['the hook page', () => withHooks(() => ({ page: () => ({ size: 100 }) }))],
  ['the hook fields', () => withHooks(() => ({ fields: (fields) => fields }))],
  ['the hook fields, one resource', () => withHooks(() => ({ fields: (fields) => fields }), RESOURCE)],
  ['the hook serialize', () => withHooks(() => ({ serialize: () => undefined }))],
  ['the hook meta', () => withHooks(() => ({ meta: () => undefined }))],
  ['the hook redirect', () => withHooks(() => ({ redirect: () => undefined }))],
]

const STORE = [
  ['a custom function in a filter', () => customFunction(PAGE)],
  ['a custom function, page of 1', () => customFunction('/articles?page[size]=1')],
  ['@VirtualColumn', virtualColumn],
  ['@AfterLoad', afterLoad],
  ['maxQueryExecutionTime', withOptions(PAGE, {}, { connection: { maxQueryExecutionTime: 60_000 } })],
  ['maxQueryExecutionTime, one resource', withOptions(RESOURCE, {}, { connection: { maxQueryExecutionTime: 60_000 } })],
  ['preparedStatements: false', withOptions(PAGE, { preparedStatements: false }, { on: ['postgres'] })],
  [
    'preparedStatements: false, one resource',
    withOptions(RESOURCE, { preparedStatements: false }, { on: ['postgres'] }),
  ],
]

exports.CASES = [...TOTALS, ...PAGES, ...DOCUMENTS, ...HOOKS, ...STORE].map(([name, create]) => [name, create()])

/** Compares a custom function with the built-in filter of the same meaning. */
function customFunction(page) {
  const isNamed = loadStemma().defineFunction({
    ...{ name: 'isNamed', argumentTypes: ['string'], returnType: 'boolean' },
    toSql: (sql, [text]) => sql`(not coalesce(${text} = '', false))`,
  })
  const baseUrl = `${page}&filter=not(equals(title,''))`
  return { url: `${page}&filter=isNamed(title)`, baseUrl, options: () => ({ functions: [isNamed] }) }
}

function virtualColumn() {
  return {
    url: PAGE,
    change: ({ Article }, { VirtualColumn }) => {
      const query = (alias) => `select count(*) from comments where comments."articleId" = ${alias}.id`
      VirtualColumn({ type: 'int', query })(Article.prototype, 'commentCount')
      loadStemma().Attribute()(Article.prototype, 'commentCount')
    },
  }
}

function afterLoad() {
  return {
    url: PAGE,
    change: ({ Article }, { AfterLoad }) => {
      Article.prototype.onLoad = () => {}
      AfterLoad()(Article.prototype, 'onLoad')
    },
  }
}
