import type { Response } from 'supertest'
import type { TestServer } from './server'

// What tests expect of responses. Resources are written `men 1`, errors `422 attribute.type /data/attributes/name`.

type Identified = Readonly<{ type: string; id: string; attributes?: Readonly<Record<string, unknown>> }>

interface ErrorObject {
  readonly status: string
  readonly code: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

/**
 * Expects a single error with that status. `source`: the pointer, query parameter or header of the error, or `undefined`.
 * `expectError(response, 422, '/data/attributes/title', 'attribute.type')`
 */
export function expectError(response: Response, status: number, source?: string, code?: string): void {
  const errors: readonly ErrorObject[] = response.body.errors ?? []
  const found = errors.map((error) => ({
    status: error.status,
    source: sourceOf(error),
    ...(code && { code: error.code }),
  }))
  expect({ status: response.status, errors: found }).toEqual({
    status,
    errors: [{ status: String(status), source, ...(code && { code }) }],
  })
}

/** The errors of a response: `['422 attribute.type /data/attributes/name']`. */
export function errorsOf({ body }: Response): readonly string[] {
  const errors: readonly ErrorObject[] = body.errors ?? []
  return errors.map((error) => [error.status, error.code, sourceOf(error)].filter(Boolean).join(' '))
}

/** The status of a response, or its errors: `204`, `422 attribute.type /data/attributes/name`. */
export function outcomeOf(response: Response): string {
  return errorsOf(response).join(', ') || String(response.status)
}

/** The outcome and the header Retry-After: `503 server.unavailable, retry after 1`. */
export function outcomeWithRetry(response: Response): string {
  return [outcomeOf(response), response.headers['retry-after']].filter(Boolean).join(', retry after ')
}

/** The only error of a response, with the members that tests compare. */
export function singleError({ status, body }: Response) {
  expect({ status, count: body.errors?.length }).toEqual({ status: expect.any(Number), count: 1 })
  const [{ code, detail, source, meta }] = body.errors
  return { status, code, detail, parameter: source?.parameter, position: meta?.position }
}

function sourceOf({ source = {} }: ErrorObject): string | undefined {
  return source.pointer ?? source.parameter ?? source.header
}

/** The primary data of a response with status 200: `['men 1', 'women 2']`. */
export function resourceKeys({ status, body }: Response): readonly string[] {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return keysOf(body.data)
}

/** The included resources of a response with status 200. */
export function includedKeys({ status, body }: Response): readonly string[] {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return keysOf(body.included)
}

/** An attribute of each resource in the primary data of a response with status 200. */
export function attributeValues({ status, body }: Response, attribute: string): readonly unknown[] {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return list(body.data).map(({ attributes }) => attributes?.[attribute])
}

/** The linkage of a relationship of each resource object: `[['features 2'], null, undefined]`. */
export function linkageKeys(resources: readonly never[], relationship: string): readonly unknown[] {
  return (resources as readonly (Identified & { relationships: Record<string, { data?: unknown }> })[]).map(
    ({ relationships }) => {
      const data = relationships[relationship]?.data
      return data === undefined || data === null ? data : keysOf(data)
    },
  )
}

/** Resource objects or identifiers, one or several: `['men 1', 'women 2']`. */
export function keysOf(data: unknown): readonly string[] {
  return list(data).map(({ type, id }) => `${type} ${id}`)
}

/** The ids of the primary data of a response with status 200: `1 2`. */
export function idsOf(response: Response): string {
  return resourceKeys(response)
    .map((key) => key.slice(key.indexOf(' ') + 1))
    .join(' ')
}

// The same for a path, which is requested. Each expects status 200.

type Reader = Pick<TestServer, 'get'>
/** The primary data. */
export const dataAt = async (server: Reader, path: string) => (await server.get(path).expect(200)).body.data
/** The keys of the primary data: `['men 1', 'women 2']`. */
export const keysAt = async (server: Reader, path: string) => resourceKeys(await server.get(path))
/** The ids of the primary data: `1 2`. */
export const idsAt = async (server: Reader, path: string) => idsOf(await server.get(path))

function list(data: unknown): readonly Identified[] {
  return ([] as Identified[]).concat((data ?? []) as Identified[])
}
