import type { DataSource } from 'typeorm'
import type { ResourceType } from '../../graph/resource-graph'
import type { NameColumn } from './column-names'
import type { Dialect } from './dialect'

/** What every part of the mapping is made with. */
export interface Surroundings {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  readonly types: readonly ResourceType[]
  readonly nameOf: NameColumn
}
