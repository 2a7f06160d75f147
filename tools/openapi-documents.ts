import { createJsonApi, type OpenApiDocument, type ResourceClass } from 'stemma'
import { HumanDefinition } from '../examples/humans/human-definition'
import { ManDefinition } from '../examples/humans/man-definition'
import { WomanDefinition } from '../examples/humans/woman-definition'
import { BLOGS } from '../test/support/blogs'
import { openDatabase } from '../test/support/database'
import { Human, Man, Woman } from '../test/support/humans'
import { VEHICLES } from '../test/support/vehicles'

const HUMANS = {
  resources: [Human, Man, Woman],
  definitions: [new HumanDefinition(), new ManDefinition(), new WomanDefinition()],
}

/** Returns the OpenAPI documents for the tools: an abstract base with rules, all attribute types, and a deep hierarchy. */
export function createDocuments(): Promise<readonly (readonly [name: string, document: OpenApiDocument])[]> {
  return Promise.all([
    createDocument('humans', HUMANS),
    createDocument('blogs', { resources: BLOGS }),
    createDocument('vehicles', { resources: VEHICLES }),
  ])
}

async function createDocument(
  title: string,
  configuration: { readonly resources: readonly ResourceClass[]; readonly definitions?: typeof HUMANS.definitions },
): Promise<readonly [string, OpenApiDocument]> {
  const { dataSource, close } = await openDatabase(configuration.resources)
  const servers = [{ url: 'https://api.example.com' }]
  const api = createJsonApi({ dataSource, ...configuration, startupLog: false, openApi: { title, servers } })
  const document = api.openApi()
  await close()
  return [title, document]
}
