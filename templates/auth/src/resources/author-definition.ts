import { Author } from './author'
import { EditorsOnly } from './editors-only'

export class AuthorDefinition extends EditorsOnly<Author> {
  readonly resource = Author
}
