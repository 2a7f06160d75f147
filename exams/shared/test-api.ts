import { createJsonApi, type JsonApiOptions } from 'stemma'
import { type Answer, Client, type Sent } from './client'
import { createDatabase, openDataSource } from './databases'
import { makeClasses, type Setting, type Types } from './model'
import { insertRows, type Row } from './rows'
import { serve } from './serve'

/** An API over a new database, with a connected client. */
export interface TestApi {
  readonly name: string
  send(sent: Sent): Promise<Answer>
  close(): Promise<void>
}

/** Creates a database with these rows and serves it. `optionsFor` returns further options for the entity classes. */
export async function startTestApi(
  types: Types,
  { database, layout }: Setting,
  rows: readonly Row[],
  optionsFor: (classes: ReturnType<typeof makeClasses>) => Partial<JsonApiOptions> = () => ({}),
): Promise<TestApi> {
  const created = await createDatabase(database)
  const classes = makeClasses(types, { database, layout })
  const resources = [...classes.values()]
  const dataSource = await openDataSource(created, resources, { layout, synchronize: true })
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
    send: (sent) => client.send(sent),
    async close() {
      client.close()
      await server.close()
      await dataSource.destroy()
      await created.remove()
    },
  }
}
