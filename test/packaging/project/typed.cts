// The types as CommonJS sees them.
import stemma = require('stemma')
import client = require('stemma/client')
import sqlite3 = require('stemma/sqlite3')
import testing = require('stemma/testing')

class Rules extends stemma.ResourceDefinition {
  readonly resource = Rules
  override beforeWrite(write: stemma.ResourceWrite): void {
    if (write.kind === 'delete') throw new stemma.JsonApiError({ title: 'Nothing goes.' })
  }
}

export const definitions: stemma.ResourceDefinition[] = [new Rules()]
// @ts-expect-error: a wrong option must be found, or the types have turned into `any` on the way.
stemma.createJsonApi({ nonsense: true })

const findings: readonly testing.Finding[] = testing.lintExchange({
  method: 'GET',
  url: '/',
  status: 200,
  headers: new Headers(),
})
if (findings[0]?.requirement === 'RO-1') throw new Error(findings[0].message)
// @ts-expect-error: there is no such requirement.
if (findings[0]?.requirement === 'RO-0') throw new Error()

export const dataSource = new sqlite3.Sqlite3DataSource({ database: ':memory:', entities: [Rules] })
// @ts-expect-error: a database is needed.
new sqlite3.Sqlite3DataSource({})

class Note {
  id!: number
  title!: string
}
const notes = client.createClient<client.InferApi<{ notes: typeof Note }>>({ baseUrl: 'http://localhost' })
export const title = async (): Promise<string> => (await notes.get('notes', '1')).title
// @ts-expect-error: notes have no such attribute.
void notes.list('notes', { filter: client.equals('titel', 'x') })
