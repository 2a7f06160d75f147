import type { JsonApiOptions } from 'stemma'
import { authorize } from './authentication'
import { dataSource } from './data-source'
import { resources } from './resources'
import { BookDefinition } from './resources/book-definition'

/** The options of the API. `npm run check` reads them too. */
export function configuration(source = dataSource) {
  return {
    dataSource: source,
    resources,
    definitions: [new BookDefinition()],
    context: authorize,
    // Without it, each process has a secret of its own, and knows only its own ETags.
    etagSecret: process.env.ETAG_SECRET,
    // The explorer asks for the token.
    openApi: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  } satisfies JsonApiOptions
}
