import type { Answer } from '../../support/server'

/** An answer for `toMatchObject`: the members of its document, beside its status as `status`. */
export function answered({ status, document }: Answer): object {
  return { status, ...document }
}

/** The one mistake of an answer, without what is prose. */
export function refused({ status, document }: Answer): object {
  const [{ code, source }, ...others] = document.errors
  return { status, code, ...source, ...(others.length > 0 && { others: others.length }) }
}
