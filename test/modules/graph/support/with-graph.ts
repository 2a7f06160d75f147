import type { DataSource } from 'typeorm'
import { ConfigurationError } from '../../../../src/errors/configuration-error'
import { buildResourceGraph } from '../../../../src/graph/build-graph'
import type { Field, ResourceClass, ResourceGraph, ResourceType } from '../../../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS, type ResolvedApiOptions } from '../../../../src/graph/options/options'
import { createEntityDescriber } from '../../../../src/store/typeorm/metadata/describe-entities'
import { createDataSource } from '../../../support/data-source'

export async function openDataSource(entities: readonly ResourceClass[]): Promise<DataSource> {
  return createDataSource({ type: 'better-sqlite3', database: ':memory:', synchronize: true }, entities).initialize()
}

export interface Sources {
  readonly resources: readonly ResourceClass[]
  /** Default: the resources. */
  readonly entities?: readonly ResourceClass[]
  readonly options?: Partial<ResolvedApiOptions>
}

export async function graphOf({ resources, entities = resources, options = {} }: Sources): Promise<ResourceGraph> {
  const dataSource = await openDataSource(entities)
  try {
    const describe = createEntityDescriber(dataSource)
    return buildResourceGraph({ resources, describe, options: { ...DEFAULT_API_OPTIONS, ...options } })
  } finally {
    await dataSource.destroy()
  }
}

/** Every mistake, as `at: problem remedy`. */
export async function mistakesOf(sources: Sources): Promise<readonly string[]> {
  try {
    await graphOf(sources)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.split('\n')
  }
}

export function typeNamed(graph: ResourceGraph, name: string): ResourceType {
  return defined(graph.types.get(name), name)
}

export function fieldNamed(graph: ResourceGraph, typeName: string, name: string): Field {
  return defined(typeNamed(graph, typeName).fields.get(name), `${typeName}.${name}`)
}

function defined<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`There is no ${name}.`)
  return value
}
