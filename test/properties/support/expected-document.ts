import { isDeepStrictEqual } from 'node:util'
import type { Response } from 'supertest'
import { selfAndAncestors } from '../../../src/graph/inheritance'
import type { Attribute, Relationship } from '../../../src/graph/resource-graph'
import type { Query } from '../../../src/query/ast'

import type { Placed } from './evaluate-query'
import { keyOf, type Row } from './rows'

/** What a document says, without its links and in an order of its own where the order means nothing. */
export interface Said {
  readonly data: unknown
  readonly included: readonly unknown[]
}

/** A resource can stand at several places of a document: its linkage is that of all of them together. */
type Linkage = Map<Relationship, (readonly string[])[]>

export function expectedResources(primary: readonly Placed[], query: Query): Said {
  const linkages = collect(primary)
  const shown = [...linkages.keys()].map((row) => [row, toResource(row, linkages.get(row), query)] as const)
  const resources = new Map(shown)
  const first = new Set(primary.map(({ row }) => row))
  return {
    data: primary.map(({ row }) => resources.get(row)),
    included: byKey([...linkages.keys()].filter((row) => !first.has(row)).map((row) => resources.get(row))),
  }
}

/** Of a relationship endpoint: identifiers, and what is included with the resources themselves. */
export function expectedLinkage(
  primary: readonly Placed[],
  query: Query & { readonly includesPrimary: boolean },
): Said {
  const linkages = collect(primary)
  const first = new Set(primary.map(({ row }) => row))
  const shown = query.includesPrimary ? [...linkages.keys()] : [...linkages.keys()].filter((row) => !first.has(row))
  return {
    data: primary.map(({ row: { type, id } }) => ({ type: type.name, id, attributes: {}, relationships: {} })),
    included: byKey(shown.map((row) => toResource(row, linkages.get(row), query))),
  }
}

/** The same of an answer. */
export function said({ body }: Response): Said {
  return {
    data: ([] as Sent[]).concat(body.data ?? []).map(withoutLinks),
    included: byKey(([] as Sent[]).concat(body.included ?? []).map(withoutLinks)),
  }
}

function collect(primary: readonly Placed[]): ReadonlyMap<Row, Linkage> {
  const linkages = new Map<Row, Linkage>()
  const visit = ({ row, related }: Placed) => {
    const linkage = linkages.get(row) ?? new Map()
    linkages.set(row, linkage)
    for (const [relationship, rights] of related) {
      linkage.set(relationship, [...(linkage.get(relationship) ?? []), rights.map((right) => keyOf(right.row))])
      rights.forEach(visit)
    }
  }
  primary.forEach(visit)
  return linkages
}

function toResource(row: Row, linkage: Linkage | undefined, query: Query): unknown {
  const { type, id } = row
  const isShown = (field: Attribute | Relationship) => isWanted(field, row, query)
  const attributes = type.attributes.filter(isShown).map((each) => [each.name, toJson(each, row.values.get(each))])
  const relationships = type.relationships
    .filter(isShown)
    .map((each) => [each.name, toLinkage(each, linkage?.get(each))])
  return {
    type: type.name,
    id,
    attributes: Object.fromEntries(attributes),
    relationships: Object.fromEntries(relationships),
  }
}

/** The fieldset of the nearest type that has one speaks of the fields of that type, and of no others. */
function isWanted(field: Attribute | Relationship, { type }: Row, { fields }: Query): boolean {
  const nearest = selfAndAncestors(type).find((each) => fields.has(each))
  if (nearest === undefined || nearest.fields.get(field.name) !== field) return true
  return fields.get(nearest)?.has(field.name) === true
}

function toJson({ range }: Attribute, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return value === null || range.valueType === 'json' ? value : JSON.parse(JSON.stringify(value))
}

/** In its order where there is one. */
function toLinkage(
  { kind }: Relationship,
  places: Linkage extends Map<unknown, infer Lists> ? Lists | undefined : never,
) {
  if (places === undefined) return 'not included'
  if (kind === 'toOne') return places.flat()[0] ?? null
  const distinct = new Set(places.map((keys) => JSON.stringify(keys)))
  return distinct.size === 1 ? places[0] : inAnyOrder([...new Set(places.flat())])
}

function inAnyOrder(keys: readonly string[]) {
  return {
    asymmetricMatch: (list: readonly string[]) => isDeepStrictEqual(list.toSorted(), keys.toSorted()),
    toAsymmetricMatcher: () => `${keys} in any order`,
  }
}

interface Sent {
  readonly type: string
  readonly id: string
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, { readonly data?: Sent | null | readonly Sent[] }>>
}

function withoutLinks({ type, id, attributes, relationships }: Sent): unknown {
  const linkage = Object.entries(relationships ?? {}).map(([name, { data }]) => [name, withoutDetail(data)])
  return { type, id, attributes: attributes ?? {}, relationships: Object.fromEntries(linkage) }
}

function withoutDetail(data: Sent | null | readonly Sent[] | undefined): unknown {
  if (data === undefined) return 'not included'
  if (data === null) return null
  return 'type' in data ? `${data.type} ${data.id}` : data.map((each) => `${each.type} ${each.id}`)
}

function byKey(resources: readonly unknown[]): readonly unknown[] {
  const key = (resource: unknown) => `${(resource as Sent).type} ${(resource as Sent).id}`
  return resources.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}
