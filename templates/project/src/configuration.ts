import type { JsonApiOptions } from 'stemma'
import { dataSource } from './data-source'
import { resources } from './resources'
import { BookDefinition } from './resources/book-definition'

/** The options of the API. `npm run check` reads them too. */
export function configuration(source = dataSource) {
  return { dataSource: source, resources, definitions: [new BookDefinition()] } satisfies JsonApiOptions
}
