import type { ApiModel } from '../core/api-model'
import type { ResourceObject } from '../core/api-types'
import { useStoredState } from '../core/stored-state'
import type { ColumnMenuProps } from './column-menu'
import { type Column, columnsOf } from './columns'

export interface Columns {
  /** Those that are not hidden. */
  readonly columns: readonly Column[]
  /** What the menu needs to hide others. */
  readonly menu: ColumnMenuProps
}

/** The columns of a table. The browser remembers which ones the user has hidden, for each type. */
export function useColumns(resources: readonly ResourceObject[], type: string, model: ApiModel): Columns {
  const [hidden, setHidden] = useStoredState(`columns.${type}`, readNames)
  const columns = columnsOf(resources, type, model)
  return {
    columns: columns.filter(({ name, kind }) => kind === 'id' || !hidden.includes(name)),
    menu: { columns, hidden, onChange: setHidden },
  }
}

function readNames(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
}
