import type { Response } from 'supertest'

interface Identified {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** What stands in `data`, as a list: `['men 1', 'women 2']`. */
export function shownKeys({ status, body }: Response): readonly string[] {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return keys(body.data)
}

/** The same for `included`. */
export function includedKeys({ status, body }: Response): readonly string[] {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return keys(body.included)
}

/** An attribute of everything in `data`. */
export function shownValues({ status, body }: Response, attribute: string): readonly unknown[] {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return list(body.data).map(({ attributes }) => attributes?.[attribute])
}

/** The linkage of a relationship of each resource object, or `undefined` where it has none: `['cars 1 -> features 2']`. */
export function shownLinkage(resources: readonly never[], relationship: string): readonly unknown[] {
  return (resources as readonly (Identified & { relationships: Record<string, { data?: unknown }> })[]).map(
    ({ relationships }) => {
      const data = relationships[relationship]?.data
      return data === undefined || data === null ? data : keys(data)
    },
  )
}

/** The one mistake that was answered. */
export function mistakeOf({ status, body }: Response) {
  expect({ status, count: body.errors?.length }).toEqual({ status: expect.any(Number), count: 1 })
  const [{ code, detail, source, meta }] = body.errors
  return { status, code, detail, parameter: source?.parameter, position: meta?.position }
}

export function keys(data: unknown): readonly string[] {
  return list(data).map(({ type, id }) => `${type} ${id}`)
}

function list(data: unknown): readonly Identified[] {
  return ([] as Identified[]).concat((data ?? []) as Identified[])
}
