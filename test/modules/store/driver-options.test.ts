import { Attribute, ConfigurationError, createJsonApi, Resource, ToMany, ToOne } from 'stemma'
import {
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
} from 'typeorm'

// What createJsonApi reads of the options of a DataSource needs no connection.

@Resource('shelves')
@Entity('shelves')
class Shelf {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Book', 'shelf') books: Book[]
}

@Resource('books')
@Entity('books')
class Book {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) title: string
  @ToOne() @ManyToOne('Shelf', 'books', { nullable: true }) shelf: Shelf | null
}

const RESOURCES = [Shelf, Book]

class Described extends DataSource {
  describe(): Promise<void> {
    return this.buildMetadatas()
  }
}

async function start(options: object, resources = RESOURCES): Promise<unknown> {
  const all = { type: 'mariadb', database: 'test', entities: RESOURCES, ...options } as unknown as DataSourceOptions
  const dataSource = new Described(all)
  await dataSource.describe()
  try {
    return void createJsonApi({ dataSource, resources, startUp: 'quiet' })
  } catch (error) {
    return error
  }
}

it.each([
  [{ supportBigNumbers: false }, "'supportBigNumbers' is false"],
  [{ extra: { supportBigNumbers: false } }, "'supportBigNumbers' is false"],
  [{ extra: { decimalNumbers: true } }, "'decimalNumbers' is true"],
  [{ dateStrings: true }, "'dateStrings' is true"],
  [{ dateStrings: ['DATE', 'TIMESTAMP'] }, `'dateStrings' is ["DATE","TIMESTAMP"]`],
  [{ extra: { typeCast: false } }, "'typeCast' is false"],
  [{ extra: { rowsAsArray: true } }, "'rowsAsArray' is true"],
  [{ extra: { nestTables: '_' } }, `'nestTables' is "_"`],
  [{ extra: { queryFormat: (text: string) => text } }, "'queryFormat' is a function"],
])('refuses %j of mysql2', async (options, named) => {
  const error = await start(options)
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(String(error)).toContain(`dataSource: its option ${named}.`)
})

it.each([
  {},
  { dateStrings: ['DATE'], bigNumberStrings: false, timezone: 'Z' },
  { extra: { decimalNumbers: false, namedPlaceholders: true, typeCast: () => null } },
])('accepts %j of mysql2', async (options) => {
  expect(await start(options)).toBeUndefined()
})

it('names wrong options together with other mistakes', async () => {
  const error = String(await start({ dateStrings: true }, [Shelf]))
  expect(error).toContain("'dateStrings'")
  expect(error).toContain('Book')
})
