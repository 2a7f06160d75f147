import type { JsonApiOptions } from 'stemma'
import { Article } from './article'
import { Blog } from './blog'
import { createDataSource } from './data-source'
import { Revision } from './revision'
import { RevisionDefinition } from './revision-definition'
import { Tag } from './tag'

/** The configuration of the API. `createApp` serves it, `npx stemma check` checks it. */
export function configuration(dataSource = createDataSource()) {
  return {
    dataSource,
    resources: [Blog, Article, Revision, Tag],
    definitions: [new RevisionDefinition()],
  } satisfies JsonApiOptions
}
