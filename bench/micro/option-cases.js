// What `npm run bench:options` compares. `options(entities)` are those of createJsonApi, `change(entities, typeorm)` decorates classes,
// `connection` goes to TypeORM; `url` is asked for, and `beside` of the API without; `on`: on which databases, where not on all.
const { loadStemma } = require('../packages')

const PAGE = '/articles?page[size]=100'
const ONE = '/articles/4711'
const FILTERED = `${PAGE}&filter=contains(title,'owls')`
const INCLUDED = `${PAGE},comments:10&include=comments`

const of =
  (url, options, further = {}) =>
  () => ({ url, options: () => options, ...further })

/** A definition of articles with these hooks. */
const ruled = (hooks, url = PAGE) => ({
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
  ["totals: 'exact'", of(PAGE, { totals: 'exact' })],
  ["totals: 'exact', filtered", of(FILTERED, { totals: 'exact' })],
  ['totals: { maxCount: 1000 }', of(PAGE, { totals: { maxCount: 1000 } })],
  ['totals: { maxCount: 1000 }, filtered', of(FILTERED, { totals: { maxCount: 1000 } })],
  ["totals: 'estimated'", of(PAGE, { totals: 'estimated' })],
]

const PAGES = [
  ["pagination: 'cursors'", of(PAGE, { pagination: 'cursors' })],
  ['includedPagination: true', of(INCLUDED, { includedPagination: true })],
]

const DOCUMENTS = [
  ["etags: 'all'", of(PAGE, { etags: 'all' })],
  ['etags: false, one resource', of(ONE, { etags: false })],
  ['links: { resource: false }', of(PAGE, { links: { resource: false } })],
  ['links: { resource: false, relationship: false }', of(PAGE, { links: { resource: false, relationship: false } })],
  ["links: { base: 'request' }", of(PAGE, { links: { base: 'request' } })],
  ['meta of documents', of(PAGE, { meta: ({ method }) => ({ method }) })],
  ["toOneLinkage: 'always'", of(PAGE, { toOneLinkage: 'always' })],
  ['include=author,blog', of(`${PAGE}&include=author,blog`, {}, { beside: PAGE })],
  ['fields[articles]=title', of(`${PAGE}&fields[articles]=title`, {}, { beside: PAGE })],
]

const filter = () => loadStemma().not(loadStemma().equals('title', ''))
const HOOKS = [
  ['a definition without hooks', () => ruled(() => ({}))],
  ['the hook filter', () => ruled(() => ({ filter }))],
  ['the hook filter, one resource', () => ruled(() => ({ filter }), ONE)],
  ['the hook sort', () => ruled(() => ({ sort: () => 'id' }))],
  ['the hook page', () => ruled(() => ({ page: () => ({ size: 100 }) }))],
  ['the hook fields', () => ruled(() => ({ fields: (fields) => fields }))],
  ['the hook fields, one resource', () => ruled(() => ({ fields: (fields) => fields }), ONE)],
  ['the hook serialize', () => ruled(() => ({ serialize: () => undefined }))],
  ['the hook meta', () => ruled(() => ({ meta: () => undefined }))],
  ['the hook redirect', () => ruled(() => ({ redirect: () => undefined }))],
]

const STORE = [
  ['a function of your own in a filter', () => ownFunction(PAGE)],
  ['a function of your own, page of 1', () => ownFunction('/articles?page[size]=1')],
  ['@VirtualColumn', virtualColumn],
  ['@AfterLoad', afterLoad],
  ['maxQueryExecutionTime', of(PAGE, {}, { connection: { maxQueryExecutionTime: 60_000 } })],
  ['maxQueryExecutionTime, one resource', of(ONE, {}, { connection: { maxQueryExecutionTime: 60_000 } })],
  ['preparedStatements: false', of(PAGE, { preparedStatements: false }, { on: ['postgres'] })],
  ['preparedStatements: false, one resource', of(ONE, { preparedStatements: false }, { on: ['postgres'] })],
]

exports.CASES = [...TOTALS, ...PAGES, ...DOCUMENTS, ...HOOKS, ...STORE].map(([name, make]) => [name, make()])

/** It does what a filter of the library does. */
function ownFunction(page) {
  const isNamed = loadStemma().defineFunction({
    ...{ name: 'isNamed', argumentTypes: ['string'], returnType: 'boolean' },
    toSql: (sql, [text]) => sql`(not coalesce(${text} = '', false))`,
  })
  const beside = `${page}&filter=not(equals(title,''))`
  return { url: `${page}&filter=isNamed(title)`, beside, options: () => ({ functions: [isNamed] }) }
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
      Article.prototype.seen = () => {}
      AfterLoad()(Article.prototype, 'seen')
    },
  }
}
