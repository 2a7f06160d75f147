import { Author } from './author'
import { Book } from './book'
import { Magazine } from './magazine'
import { Publication } from './publication'

/** All resource types. They are TypeORM's entities too. */
export const resources = [Author, Publication, Book, Magazine]
