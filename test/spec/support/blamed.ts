import type { Response } from 'supertest'

/** What a request is refused for, by its place in the body, in the query string or in the headers: `['409 at /data/type']`. */
export function blamed({ status, body }: Response): readonly string[] {
  expect(status).toBeGreaterThanOrEqual(400)
  const found: readonly string[] = body.errors.map(toText)
  if (found.length === 1) expect(found[0]).toMatch(new RegExp(`^${status}`))
  return found
}

interface Mistake {
  readonly status: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

function toText({ status, source: { pointer, parameter, header } = {} }: Mistake): string {
  if (pointer !== undefined) return `${status} at ${pointer}`
  if (parameter !== undefined) return `${status} in ${parameter}`
  return header === undefined ? status : `${status} of ${header}`
}
