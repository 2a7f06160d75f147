// Who is measured. `on`: on which databases; `differs`: where something else is included than was asked for, and what; `notes`: what else
// is to be known of a workload; `out`: which workloads are left out, and why.
const { CURSOR_PAGES, readCursors } = require('./measure/cursors')

const SQLITE = ['sqlite']
const BOTH = ['sqlite', 'postgres']

const WITHOUT_CURSORS = { W6c: 'has no cursors' }
/** Values are made by the server, but it wants them from clients. */
const CREATED_AT = '2024-05-06T07:08:09.123Z'

function without(query, ...names) {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
}

/** By itself it answers a change that did what was asked for with 204; the others send the resource. */
const WITH_DOCUMENT = { W9: { prefer: 'return=representation' } }

/** Stemma's own language; pages are counted under a path of their own. */
function toStemma({ path, query, ...request }, _workload, cursorTo) {
  const { 'filter[maidenName]': maidenName, 'page[behind]': behind, ...rest } = query
  const isCounted = query['page[totals]'] !== undefined
  return {
    ...request,
    path: isCounted ? `/counted${path}` : path,
    query: {
      ...without(rest, 'page[totals]', ...(behind === undefined ? [] : ['page[number]'])),
      ...(query.include !== undefined && { 'page[size]': `${query['page[size]']},comments:10` }),
      ...(maidenName !== undefined && { filter: `equals(maidenName,'${maidenName}')` }),
      ...(behind !== undefined && { 'page[after]': cursorTo(behind) }),
    },
  }
}

async function prepareStemma(url) {
  const answer = await fetch(`${url}/articles?page[size]=1`, { headers: { accept: CURSOR_PAGES } })
  return readCursors(await answer.text())
}

/** The page that others find by a cursor it finds by its number. */
function byNumber({ query, ...request }) {
  return { ...request, query: without(query, 'page[behind]') }
}

function toNestjs({ path, query, method, body }, workload) {
  const { 'filter[maidenName]': maidenName, ...rest } = without(query, 'page[totals]', 'page[behind]')
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

/** Pages by offset and limit. */
function byOffset(query) {
  const { 'page[number]': number, 'page[size]': size, ...rest } = without(query, 'page[totals]', 'page[behind]')
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
  const named = body && withAttributes({ data: { ...body.data, type: 'article' } }, attributes)
  return { ...request, query: { ...byOffset(query), ...(isList && { sort: 'id' }) }, body: named }
}

const STEMMA = { server: 'stemma', on: BOTH, translate: toStemma, prepare: prepareStemma, headers: WITH_DOCUMENT }

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
    notes: { W6c: 'has no cursors, and answers the same page by its number' },
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
      ...{ W8: 'includes what was related', W9: 'includes what was related' },
    },
    out: WITHOUT_CURSORS,
  },
  j: {
    title: 'jsonapi-server 4.2.0 over better-sqlite3 by hand',
    server: 'jsonapi-server',
    on: SQLITE,
    translate: toJsonApiServer,
    out: {
      ...{ W4: 'the handler by hand has articles alone', W4f: 'as W4' },
      ...{ W5: 'knows no hierarchies', W6t: 'always counts', ...WITHOUT_CURSORS },
    },
  },
  k: {
    title: 'kurier 1.2.0-alpha3: Express 4, knex 0.95, sqlite3',
    server: 'kurier',
    on: SQLITE,
    translate: toKurier,
    bodyType: 'application/json',
    out: {
      ...{ W4: 'ends the process', W4f: 'ends the process', W7: 'has no totals', W6t: 'has no totals' },
      ...WITHOUT_CURSORS,
    },
  },
}

function serializerIn(name) {
  const only = ['W1', 'W2', 'W3f', 'W4', 'W10f']
  return {
    title: `(d) with ${name} of npm`,
    server: 'typeorm',
    on: SQLITE,
    settings: { BENCH_SERIALIZER: name },
    only,
    why: 'it is (d) but for the documents',
  }
}
