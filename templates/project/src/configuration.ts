import 'reflect-metadata'
import type { JsonApiOptions } from 'stemma'
import { DataSource } from 'typeorm'
import { Author } from './resources/author'
import { Book } from './resources/book'
import { BookDefinition } from './resources/book-definition'
import { Magazine } from './resources/magazine'
import { Publication } from './resources/publication'

const resources = [Author, Publication, Book, Magazine]

/** The configuration of the API. The data source is not initialized yet. */
export function configuration(database = 'library.sqlite') {
  const dataSource = new DataSource({ type: 'better-sqlite3', database, entities: resources, synchronize: true })
  return { dataSource, resources, definitions: [new BookDefinition()] } satisfies JsonApiOptions
}
