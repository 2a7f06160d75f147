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

/** The documents that are held against the tools: an abstract base with rules, plain types of all values, many levels. */
export function describeAll(): Promise<readonly (readonly [name: string, document: OpenApiDocument])[]> {
  return Promise.all([
    describeOne('humans', HUMANS),
    describeOne('blogs', { resources: BLOGS }),
    describeOne('vehicles', { resources: VEHICLES }),
  ])
}

async function describeOne(
  title: string,
  parts: { readonly resources: readonly ResourceClass[]; readonly definitions?: typeof HUMANS.definitions },
): Promise<readonly [string, OpenApiDocument]> {
  const { dataSource, close } = await openDatabase(parts.resources)
  const servers = [{ url: 'https://api.example.com' }]
  const api = createJsonApi({ dataSource, ...parts, startupLog: false, openApi: { title, servers } })
  const document = api.openApi()
  await close()
  return [title, document]
}
