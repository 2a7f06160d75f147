import type { Query } from './ast'

/** What an empty query string says. */
export const NO_QUERY: Query = {
  filter: undefined,
  sort: [],
  page: { size: undefined, number: undefined },
  include: undefined,
  fields: new Map(),
  scoped: [],
}
