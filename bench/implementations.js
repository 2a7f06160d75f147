// The measured implementations. `on`: the databases that it runs on. `differs`: workloads whose response includes other resources, and which.
// `notes`: remarks on workloads. `excluded`: excluded workloads, and the reasons.
const { CURSOR_PAGES, readCursors } = require('./measure/cursors')

const SQLITE = ['sqlite']
const BOTH = ['sqlite', 'postgres']

const WITHOUT_CURSORS = { W6c: 'has no cursors', W16c: 'has no cursors' }
/** json-api-nestjs, jsonapi-server and kurier expect clients to send the creation time. */
const CREATED_AT = '2024-05-06T07:08:09.123Z'

function without(query, ...names) {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
}

/** Without the header, stemma responds to changes with 204. The others return the resources. */
function preferDocuments({ method, path }) {
  return method === 'PATCH' || path === '/operations' ? { prefer: 'return=representation' } : {}
}

/** The sizes of included pages, by `include`. */
const INCLUDED_PAGES = { 'author,comments.author': ',comments:10', members: ',members:10' }

/** Translates to the query language of stemma. An API with totals is mounted at `/counted`. */
function toStemma({ path, query, ...request }, _workload, cursorTo) {
  const { 'filter[maidenName]': maidenName, 'filter[blog]': blog, 'page[afterId]': afterId, ...rest } = query
  const isCounted = query['page[totals]'] !== undefined
  return {
    ...request,
    path: isCounted ? `/counted${path}` : path,
    query: {
      ...without(rest, 'page[totals]', ...(afterId === undefined ? [] : ['page[number]'])),
      ...(query.include !== undefined && {
        'page[size]': `${query['page[size]']}${INCLUDED_PAGES[query.include] ?? ''}`,
      }),
      ...(maidenName !== undefined && { filter: `equals(maidenName,'${maidenName}')` }),
      ...(blog !== undefined && { filter: `equals(blog.id,'${blog}')` }),
      ...(afterId !== undefined && { 'page[after]': cursorTo(afterId) }),
    },
  }
}

async function prepareStemma(url) {
  const response = await fetch(`${url}/articles?page[size]=1`, { headers: { accept: CURSOR_PAGES } })
  return readCursors(await response.text())
}

/** Without cursors: finds the page by its number. */
function byNumber({ query, ...request }) {
  return { ...request, query: without(query, 'page[afterId]') }
}

function toNestjs({ path, query, method, body }, workload) {
  const { 'filter[maidenName]': maidenName, ...rest } = without(query, 'page[totals]', 'page[afterId]')
  const isCreation = workload === 'W8'
  return {
    ...{ method, path },
    query: {
      ...rest,
      ...(query.include !== undefined && { include: 'author,comments' }),
      ...(maidenName !== undefined && { 'filter[maidenName][eq]': maidenName }),
    },
    body: isCreation ? withAttributes(body, { createdAt: CREATED_AT }) : body,
  }
}

function withAttributes({ data }, attributes) {
  return { data: { ...data, attributes: { ...data.attributes, ...attributes } } }
}

/** Translates page number and size to offset and limit. */
function byOffset(query) {
  const { 'page[number]': number, 'page[size]': size, ...rest } = without(query, 'page[totals]', 'page[afterId]')
  return size === undefined ? rest : { ...rest, 'page[offset]': (number - 1) * size, 'page[limit]': size }
}

function toJsonApiServer({ query, body, ...request }, workload) {
  return {
    ...request,
    query: byOffset(query),
    body: workload === 'W8' ? withAttributes(body, { createdAt: CREATED_AT }) : body,
  }
}

function toKurier({ query, body, ...request }, workload) {
  const isList = request.method === 'GET' && request.path === '/articles'
  const attributes = workload === 'W8' ? { createdAt: CREATED_AT.replace('T', ' ').replace('Z', '') } : {}
  const translated = body && withAttributes({ data: { ...body.data, type: 'article' } }, attributes)
  return { ...request, query: { ...byOffset(query), ...(isList && { sort: 'id' }) }, body: translated }
}

const BY_NUMBER = 'has no cursors, and returns the same page by its number'
const STEMMA = { server: 'stemma', on: BOTH, translate: toStemma, prepare: prepareStemma, headersOf: preferDocuments }

exports.IMPLEMENTATIONS = {
  stemma: { title: 'this library in an Express 5 app', ...STEMMA },
  l: { title: 'this library as a listener of node:http', ...STEMMA, settings: { BENCH_LAYER: 'http' } },
  a: {
    title: 'baseline: node:http, better-sqlite3, strings',
    server: 'baseline',
    on: SQLITE,
    settings: { BENCH_LAYER: 'http' },
  },
  b: { title: 'the baseline behind Express 5', server: 'baseline', on: BOTH },
  d: {
    title: 'by hand: Express 5, TypeORM find and save',
    server: 'typeorm',
    on: BOTH,
    translate: byNumber,
    notes: { W6c: BY_NUMBER, W16c: BY_NUMBER },
  },
  ds: serializerIn('json-api-serializer'),
  dj: serializerIn('ts-japi'),
  f: {
    title: 'json-api-nestjs 7.0.3: NestJS 10, TypeORM 0.3',
    server: 'nestjs',
    on: BOTH,
    translate: toNestjs,
    bodyType: 'application/json',
    differs: {
      ...{ W4: 'authors and all comments are included, not their authors', W4f: 'as W4' },
      ...{ W8: 'includes the related resources', W9: 'includes the related resources' },
    },
    excluded: WITHOUT_CURSORS,
  },
  j: {
    title: 'jsonapi-server 4.2.0 with a hand-written better-sqlite3 handler',
    server: 'jsonapi-server',
    on: SQLITE,
    translate: toJsonApiServer,
    excluded: {
      ...{ W4: 'the hand-written handler supports articles only', W4f: 'as W4' },
      ...{ W5: 'does not support hierarchies', W6t: 'always counts', ...WITHOUT_CURSORS },
    },
  },
  k: {
    title: 'kurier 1.2.0-alpha3: Express 4, knex 0.95, sqlite3',
    server: 'kurier',
    on: SQLITE,
    translate: toKurier,
    bodyType: 'application/json',
    excluded: {
      ...{ W4: 'crashes the process', W4f: 'crashes the process', W7: 'has no totals', W6t: 'has no totals' },
      ...WITHOUT_CURSORS,
    },
  },
}

function serializerIn(name) {
  const only = ['W1', 'W2', 'W3f', 'W4', 'W10f']
  return {
    title: `(d) with ${name} from npm`,
    server: 'typeorm',
    on: SQLITE,
    settings: { BENCH_SERIALIZER: name },
    only,
    whyOnly: 'differs from (d) only in the documents',
  }
}
