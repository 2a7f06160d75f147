interface ErrorObject {
  readonly status: string
  readonly code: string
  readonly source?: Readonly<Record<string, string>>
}

interface ErrorDocument {
  readonly errors: readonly ErrorObject[]
}

/** What clients throw holds the document that was answered, or its errors, or the answer that has it. */
interface Thrown {
  readonly response?: { readonly data?: ErrorDocument; readonly json?: () => Promise<ErrorDocument> }
  readonly data?: ErrorDocument
  readonly content?: ErrorDocument
  readonly error?: readonly ErrorObject[]
}

/** The mistakes that a client was told: `404 resource.not-found`, `422 attribute.type /data/attributes/name`. */
export async function refusalOf(request: Promise<unknown>): Promise<readonly string[]> {
  const thrown = await request.then(
    () => {
      throw new Error('The request was not refused.')
    },
    (error: Thrown) => error,
  )
  const { response, data, content, error } = thrown
  const found = response?.data ?? data ?? content ?? (await response?.json?.())
  const errors = found?.errors ?? error
  if (errors === undefined) throw thrown
  return errors.map(({ status, code, source = {} }) => [status, code, ...Object.values(source)].join(' '))
}
