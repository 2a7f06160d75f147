import { isA, rootOf } from '../../../src/graph/model/inheritance'
import type { Relationship, ResourceType, StoredType, ToOne } from '../../../src/graph/model/resource-graph'
import type { Ends } from './ends'

// A model of writes without a database. States are immutable: a write returns a new one.

/** Links are kept at the end that owns them, by the name of the relationship there: keys of rows, one at most where it is to-one. */
export interface ModelRow {
  readonly type: StoredType
  readonly id: string
  readonly values: Readonly<Record<string, unknown>>
  readonly links: Readonly<Record<string, readonly string[]>>
}

/** All rows, by their keys. */
export type ModelState = ReadonlyMap<string, ModelRow>

export interface RelationshipChange {
  readonly relationship: Relationship
  readonly mode: 'set' | 'add' | 'remove'
  /** Keys of rows, which may be there or not. */
  readonly rights: readonly string[]
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
  return `${rootOf(type).name} ${id}`
}

/** The state behind the change, or `refused`. */
export function applyChange(state: ModelState, change: Change, ends: Ends): ModelState | 'refused' {
  const next = new Next(state, ends)
  try {
    next.apply(change)
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
  return next.rows
}

class Refused extends Error {}

/** A state in the making. */
class Next {
  readonly rows: Map<string, ModelRow>
  private readonly ends: Ends

  constructor(state: ModelState, ends: Ends) {
    this.rows = new Map(state)
    this.ends = ends
  }

  apply(change: Change): void {
    if (change.kind === 'delete') this.delete(this.get(change.key))
    else this.write(change)
  }

  private write(change: Exclude<Change, { kind: 'delete' }>): void {
    const row = change.kind === 'create' ? this.create(change) : this.get(change.key)
    const isTouched = change.kind === 'update' && Object.keys(change.values).length + change.links.length > 0
    const values = { ...row.values, ...change.values }
    this.put(isTouched ? this.ends.touched({ ...row, values }) : { ...row, values })
    this.checkUnique(row)
    const key = keyOf(row.type, row.id)
    const ownsKey = ({ relationship }: RelationshipChange) =>
      relationship.kind === 'toOne' && this.ends.isOwner(relationship)
    for (const link of change.links.filter(ownsKey)) this.link(key, link)
    for (const link of change.links.filter((each) => !ownsKey(each))) this.link(key, link)
  }

  private create({ type, id, links, values }: Change & { kind: 'create' }): ModelRow {
    if (id === undefined) throw new Error(`A new row of ${type.name} has no id.`)
    if (this.rows.has(keyOf(type, id))) throw new Refused()
    const linked = new Set(links.map(({ relationship }) => relationship))
    const required = type.relationships.filter((each) => this.ends.isOwner(each) && each.kind === 'toOne')
    if (required.some((each) => !(each as ToOne).isNullable && !linked.has(each))) throw new Refused()
    if (type.attributes.some(({ name, isRequired }) => isRequired && !(name in values))) throw new Refused()
    return { type, id, values: this.ends.defaults(type), links: {} }
  }

  private delete(row: ModelRow): void {
    const key = keyOf(row.type, row.id)
    this.rows.delete(key)
    // What refers to rows that only count as deleted goes on doing so.
    if (this.ends.isKept(row.type)) return
    for (const owner of this.ends.owners) {
      for (const holder of this.holders(owner, key)) {
        if (owner.kind === 'toMany') this.setLinks(holder, owner, without(membersOf(holder, owner), [key]))
        else this.empty(holder, owner)
      }
    }
  }

  private link(key: string, { relationship, mode, rights }: RelationshipChange): void {
    const isThere = (right: string) => {
      const row = this.rows.get(right)
      return row !== undefined && isA(row.type, relationship.target)
    }
    if (mode !== 'remove' && !rights.every(isThere)) throw new Refused()
    const found = [...new Set(rights)].filter(isThere)
    if (this.ends.isOwner(relationship)) this.linkFromOwner(key, { relationship, mode, rights: found })
    else this.linkFromInverse(key, { relationship, mode, rights: found })
  }

  private linkFromOwner(key: string, { relationship, mode, rights }: RelationshipChange): void {
    const row = this.get(key)
    const members = membersOf(row, relationship)
    if (relationship.kind === 'toOne') this.setKey(key, relationship, rights[0], 'itself')
    else if (mode === 'set') this.setLinks(row, relationship, rights)
    else if (mode === 'add') this.setLinks(row, relationship, [...members, ...rights])
    else this.setLinks(row, relationship, without(members, rights))
  }

  private linkFromInverse(key: string, { relationship, mode, rights }: RelationshipChange): void {
    const owner = this.ends.ownerOf(relationship)
    const holders = this.holders(owner, key)
    const isGiven = ({ type, id }: ModelRow) => rights.includes(keyOf(type, id))
    const leaving = mode === 'add' ? [] : holders.filter((each) => isGiven(each) === (mode === 'remove'))
    for (const holder of leaving) {
      if (owner.kind === 'toMany') this.setLinks(holder, owner, without(membersOf(holder, owner), [key]))
      else if (relationship.kind === 'toMany' && relationship.orphanAction === 'deleted') this.delete(holder)
      else this.empty(holder, owner)
    }
    if (mode === 'remove') return
    for (const right of rights) {
      const members = membersOf(this.get(right), owner)
      if (owner.kind === 'toMany') this.setLinks(this.get(right), owner, [...members, key])
      else if (!members.includes(key)) this.setKey(right, owner, key, 'other')
    }
  }

  /** In a one-to-one relationship the former partner is unlinked. */
  private setKey(left: string, owner: ToOne, right: string | undefined, by: 'itself' | 'other'): void {
    if (right === undefined && !owner.isNullable) throw new Refused()
    if (right !== undefined && this.ends.isOneToOne(owner)) {
      for (const holder of this.holders(owner, right)) {
        if (keyOf(holder.type, holder.id) !== left) this.empty(holder, owner)
      }
    }
    const row = this.get(left)
    const links = { ...row.links, [owner.name]: right === undefined ? [] : [right] }
    this.put(by === 'itself' ? { ...row, links } : this.ends.touched({ ...row, links }))
  }

  private empty(holder: ModelRow, owner: ToOne): void {
    if (!owner.isNullable) throw new Refused()
    this.put(this.ends.touched({ ...holder, links: { ...holder.links, [owner.name]: [] } }))
  }

  private setLinks(row: ModelRow, owner: Relationship, members: readonly string[]): void {
    this.put({ ...row, links: { ...row.links, [owner.name]: [...new Set(members)].sort() } })
  }

  private holders(owner: Relationship, right: string): readonly ModelRow[] {
    const rows = [...this.rows.values()].filter(({ type }) => isA(type, owner.declaringType))
    return rows.filter((row) => membersOf(row, owner).includes(right))
  }

  private checkUnique(row: ModelRow): void {
    const { values } = this.get(keyOf(row.type, row.id))
    const others = [...this.rows.values()].filter(({ type, id }) => type === row.type && id !== row.id)
    for (const name of this.ends.uniqueNames(row.type)) {
      if (values[name] !== null && others.some((other) => other.values[name] === values[name])) throw new Refused()
    }
  }

  private get(key: string): ModelRow {
    const row = this.rows.get(key)
    if (row === undefined) throw new Refused()
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
