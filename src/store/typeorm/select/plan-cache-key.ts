import { getOrCompute } from '../../../cache/get-or-compute'
import type { TypeProjection } from '../../../plan/read-plan'
import type { AnyOf, Comparison } from '../../../query/tree/ast'
import { constraintsOfOperand } from '../../../query/tree/comparability'
import { Param } from '../../../query/tree/param'
import { isLastStorableDate } from '../filters/compile-literal'

/** The cache key of plans whose statements have the same text. */
interface PlanCacheKey {
  readonly key: string
  /** The parameters of this plan, in the order in which every plan with this key has them. */
  readonly params: readonly Param<unknown>[]
}

/** Writes nodes of a plan as a key: all their members except parameters. `undefined`: the text can be another one each time. */
export function findPlanCacheKey(nodes: readonly unknown[]): PlanCacheKey | undefined {
  const writer = new CacheKeyWriter()
  for (const node of nodes) writer.write(node)
  return writer.isVolatile ? undefined : { key: writer.key, params: writer.params }
}

/**
 * The part of a key for what is fetched of rows of a type. Plans share the projection unless fields are limited, so it is written once: a
 * base type with a hundred derived types has a projection for each.
 */
export function projectionKeyPart(projection: TypeProjection): unknown {
  if (IDENTITIES.has(projection)) return projection
  const { attributes: _, fields: __, hooks, ...read } = projection
  const nodes = [read, hooks !== undefined]
  const found = findPlanCacheKey(nodes)
  if (found === undefined || found.params.length > 0) return nodes
  IDENTITIES.set(projection, found.key)
  return projection
}

/** Functions of the application can return other SQL at each call. */
const VOLATILE: ReadonlySet<unknown> = new Set(['functionCall', 'volatile'])

class CacheKeyWriter {
  key = ''
  isVolatile = false
  private readonly indexes = new Map<Param<unknown>, number>()

  get params(): readonly Param<unknown>[] {
    return [...this.indexes.keys()]
  }

  write(node: unknown): void {
    // The length in front keeps texts apart; escaping would take longer.
    if (typeof node === 'string') this.key += `${node.length}'${node}`
    else if (typeof node !== 'object' || node === null) this.key += plainToText(node)
    else if (node instanceof Param) this.writeParam(node)
    else if (Array.isArray(node)) this.writeList(node)
    else this.writeObject(node as Readonly<Record<string, unknown>>)
  }

  /** One parameter in two places has one value, so all plans with this key repeat it there. */
  private writeParam(node: Param<unknown>): void {
    const index = this.indexes.get(node)
    if (index === undefined) this.indexes.set(node, this.indexes.size)
    this.key += index === undefined ? '?' : `=${index}`
  }

  private writeList(list: readonly unknown[]): void {
    this.key += '['
    for (const each of list) this.write(each)
    this.key += ']'
  }

  private writeObject(node: Readonly<Record<string, unknown>>): void {
    const name = findIdentity(node)
    if (name !== undefined) this.key += name
    else if (VOLATILE.has(node.kind)) this.isVolatile = true
    else this.writeMembers(node)
  }

  private writeMembers(node: Readonly<Record<string, unknown>>): void {
    this.key += '{'
    for (const name in node) {
      const member = node[name]
      if (member === undefined) continue
      this.key += `${name}:`
      this.write(member)
    }
    this.key += `}${textOfFixedLiterals(node)}`
  }
}

/** The text of a comparison can depend on the literal: the values of an enum on one side of it are listed. */
function textOfFixedLiterals(node: Readonly<Record<string, unknown>>): string {
  if (node.kind !== 'comparison' && node.kind !== 'anyOf') return ''
  const { left, ...others } = node as unknown as Comparison | AnyOf
  const literals = 'values' in others ? others.values : others.right.kind === 'literal' ? [others.right] : []
  if (literals.length === 0) return ''
  const range = constraintsOfOperand(left)
  const isFixed = left.kind === 'truth' || [range, ...(range.parts ?? [])].some(({ valueType }) => valueType === 'enum')
  const isLast = literals.some(({ value: { value } }) => value instanceof Date && isLastStorableDate(value))
  return isFixed || isLast ? JSON.stringify(literals) : ''
}

function plainToText(value: unknown): string {
  return typeof value === 'function' ? identityOf(value) : `${String(value)};`
}

/** Objects of the graph, and whatever has no plain members, are written by identity. */
function findIdentity(node: object): string | undefined {
  const known = IDENTITIES.get(node)
  if (known !== undefined) return known
  const isPlain = Object.getPrototypeOf(node) === Object.prototype
  return !isPlain || 'resourceClass' in node || 'declaringType' in node ? identityOf(node) : undefined
}

function identityOf(thing: object): string {
  return getOrCompute(IDENTITIES, thing, () => `#${++count};`)
}

const IDENTITIES = new WeakMap<object, string>()
let count = 0
