import type { Query } from './ast'

/** What an empty query string says. */
export const EMPTY_QUERY: Query = {
  filter: undefined,
  sort: [],
  page: { size: undefined, number: undefined },
  include: undefined,
  fields: new Map(),
  scoped: [],
}

/** The same for documents that have no `included`: no rule adds to it. */
export const NOTHING_INCLUDED: Query = { ...EMPTY_QUERY, include: [] }
