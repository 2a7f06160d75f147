type ErrorObject = Readonly<{ status: string; code: string; source?: Readonly<Record<string, string>> }>

type ErrorDocument = Readonly<{ errors: readonly ErrorObject[] }>

/** Clients throw an error that contains the error document, its errors, or the response. */
interface Thrown {
  readonly response?: { readonly data?: ErrorDocument; readonly json?: () => Promise<ErrorDocument> }
  readonly data?: ErrorDocument
  readonly content?: ErrorDocument
  readonly error?: readonly ErrorObject[]
}

/** Returns the errors that a client has thrown: `404 resource.not-found`, `422 attribute.type /data/attributes/name`. */
export async function errorsIn(request: Promise<unknown>): Promise<readonly string[]> {
  const thrown = await request.then(
    () => {
      throw new Error('The request did not fail.')
    },
    (error: Thrown) => error,
  )
  const { response, data, content, error } = thrown
  const found = response?.data ?? data ?? content ?? (await response?.json?.())
  const errors = found?.errors ?? error
  if (errors === undefined) throw thrown
  return errors.map(({ status, code, source = {} }) => [status, code, ...Object.values(source)].join(' '))
}
