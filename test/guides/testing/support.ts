import type { Exchange } from 'stemma/testing'

export const JSON_API = 'application/vnd.api+json'
export const ATOMIC = 'https://jsonapi.org/ext/atomic'
export const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
export const EXTENSION = 'https://example.com/ext'

export type Change = Partial<Omit<Exchange, 'body'>> & { readonly body?: unknown }

/** A valid exchange with changes. Bodies other than strings and bytes are sent as JSON. */
export function exchangeOf({ headers, body, ...others }: Change): Exchange {
  return {
    method: 'GET',
    url: '/articles',
    requestBody: '',
    status: 200,
    headers: { 'content-type': JSON_API, vary: 'Accept', ...headers },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
    ...others,
  }
}

/** A document with one article. */
export function article(members: object = {}): object {
  return { data: { type: 'articles', id: '1', ...members } }
}

export function linked(relationship: unknown): object {
  return article({ relationships: { author: relationship } })
}

export function failed(error: unknown, change: Change = {}): Change {
  return { status: 422, body: { errors: [error] }, ...change }
}

/** Headers of a document with extensions or profiles. */
export function applied(parameters: string): Exchange['headers'] {
  return { 'content-type': `${JSON_API};${parameters}` }
}
