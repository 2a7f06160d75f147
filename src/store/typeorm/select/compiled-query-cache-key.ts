import { getOrCompute } from '../../../cache/get-or-compute'
import type { TypeProjection } from '../../../plan/read-plan'
import type { ComparisonNode, EqualsAnyNode } from '../../../query/tree/ast'
import { valueConstraintsOfOperand } from '../../../query/tree/comparability'
import { Param } from '../../../query/tree/param'
import { isLastStorableDate } from '../filters/compile-literal'

/** The cache key of plans whose statements have the same text. */
interface CompiledQueryCacheKey {
  readonly key: string
  /** The parameters of this plan, in the order in which every plan with this key has them. */
  readonly params: readonly Param<unknown>[]
}

/** Writes nodes of a plan as a key: all their members except parameters. Returns `undefined` if the statement text can change at each call. */
export function findCompiledQueryCacheKey(nodes: readonly unknown[]): CompiledQueryCacheKey | undefined {
  const writer = new CacheKeyWriter()
  for (const node of nodes) writer.write(node)
  return writer.isVolatile ? undefined : { key: writer.key, params: writer.params }
}

/**
 * Returns the part of a key for the projection of a type. Plans without `fields` parameters share projections, so their key is cached: a base type with
 * a hundred derived types has a hundred projections.
 */
export function toProjectionCacheKeyNode(projection: TypeProjection): unknown {
  if (IDENTITIES.has(projection)) return projection
  const { attributes: _, fields: __, hooks, ...read } = projection
  const nodes = [read, hooks !== undefined]
  const cacheKey = findCompiledQueryCacheKey(nodes)
  if (cacheKey === undefined || cacheKey.params.length > 0) return nodes
  IDENTITIES.set(projection, cacheKey.key)
  return projection
}

/** Kinds of nodes whose SQL can change at each call, because functions of the application compile it. */
const VOLATILE: ReadonlySet<unknown> = new Set(['functionCall', 'volatile'])

class CacheKeyWriter {
  key = ''
  isVolatile = false
  private readonly indexes = new Map<Param<unknown>, number>()

  get params(): readonly Param<unknown>[] {
    return [...this.indexes.keys()]
  }

  write(node: unknown): void {
    // The length prefix separates texts and is faster than escaping.
    if (typeof node === 'string') this.key += `${node.length}'${node}`
    else if (typeof node !== 'object' || node === null) this.key += plainToText(node)
    else if (node instanceof Param) this.writeParam(node)
    else if (Array.isArray(node)) this.writeList(node)
    else this.writeObject(node as Readonly<Record<string, unknown>>)
  }

  /** A parameter that occurs twice has one value. The key contains its index, so that all plans with this key repeat it at the same positions. */
  private writeParam(node: Param<unknown>): void {
    const index = this.indexes.get(node)
    if (index === undefined) this.indexes.set(node, this.indexes.size)
    this.key += index === undefined ? '?' : `=${index}`
  }

  private writeList(list: readonly unknown[]): void {
    this.key += '['
    for (const item of list) this.write(item)
    this.key += ']'
  }

  private writeObject(node: Readonly<Record<string, unknown>>): void {
    const identity = findIdentity(node)
    if (identity !== undefined) this.key += identity
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
    this.key += `}${literalsInText(node)}`
  }
}

/** Returns the literals of a comparison as text if its SQL depends on them, as a comparison with the values of an enum does. */
function literalsInText(node: Readonly<Record<string, unknown>>): string {
  if (node.kind !== 'comparison' && node.kind !== 'equalsAny') return ''
  const { left, ...right } = node as unknown as ComparisonNode | EqualsAnyNode
  const literals = 'values' in right ? right.values : right.right.kind === 'literal' ? [right.right] : []
  if (literals.length === 0) return ''
  const constraints = valueConstraintsOfOperand(left)
  const isBooleanOrEnum =
    left.kind === 'truth' || [constraints, ...(constraints.parts ?? [])].some(({ valueType }) => valueType === 'enum')
  const isLast = literals.some(({ value: { value } }) => value instanceof Date && isLastStorableDate(value))
  return isBooleanOrEnum || isLast ? JSON.stringify(literals) : ''
}

function plainToText(value: unknown): string {
  return typeof value === 'function' ? identityOf(value) : `${String(value)};`
}

/** Returns the identity of objects of the graph and of instances of classes; `undefined` for plain objects, whose members are written. */
function findIdentity(node: object): string | undefined {
  const known = IDENTITIES.get(node)
  if (known !== undefined) return known
  const isPlain = Object.getPrototypeOf(node) === Object.prototype
  return !isPlain || 'resourceClass' in node || 'declaringType' in node ? identityOf(node) : undefined
}

function identityOf(object: object): string {
  return getOrCompute(IDENTITIES, object, () => `#${++count};`)
}

const IDENTITIES = new WeakMap<object, string>()
let count = 0
