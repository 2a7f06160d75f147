import type { Answer } from './server'

interface Identified {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** What stands in `data`, as a list: `['men 1', 'women 2']`. */
export function shownKeys({ status, document }: Answer): readonly string[] {
  expect({ status, errors: document.errors }).toEqual({ status: 200, errors: undefined })
  return keys(document.data)
}

/** The same for `included`. */
export function includedKeys({ status, document }: Answer): readonly string[] {
  expect({ status, errors: document.errors }).toEqual({ status: 200, errors: undefined })
  return keys(document.included)
}

/** An attribute of everything in `data`. */
export function shownValues({ status, document }: Answer, attribute: string): readonly unknown[] {
  expect({ status, errors: document.errors }).toEqual({ status: 200, errors: undefined })
  return list(document.data).map(({ attributes }) => attributes?.[attribute])
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
export function mistakeOf({ status, document }: Answer) {
  expect({ status, count: document.errors?.length }).toEqual({ status: expect.any(Number), count: 1 })
  const [{ code, detail, source, meta }] = document.errors
  return { status, code, detail, parameter: source?.parameter, position: meta?.position }
}

export function keys(data: unknown): readonly string[] {
  return list(data).map(({ type, id }) => `${type} ${id}`)
}

function list(data: unknown): readonly Identified[] {
  return ([] as Identified[]).concat((data ?? []) as Identified[])
}
