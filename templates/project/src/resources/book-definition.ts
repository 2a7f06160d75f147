import { JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import { Book } from './book'

/** The rules of books. They hold whichever endpoint a book is written by: `/books` or `/publications`. */
export class BookDefinition extends ResourceDefinition<Book> {
  readonly resource = Book

  override beforeWrite(write: ResourceWrite<Book>) {
    if (write.kind !== 'create' && write.kind !== 'update') return
    // The values as they will be stored: those that were sent, and the others as they are.
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
