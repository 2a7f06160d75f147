import type { ResourceObject } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { useStoredState } from '../core/stored-state'
import type { ColumnChooserProps } from './column-chooser'
import { type ShownColumn, shownColumnsOfResources } from './columns'

interface ColumnsState {
  /** Those that are not hidden. */
  readonly columns: readonly ShownColumn[]
  /** What the menu needs to hide others. */
  readonly menu: ColumnChooserProps
}

/** The columns of a table. The browser remembers which ones the user has hidden, for each type. */
export function useTableColumns(
  resources: readonly ResourceObject[],
  type: string,
  model: ExplorerApiModel,
): ColumnsState {
  const [hidden, setHidden] = useStoredState(`columns.${type}`, readNames)
  const columns = shownColumnsOfResources(resources, type, model)
  return {
    columns: columns.filter(({ name, kind }) => kind === 'id' || !hidden.includes(name)),
    menu: { columns, hidden, onChange: setHidden },
  }
}

function readNames(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
}
