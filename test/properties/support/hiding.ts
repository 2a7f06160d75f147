import fc from 'fast-check'
import type { ResourceDefinition } from 'stemma'
import { isViewable } from '../../../src/graph/capabilities'
import { selfAndAncestors } from '../../../src/graph/inheritance'
import type { Field, Relationship, ResourceType } from '../../../src/graph/resource-graph'
import type { Filter } from '../../../src/query/ast'
import type { FilterText } from '../../../src/query/make'
import { printFilter } from '../../../src/query/print'
import { define } from '../../support/define'
import { holds } from './evaluate-filter'
import { filters } from './filters'
import { valuesOf } from './pools'
import type { Random } from './random'
import { type Row, rowsOfType, valuesIn } from './rows'
import type { Known } from './world'

/** What rules and capabilities hide from clients. */
export interface Hiding {
  readonly definitions: readonly ResourceDefinition[]
  /** They hide the same fields, but no row. */
  readonly definitionsOfFields: readonly ResourceDefinition[]
  isVisible(row: Row): boolean
  shows(type: ResourceType, field: Field): boolean
}

interface Rule {
  readonly filter: Filter | undefined
  readonly fields: ReadonlySet<string>
}

/** Rules of some of the types, which the types below them inherit; their filters may use everything. */
export function makeHiding(known: Known, random: Random): Hiding {
  const types = [...known.graph.types.values()].filter(() => random.chance(0.6))
  const rules = new Map(types.map((type) => [type, makeRule(type, known, random)]))
  const ruleOf = (type: ResourceType) => selfAndAncestors(type).flatMap((each) => rules.get(each) ?? [])[0]
  return {
    definitions: [...rules].map(([type, { filter, fields }]) => ruleFor(type, fields, filter)),
    definitionsOfFields: [...rules].map(([type, { fields }]) => ruleFor(type, fields)),
    isVisible(row) {
      const filter = ruleOf(row.type)?.filter
      return filter === undefined || holds(filter, row, known.order)
    },
    shows: (type, field) => isViewable(field) && (ruleOf(type)?.fields.has(field.name) ?? true),
  }
}

/** The rows as they could be as well, for all that a client may know: without those that are hidden, and with other hidden fields. */
export function withoutHidden(rows: readonly Row[], hiding: Hiding, random: Random): readonly Row[] {
  const visible = rows.filter(hiding.isVisible)
  const copies = new Map(visible.map((row): [Row, Row] => [row, copyOf(row, hiding, random)]))
  for (const [row, copy] of copies) {
    for (const [relationship, rights] of row.related) {
      const shown = rights.filter((right) => isShown(row, relationship, right, hiding))
      copy.related.set(
        relationship,
        shown.flatMap((right) => copies.get(right) ?? []),
      )
    }
  }
  return [...copies.values()]
}

function copyOf(row: Row, { shows }: Hiding, random: Random): Row {
  const values = new Map(row.values)
  const hidden = row.type.attributes.filter((attribute) => !shows(row.type, attribute))
  for (const attribute of hidden) values.set(attribute, random.pick(valuesOf(attribute)))
  return { ...row, values, related: new Map() }
}

/** A link can be seen from both of its ends. */
function isShown(left: Row, relationship: Relationship, right: Row, { shows }: Hiding): boolean {
  const { inverse } = relationship
  return shows(left.type, relationship) || (inverse !== undefined && shows(right.type, inverse))
}

/** A filter that some rows pass and some do not, if one is found soon. */
function makeRule(type: ResourceType, { rows, order }: Known, random: Random): Rule {
  const answered = rowsOfType(rows, type)
  const tried = fc.sample(filters(valuesIn(rows)).of(type), { seed: random.below(2 ** 31), numRuns: 20 })
  const filter = tried.find((each) => new Set(answered.map((row) => holds(each, row, order))).size === 2)
  return { filter, fields: new Set([...type.fields.keys()].filter(() => random.chance(0.7))) }
}

/** A rule of a base has not heard of the fields of derived types: they are hidden. */
function ruleFor(type: ResourceType, fields: ReadonlySet<string>, filter?: Filter): ResourceDefinition {
  return define(type.resourceClass, {
    fields: () => fields,
    filter: () => filter && (printFilter(filter) as FilterText),
  })
}
