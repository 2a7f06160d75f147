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

/** Rows, and what capabilities and rules hide of them. */
export interface Hiding {
  /** With random capabilities. */
  readonly types: Types
  readonly whole: readonly Row[]
  /** The rows as they could be as well, for all that a client may know: without those that are hidden, and with other hidden fields. */
  readonly bare: readonly Row[]
  /** The model without the fields that are hidden anywhere. */
  readonly known: Types
  /** `bare`: they hide the same fields, but no row. */
  definitions(classes: ReadonlyMap<string, ResourceClass>, kind: 'whole' | 'bare'): readonly ResourceDefinition[]
}

interface Rule {
  readonly filter: FilterExpression | undefined
  readonly fields: ReadonlySet<string>
  readonly passes: ReadonlySet<Row>
}

/** Rules of some of the types, which the types below them inherit; their filters may use everything. */
export function makeHiding(random: Random): Hiding {
  const types = withCapabilities(random)
  const rows = createRows(random)
  const world = new Evaluator(rows)
  const rules = new Map(types.names.filter(() => random.chance(60)).map((type) => [type, makeRule(type)]))
  const visibilityFilterOf = (type: string) => types.lineage(type).flatMap((each) => rules.get(each) ?? [])[0]
  const capabilitiesOf = (type: string, field: string) =>
    (types.attributes(type).get(field) ?? types.relationships(type).get(field))?.capabilities as
      | readonly string[]
      | undefined
  const shows = (type: string, field: string) =>
    capabilitiesOf(type, field)?.includes('view') !== false && (visibilityFilterOf(type)?.fields.has(field) ?? true)
  const visible = rows.filter((row) => visibilityFilterOf(row.type)?.passes.has(row) ?? true)

  /** A filter that some rows pass and some do not, if one is found soon. */
  function makeRule(type: string): Rule {
    const generator = new Generator(random, types, rows)
    const all = world.rowsOf(type)
    const passing = (filter: ReturnType<Generator['filter']>) => all.filter((row) => world.matches(filter, row))
    const filter = Array.from({ length: 20 }, () => generator.filter(type, 0)).find((each) => {
      const { length } = passing(each)
      return length > 0 && length < all.length
    })
    return {
      filter: filter && (printFilter(filter) as FilterExpression),
      // A rule of a base has not heard of the fields of derived types: they are hidden.
      fields: new Set(fieldsOf(types, type).filter(() => random.chance(70))),
      passes: new Set(filter === undefined ? all : passing(filter)),
    }
  }

  /** A link can be seen from both of its ends. */
  function isShown({ type }: Row, field: string, right: Row): boolean {
    const inverse = types.relationships(type).get(field)?.inverse
    return shows(type, field) || (inverse !== undefined && shows(right.type, inverse))
  }

  function copyOf(row: Row): Row {
    const values = Object.entries(row.values).map(([name, value]) => {
      const attribute = types.attributes(row.type).get(name)
      const isKept = attribute === undefined || shows(row.type, name) || types.keyNames(row.type).includes(name)
      return [name, isKept ? value : valueFor(attribute, random)]
    })
    const links = Object.entries(row.links).map(([field, ids]) => {
      const rights = world.related(row, field).filter((right) => visible.includes(right) && isShown(row, field, right))
      return [field, ids.filter((id) => rights.some((right) => right.id === id))]
    })
    return { ...row, values: Object.fromEntries(values), links: Object.fromEntries(links) }
  }

  return {
    types,
    whole: rows,
    bare: visible.map(copyOf),
    known: mapFields((field, name, type) => {
      const isKnown =
        types.storedTypes(type).every((each) => shows(each, name)) && capabilitiesOf(type, name) === undefined
      return isKnown ? field : undefined
    }),
    definitions: (classes, kind) =>
      [...rules].map(([type, { filter, fields }]) =>
        define(classes.get(type) as ResourceClass, {
          fields: () => fields,
          filter: () => (kind === 'whole' ? filter : undefined),
        }),
      ),
  }
}

const CAPABILITIES = [[], ['view'], ['view', 'filter']] as const

function withCapabilities(random: Random): Types {
  return mapFields((field) => (random.chance(15) ? { ...field, capabilities: random.pick(CAPABILITIES) } : field))
}

/** The model of the exam with other fields, or without. */
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
