import type { FieldInfo } from '../core/api-types'
import { operatorsFor } from '../core/filter'
import { type FilterCondition, type FilterRow, findFieldAtPath } from '../core/filter-conditions'
import { inputKindOf } from '../core/schema'
import type { ExplorerQueryContext } from './chips'

interface ConditionRowProps {
  readonly number: number
  readonly row: FilterRow
  readonly at: ExplorerQueryContext
  readonly onChange: (row: FilterRow) => void
}

/** A condition as field, operator and value. */
export function ConditionRow({ number, row, at, onChange }: ConditionRowProps) {
  if ('text' in row) {
    return (
      <input
        type="text"
        class="code condition-text"
        aria-label={`Expression ${number}`}
        placeholder="or(equals(name,'Ann'),has(children))"
        spellcheck={false}
        autocomplete="off"
        value={row.text}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
    )
  }
  const field = findFieldAtPath(row.path, at.type, at.model)?.field
  const operators = field === undefined ? [] : operatorsFor(field)
  const operator = operators.find(({ name }) => name === row.operator)
  return (
    <div class="condition">
      <FieldSelect number={number} path={row.path} at={at} onChange={(path) => onChange(conditionOn(path, at, row))} />
      <select
        aria-label={`Operator ${number}`}
        value={row.operator}
        onChange={({ currentTarget }) => onChange({ ...row, operator: currentTarget.value })}
      >
        {operators.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {field !== undefined && operator?.takes !== 'nothing' && (
        <ValueInput
          label={`Value ${number}`}
          field={field}
          isList={operator?.takes === 'values'}
          value={row.value}
          onChange={(value) => onChange({ ...row, value })}
        />
      )}
    </div>
  )
}

/** The condition of a new row: the first field that can be filtered. */
export function newCondition(at: ExplorerQueryContext): FilterCondition {
  const [first] = filterable(at.model.fieldsAt(at.type))
  return conditionOn(first?.name ?? 'id', at, undefined)
}

/** Keeps operator and value if the field supports the operator. */
function conditionOn(
  path: string,
  { type, model }: ExplorerQueryContext,
  before: FilterCondition | undefined,
): FilterCondition {
  const field = findFieldAtPath(path, type, model)?.field
  const operators = field === undefined ? [] : operatorsFor(field)
  const kept = operators.find(({ name }) => name === before?.operator)
  const values = field === undefined ? [] : valuesOf(field)
  const value = before?.value ?? ''
  const isPossible = values.length === 0 || values.includes(value)
  return { path, operator: (kept ?? operators[0])?.name ?? '', value: isPossible ? value : (values[0] ?? '') }
}

function filterable(fields: readonly FieldInfo[]): readonly FieldInfo[] {
  return fields.filter(({ capabilities }) => capabilities.includes('filter'))
}

interface FieldSelectProps {
  readonly number: number
  readonly path: string
  readonly at: ExplorerQueryContext
  readonly onChange: (path: string) => void
}

/** The fields of the type, and those at the other end of its relationships to one. */
function FieldSelect({ number, path, at: { type, model }, onChange }: FieldSelectProps) {
  const own = filterable(model.fieldsAt(type))
  const related = own.filter(({ kind }) => kind === 'toOne')
  const names = ['id', ...own.map(({ name }) => name)]
  const groups = related.map(({ name, target = '' }) => ({
    name,
    paths: filterable(model.types.get(target)?.fields ?? [])
      .filter(({ kind }) => kind === 'attribute')
      .map((field) => `${name}.${field.name}`),
  }))
  const isKnown = names.includes(path) || groups.some(({ paths }) => paths.includes(path))
  return (
    <select
      aria-label={`Field ${number}`}
      class="code"
      value={path}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {!isKnown && <option>{path}</option>}
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
      {groups.map(({ name, paths }) => (
        <optgroup key={name} label={name}>
          {paths.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

interface ValueInputProps {
  readonly label: string
  readonly field: FieldInfo
  readonly isList: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueInput({ label, field, isList, value, onChange }: ValueInputProps) {
  const values = isList ? [] : valuesOf(field)
  if (values.length > 0) {
    return (
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {!values.includes(value) && <option>{value}</option>}
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    )
  }
  const common = {
    'aria-label': label,
    autocomplete: 'off',
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  }
  const isDate = !isList && field.kind === 'attribute' && inputKindOf(field.schema) === 'date'
  return isDate ? (
    <input {...common} type="date" />
  ) : (
    <input {...common} type="text" placeholder={isList ? 'with commas between' : undefined} />
  )
}

/** The values of an attribute with few of them. */
function valuesOf({ kind, schema }: FieldInfo): readonly string[] {
  if (kind !== 'attribute') return []
  if (inputKindOf(schema) === 'boolean') return ['true', 'false']
  return (schema.enum ?? []).filter((value) => value !== null).map(String)
}
