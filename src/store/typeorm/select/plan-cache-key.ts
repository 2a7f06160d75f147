import type { TypeProjection } from '../../../plan/read-plan'
import type { AnyOf, Comparison } from '../../../query/tree/ast'
import { rangeOf } from '../../../query/tree/comparability'
import { isLastMoment } from './compile-comparand'

/** What plans have in common whose statements have the same text. */
export interface PlanCacheKey {
  /** All that the text follows from. The same for other plans of this shape, and for none but those. */
  readonly key: string
  /** The nodes of this plan that have values of their own, in the order in which every plan of this shape has them. */
  readonly nodes: readonly object[]
}

/**
 * The shape of nodes of a plan. Everything in them is a part of the key, whatever its name: all but the values of `PARAMETERS_BY_KIND`, and what is told
 * apart by being itself. `undefined`: the text can be another one each time.
 */
export function findPlanCacheKey(nodes: readonly unknown[]): PlanCacheKey | undefined {
  const writer = new CacheKeyWriter()
  for (const node of nodes) writer.write(node)
  return writer.isVolatile ? undefined : { key: writer.key, nodes: writer.nodes }
}

/**
 * What is read of rows of a type, for the nodes of a shape. Plans share it as long as nobody limits it, so that it is written once: of a
 * base with a hundred derived types each has its own.
 */
export function fetchedKeyPart(projection: TypeProjection): unknown {
  if (IDENTITIES.has(projection)) return projection
  const { attributes: _, fields: __, hooks, ...read } = projection
  const nodes = [read, hooks !== undefined]
  const shape = findPlanCacheKey(nodes)
  if (shape === undefined || shape.nodes.length > 0) return nodes
  IDENTITIES.set(projection, shape.key)
  return projection
}

/** What no text follows from, by the kind of the node that has it. */
const PARAMETERS_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  literal: ['value'],
  textMatch: ['text'],
  numbers: ['offset', 'size'],
  cursors: ['size', 'after', 'before', 'mark'],
  one: ['keys'],
  several: ['keys'],
  relatedTo: ['sourceKey'],
  someRelatedTo: ['sourceKey', 'keys'],
  linkingTo: ['keys'],
  plainKeys: ['keys'],
  objectKeys: ['keys'],
  written: ['values', 'key', 'relatedKeys'],
}

/** Functions of the application are asked each time. */
const VOLATILE: ReadonlySet<unknown> = new Set(['functionCall', 'volatile'])

class CacheKeyWriter {
  key = ''
  isVolatile = false
  private readonly numbers = new Map<object, number>()

  get nodes(): readonly object[] {
    return [...this.numbers.keys()]
  }

  write(node: unknown): void {
    // With its length in front no text can end early: to escape it would take longer.
    if (typeof node === 'string') this.key += `${node.length}'${node}`
    else if (typeof node !== 'object' || node === null) this.key += plainToText(node)
    else if (Array.isArray(node)) this.writeList(node)
    else this.writeObject(node as Readonly<Record<string, unknown>>)
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
    else if (hasFixedLiterals(node)) this.writeFixed(node)
    else this.writeMembers(node, PARAMETERS_BY_KIND[node.kind as string])
  }

  private writeMembers(node: Readonly<Record<string, unknown>>, values: readonly string[] | undefined): void {
    if (values !== undefined) this.writeNumber(node)
    this.key += '{'
    for (const name in node) {
      const member = node[name]
      if (member === undefined || values?.includes(name) === true) continue
      this.key += `${name}:`
      this.write(member)
    }
    this.key += '}'
  }

  /** The same node in two places has the same values in both, and other plans of the shape have one node there too. */
  private writeNumber(node: object): void {
    const place = this.numbers.get(node)
    if (place === undefined) this.numbers.set(node, this.numbers.size)
    else this.key += `=${place}`
  }

  private writeFixed({ left, ...node }: Readonly<Record<string, unknown>>): void {
    this.write(left)
    this.key += JSON.stringify(node)
  }
}

/** What a comparison becomes can follow from what is compared with: which values of an enum there are on one side of it. */
function hasFixedLiterals(node: Readonly<Record<string, unknown>>): boolean {
  if (node.kind !== 'comparison' && node.kind !== 'anyOf') return false
  const { left, ...right } = node as unknown as Comparison | AnyOf
  const literals = 'values' in right ? right.values : [right.right].filter(({ kind }) => kind === 'literal')
  if (literals.length === 0) return false
  const range = rangeOf(left)
  const isFixed = left.kind === 'truth' || [range, ...(range.parts ?? [])].some(({ valueType }) => valueType === 'enum')
  return isFixed || literals.some((each) => 'value' in each && each.value instanceof Date && isLastMoment(each.value))
}

function plainToText(value: unknown): string {
  return typeof value === 'function' ? identityOf(value) : `${String(value)};`
}

/** What is told apart by being itself: whatever can't be written down here, and of the graph that which has its members by name. */
function findIdentity(node: object): string | undefined {
  const known = IDENTITIES.get(node)
  if (known !== undefined) return known
  const isPlain = Object.getPrototypeOf(node) === Object.prototype
  return !isPlain || 'resourceClass' in node || 'declaringType' in node ? identityOf(node) : undefined
}

function identityOf(thing: object): string {
  const name = IDENTITIES.get(thing) ?? `#${++count};`
  IDENTITIES.set(thing, name)
  return name
}

const IDENTITIES = new WeakMap<object, string>()
let count = 0
