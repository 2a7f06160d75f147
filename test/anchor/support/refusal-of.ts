import { createJsonApi, type ResourceClass } from 'stemma'
import { openDatabase } from '../../support/database'

export interface Sources {
  readonly resources: readonly ResourceClass[]
  /** Default: the resources. */
  readonly entities?: readonly ResourceClass[]
}

/** What `createJsonApi` throws, as a text. */
export async function refusalOf({ resources, entities = resources }: Sources): Promise<string> {
  const { dataSource, close } = await openDatabase(entities)
  try {
    createJsonApi({ dataSource, resources })
    return 'nothing'
  } catch (error) {
    return String(error)
  } finally {
    await close()
  }
}
