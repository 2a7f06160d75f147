import type { ResourceClass, ResourceDefinition } from 'stemma'
import { Evaluator } from '../../../exams/oracle/evaluate'
import { TYPES } from '../../../exams/oracle/model'
import { createRows } from '../../../exams/oracle/rows'
import { Generator } from '../../../exams/query/generate'
import { printFilter } from '../../../exams/query/print'
import { type Model, Types } from '../../../exams/shared/model'
import type { Random } from '../../../exams/shared/random'
import type { Row } from '../../../exams/shared/rows'
import { valueFor } from '../../../exams/shared/values'
import type { FilterExpression } from '../../../src/query/tree/filter-builder'
import { define } from '../../support/api'

type Classes = ReadonlyMap<string, ResourceClass>

/** Rows, with capabilities and rules that hide parts of them. */
export interface HiddenData {
  /** With random capabilities. */
  readonly types: Types
  readonly allRows: readonly Row[]
  /** The visible rows, with different values and links in hidden fields. */
  readonly visibleRows: readonly Row[]
  /** The model without fields that any type hides. */
  readonly visibleTypes: Types
  /** `visibleRows`: the definitions hide the same fields, but no rows. */
  definitions(classes: Classes, kind: 'allRows' | 'visibleRows'): readonly ResourceDefinition[]
}

interface Rule {
  readonly filter: FilterExpression | undefined
  readonly fields: ReadonlySet<string>
  readonly passes: ReadonlySet<Row>
}

/** Creates rules for some types, which derived types inherit. Their filters may use hidden fields. */
export function createHiddenData(random: Random): HiddenData {
  const types = withCapabilities(random)
  const rows = createRows(random)
  const evaluator = new Evaluator(rows)
  const rules = new Map(types.names.filter(() => random.chance(60)).map((type) => [type, createRule(type)]))
  const visibilityFilterOf = (type: string) => types.lineage(type).flatMap((each) => rules.get(each) ?? [])[0]
  const capabilitiesOf = (type: string, field: string) =>
    (types.attributes(type).get(field) ?? types.relationships(type).get(field))?.capabilities as
      | readonly string[]
      | undefined
  const isVisibleField = (type: string, field: string) =>
    capabilitiesOf(type, field)?.includes('view') !== false && (visibilityFilterOf(type)?.fields.has(field) ?? true)
  const visible = rows.filter((row) => visibilityFilterOf(row.type)?.passes.has(row) ?? true)

  /** Tries to find a filter that matches some rows, but not all. */
  function createRule(type: string): Rule {
    const generator = new Generator(random, types, rows)
    const all = evaluator.rowsOf(type)
    const passing = (filter: ReturnType<Generator['filter']>) => all.filter((row) => evaluator.matches(filter, row))
    const filter = Array.from({ length: 20 }, () => generator.filter(type, 0)).find((each) => {
      const { length } = passing(each)
      return length > 0 && length < all.length
    })
    return {
      filter: filter && (printFilter(filter) as FilterExpression),
      // A rule of a base does not return fields of derived types, so it hides them.
      fields: new Set(fieldsOf(types, type).filter(() => random.chance(70))),
      passes: new Set(filter === undefined ? all : passing(filter)),
    }
  }

  /** A link is visible if one of its two relationships is. */
  function isVisibleLink({ type }: Row, field: string, relatedRow: Row): boolean {
    const inverse = types.relationships(type).get(field)?.inverse
    return isVisibleField(type, field) || (inverse !== undefined && isVisibleField(relatedRow.type, inverse))
  }

  function withoutHiddenData(row: Row): Row {
    const values = Object.entries(row.values).map(([name, value]) => {
      const attribute = types.attributes(row.type).get(name)
      const isKept =
        attribute === undefined || isVisibleField(row.type, name) || types.keyNames(row.type).includes(name)
      return [name, isKept ? value : valueFor(attribute, random)]
    })
    const links = Object.entries(row.links).map(([field, ids]) => {
      const relatedRows = evaluator
        .related(row, field)
        .filter((relatedRow) => visible.includes(relatedRow) && isVisibleLink(row, field, relatedRow))
      return [field, ids.filter((id) => relatedRows.some((relatedRow) => relatedRow.id === id))]
    })
    return { ...row, values: Object.fromEntries(values), links: Object.fromEntries(links) }
  }

  return {
    types,
    allRows: rows,
    visibleRows: visible.map(withoutHiddenData),
    visibleTypes: mapFields((field, name, type) => {
      const isKnown =
        types.storedTypes(type).every((each) => isVisibleField(each, name)) && capabilitiesOf(type, name) === undefined
      return isKnown ? field : undefined
    }),
    definitions: (classes, kind) =>
      [...rules].map(([type, { filter, fields }]) =>
        define(classes.get(type) as ResourceClass, {
          fields: () => fields,
          filter: () => (kind === 'allRows' ? filter : undefined),
        }),
      ),
  }
}

const CAPABILITIES = [[], ['view'], ['view', 'filter']] as const

function withCapabilities(random: Random): Types {
  return mapFields((field) => (random.chance(15) ? { ...field, capabilities: random.pick(CAPABILITIES) } : field))
}

/** Returns the model of the exam with changed fields. Omits fields for which `change` returns undefined. */
function mapFields(change: (field: object, name: string, type: string) => object | undefined): Types {
  const changed = (type: string, fields: object = {}) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const other = change(field, name, type)
        return other === undefined ? [] : [[name, other]]
      }),
    )
  const model = Object.entries(TYPES.model).map(([type, { attributes, relationships, ...rest }]) => [
    type,
    { ...rest, attributes: changed(type, attributes), relationships: changed(type, relationships) },
  ])
  return new Types(Object.fromEntries(model) as Model)
}

function fieldsOf(types: Types, type: string): readonly string[] {
  return [...types.attributes(type).keys(), ...types.relationships(type).keys()]
}
