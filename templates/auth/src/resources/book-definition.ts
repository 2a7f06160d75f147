import { JsonApiError, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Book } from './book'
import { EditorsOnly } from './editors-only'

/** The rules of books. They apply at every endpoint that writes a book: `/books` and `/publications`. */
export class BookDefinition extends EditorsOnly<Book> {
  readonly resource = Book

  override beforeWrite(write: ResourceWrite<Book, Client>) {
    super.beforeWrite(write)
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
