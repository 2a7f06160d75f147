import { createJsonApi, type JsonApiOptions } from 'stemma'
import { Client, type HttpRequest, type HttpResponse } from './client'
import { createDatabase, openDataSource } from './databases'
import { type Configuration, createClasses, type Types } from './model'
import { insertRows, type Row } from './rows'
import { serve } from './serve'

/** An API over a new database, with a connected client. */
export interface TestApi {
  readonly name: string
  send(request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

/** Creates a database with these rows and serves it. `optionsFor` returns further options for the entity classes. */
export async function startTestApi(
  types: Types,
  { database, layout }: Configuration,
  rows: readonly Row[],
  optionsFor: (classes: ReturnType<typeof createClasses>) => Partial<JsonApiOptions> = () => ({}),
): Promise<TestApi> {
  const emptyDatabase = await createDatabase(database)
  const classes = createClasses(types, { database, layout })
  const resources = [...classes.values()]
  const dataSource = await openDataSource(emptyDatabase, resources, { layout, synchronize: true })
  await insertRows({ dataSource, types, database, layout }, rows)
  const { listener } = createJsonApi({
    ...optionsFor(classes),
    dataSource,
    resources,
    startupLog: false,
    explorer: false,
    limits: { cost: null },
  })
  const server = await serve(listener)
  const client = new Client(server.port)
  return {
    name: `${database} ${layout}`,
    send: (request) => client.send(request),
    async close() {
      client.close()
      await server.close()
      await dataSource.destroy()
      await emptyDatabase.remove()
    },
  }
}
