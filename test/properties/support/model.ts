import { isSameOrDerivedType, rootTypeOf } from '../../../src/graph/model/inheritance'
import type { Relationship, ResourceType, StoredType, ToOneRelationship } from '../../../src/graph/model/resource-graph'
import type { Tables } from './ends'

// A model of writes without a database. States are immutable: a write returns a new one.

/** A row. `links`: the keys of related rows by owning relationship, at most one for a to-one relationship. */
export interface ModelRow {
  readonly type: StoredType
  readonly id: string
  readonly values: Readonly<Record<string, unknown>>
  readonly links: Readonly<Record<string, readonly string[]>>
}

export type ModelState = ReadonlyMap<string, ModelRow>

export interface RelationshipChange {
  readonly relationship: Relationship
  readonly mode: 'set' | 'add' | 'remove'
  readonly related: readonly string[]
}

export type Change =
  | (Fields & { readonly kind: 'create'; readonly type: StoredType; readonly id: string | undefined })
  | (Fields & { readonly kind: 'update'; readonly key: string })
  | { readonly kind: 'delete'; readonly key: string }

interface Fields {
  readonly values: Readonly<Record<string, unknown>>
  readonly links: readonly RelationshipChange[]
}

/** Ids are unique within a hierarchy: `vessels 3`. */
export function keyOf(type: ResourceType, id: string): string {
  return `${rootTypeOf(type).name} ${id}`
}

export function applyChange(state: ModelState, change: Change, tables: Tables): ModelState | 'rejected' {
  const next = new StateBuilder(state, tables)
  try {
    next.apply(change)
  } catch (error) {
    if (error instanceof RejectedError) return 'rejected'
    throw error
  }
  return next.rows
}

class RejectedError extends Error {}

class StateBuilder {
  readonly rows: Map<string, ModelRow>
  private readonly tables: Tables

  constructor(state: ModelState, tables: Tables) {
    this.rows = new Map(state)
    this.tables = tables
  }

  apply(change: Change): void {
    if (change.kind === 'delete') this.delete(this.get(change.key))
    else this.write(change)
  }

  private write(change: Exclude<Change, { kind: 'delete' }>): void {
    const row = change.kind === 'create' ? this.create(change) : this.get(change.key)
    const isTouched = change.kind === 'update' && Object.keys(change.values).length + change.links.length > 0
    const values = { ...row.values, ...change.values }
    this.put(isTouched ? this.tables.withNextVersion({ ...row, values }) : { ...row, values })
    this.checkUnique(row)
    const key = keyOf(row.type, row.id)
    const ownsKey = ({ relationship }: RelationshipChange) =>
      relationship.kind === 'toOne' && this.tables.isOwner(relationship)
    for (const link of change.links.filter(ownsKey)) this.link(key, link)
    for (const link of change.links.filter((each) => !ownsKey(each))) this.link(key, link)
  }

  private create({ type, id, links, values }: Change & { kind: 'create' }): ModelRow {
    if (id === undefined) throw new Error(`A new row of ${type.name} has no id.`)
    if (this.rows.has(keyOf(type, id))) throw new RejectedError()
    const linked = new Set(links.map(({ relationship }) => relationship))
    const required = type.relationships.filter((each) => this.tables.isOwner(each) && each.kind === 'toOne')
    if (required.some((each) => !(each as ToOneRelationship).isNullable && !linked.has(each))) throw new RejectedError()
    if (type.attributes.some(({ name, isRequired }) => isRequired && !(name in values))) throw new RejectedError()
    return { type, id, values: this.tables.defaults(type), links: {} }
  }

  private delete(row: ModelRow): void {
    const key = keyOf(row.type, row.id)
    this.rows.delete(key)
    // References to softly deleted rows stay.
    if (this.tables.isSoftDeleted(row.type)) return
    for (const owner of this.tables.owners) {
      for (const holder of this.holders(owner, key)) {
        if (owner.kind === 'toMany') this.setLinks(holder, owner, without(membersOf(holder, owner), [key]))
        else this.clearLink(holder, owner)
      }
    }
  }

  private link(key: string, { relationship, mode, related }: RelationshipChange): void {
    const exists = (relatedKey: string) => {
      const row = this.rows.get(relatedKey)
      return row !== undefined && isSameOrDerivedType(row.type, relationship.target)
    }
    if (mode !== 'remove' && !related.every(exists)) throw new RejectedError()
    const found = [...new Set(related)].filter(exists)
    if (this.tables.isOwner(relationship)) this.linkFromOwner(key, { relationship, mode, related: found })
    else this.linkFromInverse(key, { relationship, mode, related: found })
  }

  private linkFromOwner(key: string, { relationship, mode, related }: RelationshipChange): void {
    const row = this.get(key)
    const members = membersOf(row, relationship)
    if (relationship.kind === 'toOne') this.setKey(key, relationship, related[0], 'itself')
    else if (mode === 'set') this.setLinks(row, relationship, related)
    else if (mode === 'add') this.setLinks(row, relationship, [...members, ...related])
    else this.setLinks(row, relationship, without(members, related))
  }

  private linkFromInverse(key: string, { relationship, mode, related }: RelationshipChange): void {
    const owner = this.tables.ownerOf(relationship)
    const holders = this.holders(owner, key)
    const isNamed = ({ type, id }: ModelRow) => related.includes(keyOf(type, id))
    const leaving = mode === 'add' ? [] : holders.filter((each) => isNamed(each) === (mode === 'remove'))
    for (const holder of leaving) {
      if (owner.kind === 'toMany') this.setLinks(holder, owner, without(membersOf(holder, owner), [key]))
      else if (relationship.kind === 'toMany' && relationship.orphanAction === 'deleted') this.delete(holder)
      else this.clearLink(holder, owner)
    }
    if (mode === 'remove') return
    for (const relatedKey of related) {
      const members = membersOf(this.get(relatedKey), owner)
      if (owner.kind === 'toMany') this.setLinks(this.get(relatedKey), owner, [...members, key])
      else if (!members.includes(key)) this.setKey(relatedKey, owner, key, 'other')
    }
  }

  /** Unlinks the previous owner in a one-to-one relationship. */
  private setKey(left: string, owner: ToOneRelationship, relatedKey: string | undefined, by: 'itself' | 'other'): void {
    if (relatedKey === undefined && !owner.isNullable) throw new RejectedError()
    if (relatedKey !== undefined && this.tables.isOneToOne(owner)) {
      for (const holder of this.holders(owner, relatedKey))
        if (keyOf(holder.type, holder.id) !== left) this.clearLink(holder, owner)
    }
    const row = this.get(left)
    const links = { ...row.links, [owner.name]: relatedKey === undefined ? [] : [relatedKey] }
    this.put(by === 'itself' ? { ...row, links } : this.tables.withNextVersion({ ...row, links }))
  }

  private clearLink(holder: ModelRow, owner: ToOneRelationship): void {
    if (!owner.isNullable) throw new RejectedError()
    this.put(this.tables.withNextVersion({ ...holder, links: { ...holder.links, [owner.name]: [] } }))
  }

  private setLinks(row: ModelRow, owner: Relationship, members: readonly string[]): void {
    this.put({ ...row, links: { ...row.links, [owner.name]: [...new Set(members)].sort() } })
  }

  private holders(owner: Relationship, relatedKey: string): readonly ModelRow[] {
    const rows = [...this.rows.values()].filter(({ type }) => isSameOrDerivedType(type, owner.declaringType))
    return rows.filter((row) => membersOf(row, owner).includes(relatedKey))
  }

  private checkUnique(row: ModelRow): void {
    const { values } = this.get(keyOf(row.type, row.id))
    const others = [...this.rows.values()].filter(({ type, id }) => type === row.type && id !== row.id)
    for (const name of this.tables.uniqueNames(row.type)) {
      if (values[name] !== null && others.some((other) => other.values[name] === values[name]))
        throw new RejectedError()
    }
  }

  private get(key: string): ModelRow {
    const row = this.rows.get(key)
    if (row === undefined) throw new RejectedError()
    return row
  }

  private put(row: ModelRow): void {
    this.rows.set(keyOf(row.type, row.id), row)
  }
}

function membersOf(row: ModelRow, owner: Relationship): readonly string[] {
  return row.links[owner.name] ?? []
}

function without(members: readonly string[], others: readonly string[]): readonly string[] {
  return members.filter((each) => !others.includes(each))
}
