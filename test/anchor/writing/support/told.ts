import type { Answer } from '../../../support/server'

interface ToldError {
  readonly status: string
  readonly code: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

/** What an answer says of itself: `204`, or its mistakes, `422 attribute.unknown /data/attributes/nam`, one after the other. */
export function told({ status, document }: Answer): string {
  const errors: readonly ToldError[] | undefined = document?.errors
  return errors === undefined ? String(status) : errors.map(tellError).join(', ')
}

function tellError({ status, code, source }: ToldError): string {
  return [status, code, ...Object.values(source ?? {})].filter((part) => part !== '').join(' ')
}
