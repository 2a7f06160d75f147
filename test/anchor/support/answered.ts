import type { Response } from 'supertest'

/** An answer for `toMatchObject`: the members of its document, beside its status as `status`. */
export function answered({ status, body }: Response): object {
  return { status, ...body }
}

/** The one mistake of an answer, without what is prose. */
export function refused({ status, body }: Response): object {
  const [{ code, source }, ...others] = body.errors
  return { status, code, ...source, ...(others.length > 0 && { others: others.length }) }
}
