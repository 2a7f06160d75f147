import type { JsonApiOptions } from 'stemma'
import { identify } from './authentication'
import { dataSource } from './data-source'
import { resources } from './resources'
import { AuthorDefinition } from './resources/author-definition'
import { BookDefinition } from './resources/book-definition'
import { MagazineDefinition } from './resources/magazine-definition'

/** The options of the API. `npm run check` reads them too. */
export function configuration(source = dataSource) {
  return {
    dataSource: source,
    resources,
    definitions: [new AuthorDefinition(), new BookDefinition(), new MagazineDefinition()],
    context: identify,
    // Without it, each process has a secret of its own, and knows only its own ETags.
    etagSecret: process.env.ETAG_SECRET,
    // The explorer asks for the token.
    openApi: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  } satisfies JsonApiOptions
}
