import { Author } from './author'
import { Branch } from './branch'
import { Change } from './change'
import { Copy } from './copy'
import { Item } from './item'
import { Loan } from './loan'
import { Member } from './member'
import { Book, Magazine, Printed } from './printed'
import { Audiobook, Film, Recording } from './recording'
import { Reservation } from './reservation'

/** All resource types. They are TypeORM's entities too. */
export const resources = [
  ...[Branch, Author, Copy, Member, Loan, Reservation, Change],
  ...[Item, Printed, Book, Magazine, Recording, Audiobook, Film],
]
