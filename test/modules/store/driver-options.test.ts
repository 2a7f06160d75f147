import { ConfigurationError, createJsonApi, type ResourceClass } from 'stemma'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { SHELVES, Shelf } from './support/shelves'

// What createJsonApi reads of the options of a DataSource needs no connection.

class Described extends DataSource {
  describe(): Promise<void> {
    return this.buildMetadatas()
  }
}

async function start(options: object, resources: readonly ResourceClass[] = SHELVES): Promise<unknown> {
  const all = { type: 'mariadb', database: 'test', entities: SHELVES, ...options } as unknown as DataSourceOptions
  const dataSource = new Described(all)
  await dataSource.describe()
  try {
    return void createJsonApi({ dataSource, resources, startupLog: false })
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
  [{ type: 'postgres', parseInt8: true }, "'parseInt8' is true"],
])('refuses %j of the driver', async (options, named) => {
  const error = await start(options)
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(String(error)).toContain(`dataSource: its option ${named}.`)
})

it.each([
  {},
  { dateStrings: ['DATE'], bigNumberStrings: false, timezone: 'Z' },
  { extra: { decimalNumbers: false, namedPlaceholders: true, typeCast: () => null } },
])('accepts %j of mysql2', async (options) => expect(await start(options)).toBeUndefined())

it('names wrong options together with other mistakes', async () => {
  const error = String(await start({ dateStrings: true }, [Shelf]))
  expect(error).toContain("'dateStrings'")
  expect(error).toContain('Jar')
})
