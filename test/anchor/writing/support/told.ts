import type { Response } from 'supertest'

interface ToldError {
  readonly status: string
  readonly code: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

/** What an answer says of itself: `204`, or its mistakes, `422 attribute.unknown /data/attributes/nam`, one after the other. */
export function told({ status, body }: Response): string {
  const errors: readonly ToldError[] | undefined = body?.errors
  return errors === undefined ? String(status) : errors.map(tellError).join(', ')
}

function tellError({ status, code, source }: ToldError): string {
  return [status, code, ...Object.values(source ?? {})].filter((part) => part !== '').join(' ')
}
