// The types as ES modules see them.
import { createJsonApi, JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import { createClient, equals, type InferApi } from 'stemma/client'
import { Sqlite3DataSource } from 'stemma/sqlite3'
import { type Finding, lintExchange } from 'stemma/testing'

class Rules extends ResourceDefinition {
  readonly resource = Rules
  override beforeWrite(write: ResourceWrite): void {
    if (write.kind === 'delete') throw new JsonApiError({ title: 'Nothing goes.' })
  }
}

export const definitions: ResourceDefinition[] = [new Rules()]
// @ts-expect-error: a wrong option must be found, or the types have turned into `any` on the way.
createJsonApi({ nonsense: true })

const findings: readonly Finding[] = lintExchange({ method: 'GET', url: '/', status: 200, headers: new Headers() })
if (findings[0]?.requirement === 'RO-1') throw new Error(findings[0].message)
// @ts-expect-error: there is no such requirement.
if (findings[0]?.requirement === 'RO-0') throw new Error()

export const dataSource = new Sqlite3DataSource({ database: ':memory:', entities: [Rules] })
// @ts-expect-error: a database is needed.
new Sqlite3DataSource({})

class Note {
  id!: number
  title!: string
  answers!: Note[]
}

export class NoteRules<Row extends Note = Note> extends ResourceDefinition<Row> {
  readonly resource: typeof Note = Note
  override prepareWrite({ relationships: { answers } }: ResourceWrite<Row>): Partial<Note> {
    return { title: answers?.[0]?.instance.title ?? 'New' }
  }
}

export class NamedNoteRules extends NoteRules {
  // @ts-expect-error: a title is no number.
  override serialize() {
    return { title: 5 }
  }
}

const client = createClient<InferApi<{ notes: typeof Note }>>({ baseUrl: 'http://localhost' })
export const title = async (): Promise<string> => (await client.get('notes', '1')).title
// @ts-expect-error: notes have no such attribute.
void client.list('notes', { filter: equals('titel', 'x') })
