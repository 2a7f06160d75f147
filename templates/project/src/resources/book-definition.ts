import { JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import { Book } from './book'

/** The rules of books. They apply at every endpoint that writes a book: `/books` and `/publications`. */
export class BookDefinition extends ResourceDefinition<Book> {
  readonly resource = Book

  override beforeWrite(write: ResourceWrite<Book>) {
    if (write.kind !== 'create' && write.kind !== 'update') return
    // The values after the write: those of the request, and the stored ones for other fields.
    const { pages = 0 } = write.values
    if (pages < 1) {
      throw new JsonApiError({
        title: 'A book has pages.',
        detail: `Found ${pages}, expected 1 or more.`,
        field: 'pages',
      })
    }
  }
}
