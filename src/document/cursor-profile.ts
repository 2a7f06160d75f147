/** The profile for cursor pagination. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export const CURSOR_PAGINATION_URI = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

/** The spellings of its URI that are accepted, because clients send them. */
export const ACCEPTED_CURSOR_PAGINATION_URIS: ReadonlySet<string> = new Set(
  ['https', 'http'].flatMap((scheme) => {
    const uri = CURSOR_PAGINATION_URI.replace('https', scheme)
    return [uri, `${uri}/`]
  }),
)

/** The types of its errors. */
export const MAX_SIZE_EXCEEDED_URI = `${CURSOR_PAGINATION_URI}/max-size-exceeded`
export const UNSUPPORTED_SORT_URI = `${CURSOR_PAGINATION_URI}/unsupported-sort`
