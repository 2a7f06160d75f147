import type { RequirementId } from 'stemma/testing'

export const ROOT = 'http://api.example'

/** Responses by path; a string is a description in plain text. */
export type Site = Readonly<Record<string, string | Page>>

interface Page {
  readonly data?: unknown
  readonly included?: unknown
  readonly links?: object
  readonly errors?: unknown
  /** `lost`: a HEAD fails; `changed`: it is of another state. */
  readonly meta?: { readonly lost?: true; readonly changed?: true }
}

const AUTHOR = { self: '/articles/1/relationships/author', related: `${ROOT}/articles/1/author` }
const COMMENTS = { self: '/articles/1/relationships/comments', related: '/articles/1/comments' }
const FIRST = '/articles?page%5Bnumber%5D=1'
const SECOND = '/articles?page%5Bnumber%5D=2'
const ANN = { type: 'people', id: '9', links: { self: '/people/9' } }
const COMMENT = { type: 'comments', id: '5' }
const OTHER_COMMENT = { type: 'comments', id: '12' }

function article(id: string, links: object | null = { self: { href: `/articles/${id}#top` } }): object {
  if (id !== '1') return { type: 'articles', id, ...(links && { links }) }
  const relationships = {
    author: { links: AUTHOR, data: { type: 'people', id: '9' } },
    comments: { links: COMMENTS, data: [COMMENT] },
    editor: { links: { related: '/articles/1/editor' }, data: null },
  }
  return { type: 'articles', id, relationships, links: { self: '/articles/1' } }
}

const page = (links: object, ...ids: readonly string[]) => ({ links, data: ids.map((id) => article(id)) })

/** Articles on two pages, an author, comments on two pages, an editor that is not there, and a description. */
export const SITE: Site = {
  '/articles': {
    ...page({ self: FIRST, prev: null, next: SECOND, first: FIRST, last: SECOND, describedby: '/help' }, '1', '2'),
    included: [ANN],
  },
  [FIRST]: { ...page({ self: FIRST, prev: null, next: SECOND, last: SECOND }, '1', '2'), included: [ANN] },
  [SECOND]: page({ prev: '?page%5Bnumber%5D=1', next: null }, '3'),
  '/help': 'Ask for articles.',
  '/articles/1': { data: article('1') },
  '/articles/2': { data: article('2') },
  '/articles/3': { data: article('3') },
  '/people/9': { data: ANN },
  '/articles/1/author': { data: ANN },
  '/articles/1/relationships/author': { links: AUTHOR, data: { type: 'people', id: '9' } },
  '/articles/1/editor': { data: null },
  '/articles/1/comments': { data: [COMMENT, OTHER_COMMENT] },
  '/articles/1/relationships/comments': {
    links: { ...COMMENTS, next: '/articles/1/relationships/comments?page%5Bnumber%5D=2' },
    data: [OTHER_COMMENT],
  },
  '/articles/1/relationships/comments?page%5Bnumber%5D=2': { data: [COMMENT] },
}

const LOST = { errors: [{ status: '404' }] }

/** The third article with another relationship. */
function third(relationship: object): Site {
  return { '/articles/3': { data: { type: 'articles', id: '3', relationships: { cover: relationship } } } }
}

function second(meta: Page['meta'] & object): Site {
  return { '/articles/2': { data: article('2'), meta } }
}

const TWO_URLS = {
  '/articles/1/author': { data: { ...ANN, links: { self: '/persons/9' } } },
  '/persons/9': { data: { type: 'people', id: '9' } },
}
const TO_COMMENTS = { links: { related: '/articles/1/comments' } }
const COVER = { type: 'covers', id: '1' }
const SELF = '/articles/3 /data/relationships/cover/links/self'
const RELATED = '/articles/3 /data/relationships/cover/links/related'
const LAST = ['/articles /links/last']
const NEXT = ['/articles /links/next', `${FIRST} /links/next`]
const THIRD = `${SECOND} /data/0/links/self`
const SECOND_SELF = `${SECOND} /links/self`
const SECOND_FIRST = `${SECOND} /links/first`
type CrawlBreach = readonly [requirement: RequirementId, what: string, changes: Site, places: readonly string[]]

/** Sites that break exactly one requirement, with the places of the breach. */
export const CRAWL_BREACHES: readonly CrawlBreach[] = [
  ['DS-11', 'a self of other data', { [SECOND]: page({ self: '/articles/2', prev: FIRST }, '3') }, [SECOND_SELF]],
  ['DS-13', 'a description that is not there', { '/help': LOST }, ['/articles /links/describedby']],
  ['RO-5', 'a resource with two URLs', TWO_URLS, ['/articles/1/author /data/links/self']],
  ['RO-15', 'a broken related link with null', third({ links: { related: '/nowhere' }, data: null }), [RELATED]],
  ['RO-15', 'a broken related link with []', third({ links: { related: '/nowhere' }, data: [] }), [RELATED]],
  ['RO-18', 'a resource that is not there', { '/articles/3': LOST }, [THIRD]],
  ['RO-18', 'another resource', { '/articles/3': { data: { type: 'articles', id: '4' } } }, [THIRD]],
  ['RO-18', 'a collection instead', { '/articles/3': { data: [{ type: 'articles', id: '3' }] } }, [THIRD]],
  ['FR-1', 'a related resource that is not there', third({ links: { related: '/nowhere' }, data: COVER }), [RELATED]],
  ['FR-1', 'another related resource', third({ links: { related: '/people/9' }, data: COVER }), [RELATED]],
  ['FR-1', 'a collection of one', third({ ...TO_COMMENTS, data: COMMENT }), [RELATED]],
  ['FR-1', 'a missing related resource', third({ ...TO_COMMENTS, data: [COMMENT, COVER] }), [RELATED]],
  ['FR-1', 'no data', { ...third({ links: { related: '/empty' } }), '/empty': { meta: {} } }, [RELATED]],
  ['FR-1', 'a self that leads nowhere', { [SECOND]: page({ self: '/nowhere', prev: FIRST }, '3') }, [SECOND_SELF]],
  ['FL-1', 'a relationship that is not there', third({ links: { self: '/nowhere' }, data: null }), [SELF]],
  ['FL-1', 'resource objects', third({ links: { self: '/articles/1' }, data: { type: 'articles', id: '1' } }), [SELF]],
  ['FL-1', 'other linkage', third({ links: { self: '/articles/1/relationships/author' }, data: COVER }), [SELF]],
  ['PG-6', 'a prev that leads elsewhere', { [SECOND]: page({ prev: '/other' }, '3'), '/other': page({}) }, NEXT],
  ['PG-9', 'a resource on two pages', { [SECOND]: page({ prev: FIRST }, '1') }, NEXT],
  ['PG-9', 'a cycle of pages', { [SECOND]: page({ prev: FIRST, next: FIRST }, '3') }, NEXT.toSpliced(1, 0, ...LAST)],
  ['PG-9', 'a page linked to itself', { [SECOND]: page({ next: SECOND }, '3') }, [...NEXT, `${SECOND} /links/next`]],
  ['PG-9', 'a last link that is not last', { '/articles': page({ next: SECOND, last: FIRST }, '1', '2') }, LAST],
  ['PG-10', 'a first link with 404', { [SECOND]: page({ prev: FIRST, first: '/nowhere' }, '3') }, [SECOND_FIRST]],
  ['PG-10', 'a first link elsewhere', { [SECOND]: page({ prev: FIRST, first: '/articles/2' }, '3') }, [SECOND_FIRST]],
  ['HT-1', 'another ETag for HEAD', second({ changed: true }), ['/articles/2 ETag']],
  ['HT-1', 'a HEAD that fails', second({ lost: true }), ['/articles/2 ']],
]
