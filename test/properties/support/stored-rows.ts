import type { DataSource, ObjectLiteral } from 'typeorm'
import { decodeId, encodeId } from '../../../src/graph/record-id'
import type { Attribute, Relationship, ResourceGraph, StoredType } from '../../../src/graph/resource-graph'
import type { ValueRange } from '../../../src/graph/value-type'
import { insertRows, linkRow } from '../../support/rows'
import { relationOf } from './ends'
import { TEXT_IDS, valuesOf } from './pools'
import type { Random } from './random'
import { linkRows, type Row, rowsOfType, storedTypesOf } from './rows'

export interface MakingRows {
  readonly dataSource: DataSource
  readonly graph: ResourceGraph
  readonly random: Random
  readonly each: (type: StoredType) => number
}

/** Rows with random values and links, in memory only. */
export function makeRows({ dataSource, graph, random, each }: MakingRows): readonly Row[] {
  const nextId = idsOf()
  const types = storedTypesOf(graph)
  const rows = types.flatMap((type) =>
    Array.from({ length: each(type) }, () => makeRow(type, nextId(type.id.range), random)),
  )
  for (const relationship of owning(dataSource, types)) {
    linkAtRandom(relationship, relationOf(dataSource, relationship).isOneToOne, rows, random)
  }
  return rows
}

/** Attributes that are parts of the key have what that has. */
function makeRow(type: StoredType, id: string, random: Random): Row {
  const key = decodeId(id, type.id.range)
  const values = new Map<Attribute, unknown>(type.attributes.map((each) => [each, random.pick(valuesOf(each))]))
  for (const attribute of values.keys()) {
    const place = type.key.indexOf(attribute.property)
    if (place >= 0) values.set(attribute, [key].flat()[place])
  }
  return { type, id, values: values.set(type.id, key), related: new Map() }
}

/** A quarter of the rows leads nowhere, so that many paths are broken. */
function linkAtRandom(relationship: Relationship, isOneToOne: boolean, rows: readonly Row[], random: Random): void {
  const rights = rowsOfType(rows, relationship.target)
  const taken = new Set<Row>()
  for (const left of rowsOfType(rows, relationship.declaringType)) {
    const free = rights.filter((right) => !taken.has(right))
    if (free.length === 0 || random.chance(0.25)) continue
    for (const right of relationship.kind === 'toOne' ? [random.pick(free)] : random.some(rights, 5)) {
      if (isOneToOne) taken.add(right)
      linkRows(left, relationship, right)
    }
  }
}

/** Written through TypeORM, past all rules. */
export async function saveRows(dataSource: DataSource, rows: readonly Row[]): Promise<void> {
  const types = [...new Set(rows.map(({ type }) => type))]
  const restore = takeGivenIds(dataSource)
  for (const type of types) {
    const values = rows.filter((row) => row.type === type).map(toProperties)
    if (values.length > 0) await insertRows(dataSource, type.resourceClass, values)
  }
  restore()
  for (const relationship of owning(dataSource, types)) {
    const { declaringType, property } = relationship
    for (const left of rowsOfType(rows, declaringType)) {
      const keys = (left.related.get(relationship) ?? []).map(toKey)
      if (keys.length > 0) await linkRow(dataSource, [declaringType.resourceClass, toKey(left)], property, keys)
    }
  }
}

/** On PostgreSQL TypeORM leaves out the keys that the database could make itself. */
function takeGivenIds(dataSource: DataSource): () => void {
  const generated = dataSource.entityMetadatas.flatMap(({ primaryColumns }) =>
    primaryColumns.filter((each) => each.isGenerated),
  )
  for (const column of generated) column.isGenerated = false
  return () => {
    for (const column of generated) column.isGenerated = true
  }
}

function toProperties(row: Row): ObjectLiteral {
  const given = row.type.attributes.map((each) => [each.property, row.values.get(each)])
  return { ...Object.fromEntries(given), ...propertiesOfKey(row) }
}

/** The relationships by which links are written; the others are their inverses. */
function owning(dataSource: DataSource, types: readonly StoredType[]): readonly Relationship[] {
  return [...new Set(types.flatMap(({ relationships }) => relationships))].filter(
    (each) => relationOf(dataSource, each).isOwning,
  )
}

/** Ids are unique over all types, so that confused types are found; all parts of a composite key but one repeat in many rows. */
function idsOf(): (range: ValueRange) => string {
  let count = 1000
  let texts = 0
  const nextId = (range: ValueRange): string => {
    count += 1
    if (range.parts !== undefined) return encodeId(range.parts.map(partOf), range)
    switch (range.valueType) {
      case 'integer':
        return String(count)
      case 'bigint':
        return String(2n ** 53n + BigInt(count))
      case 'uuid':
        return `${count}fad5-d9cb-469f-a165-70867728950e`
      default:
        texts += 1
        return `${TEXT_IDS[texts % TEXT_IDS.length]}${texts > TEXT_IDS.length ? texts : ''}`
    }
  }
  /** The second changes with every row, the others now and then. */
  const partOf = (range: ValueRange, place: number): string | number => {
    if (place === 1) return range.valueType === 'integer' ? count % 97 : nextId(range)
    const turn = Math.floor(count / 5)
    if (range.valueType === 'bigint') return String(2n ** 53n + BigInt(turn))
    return range.valueType === 'date' ? `2024-02-2${turn % 10}` : `${TEXT_IDS[turn % 3]}~!`
  }
  return nextId
}

/** As TypeORM wants it. */
function toKey(row: Row): unknown {
  return row.type.id.range.parts === undefined ? row.values.get(row.type.id) : propertiesOfKey(row)
}

function propertiesOfKey({ type, values }: Row): ObjectLiteral {
  const parts = [values.get(type.id)].flat()
  return Object.fromEntries(type.key.map((property, place) => [property, parts[place]]))
}
