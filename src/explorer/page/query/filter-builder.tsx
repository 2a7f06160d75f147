import { useState } from 'preact/hooks'
import {
  type FilterRow,
  type FilterRowsJoinedByAndOr,
  findFieldAtPath,
  parseFilterBuilderRows,
  printFilterBuilderRows,
} from '../core/filter-conditions'
import { Icon } from '../parts/icon'
import { SegmentedControl } from '../parts/segmented-control'
import { ConditionRow, newCondition } from './condition-row'
import type { QueryPartProps } from './query-part-props'

/** The filter as a list of conditions. What is too complex for a condition is edited as text. */
export function FilterBuilder({ at, query, onChange }: QueryPartProps) {
  const { type, model } = at
  const [filter, setFilter] = useState<FilterRowsJoinedByAndOr>(() => {
    const parsed = parseFilterBuilderRows(query.filter, type, model)
    return parsed.rows.length > 0 ? parsed : { ...parsed, rows: [newCondition(at)] }
  })
  const change = (next: FilterRowsJoinedByAndOr) => {
    setFilter(next)
    onChange({ ...query, filter: printFilterBuilderRows({ ...next, rows: next.rows.filter(isComplete) }, type, model) })
  }
  const { joint, rows } = filter
  const add = (row: FilterRow) => change({ joint, rows: [...rows, row] })
  return (
    <div class="stack">
      {rows.length > 1 && (
        <div class="builder-joint">
          <SegmentedControl
            label="Conditions"
            names={['and', 'or']}
            chosen={joint}
            onChoose={(name) => change({ joint: name, rows })}
          />
          <span class="hint">{joint === 'and' ? 'All conditions hold.' : 'At least one condition holds.'}</span>
        </div>
      )}
      <ol class="builder-rows">
        {rows.map((row, index) => (
          <li key={index}>
            <ConditionRow
              number={index + 1}
              row={row}
              at={at}
              onChange={(next) => change({ joint, rows: rows.with(index, next) })}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove condition ${index + 1}`}
              onClick={() => change({ joint, rows: rows.toSpliced(index, 1) })}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ol>
      <div class="actions">
        <button type="button" class="quiet" onClick={() => add(newCondition(at))}>
          <Icon name="add" />
          Add condition
        </button>
        <button type="button" class="quiet" onClick={() => add({ text: '' })}>
          <Icon name="add" />
          Add expression
        </button>
      </div>
    </div>
  )

  /** An untouched condition is no filter yet: an empty value would match nothing. */
  function isComplete(row: FilterRow): boolean {
    if ('text' in row) return row.text.trim() !== ''
    const end = findFieldAtPath(row.path, type, model)
    return end !== undefined && (row.value !== '' || /null|has any|has none/.test(row.operator))
  }
}
