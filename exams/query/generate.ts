import { isDeepStrictEqual } from 'node:util'
import { type AttributeModel, isToMany, type Types } from '../shared/model'
import type { Random } from '../shared/random'
import { POOLS, TEXTS } from '../shared/values'
import type {
  ComparisonOperator,
  Endpoint,
  Filter,
  Include,
  ListQuery,
  MatchOperator,
  Operand,
  Query,
  SortKey,
  Step,
} from './ast'

const NUMBERS = ['integer', 'bigint', 'float', 'decimal']
const EMPTY_LIST_QUERY: ListQuery = { filters: [], sort: [], size: undefined, number: undefined }

/** A row that exists or may exist. */
export interface ResourceIdentifier {
  readonly type: string
  readonly id: string
}

/** Generates valid queries with names and values of the model. */
export class Generator {
  private readonly random: Random
  private readonly types: Types
  private readonly rows: readonly ResourceIdentifier[]

  constructor(random: Random, types: Types, rows: readonly ResourceIdentifier[]) {
    this.random = random
    this.types = types
    this.rows = rows
  }

  query(endpoint: Endpoint = this.endpoint()): Query {
    const target = this.targetOf(endpoint)
    const { isList, type } = target
    const isLinkage = endpoint.kind === 'linkage'
    const includes = this.random.chance(isLinkage ? 40 : 55)
      ? isLinkage && this.random.chance(30)
        ? []
        : this.includes(type, 0)
      : undefined
    return { endpoint, listing: isList ? this.listing(type) : EMPTY_LIST_QUERY, includes, fields: this.fields() }
  }

  private endpoint(): Endpoint {
    const { random } = this
    if (random.chance(55)) return { kind: 'collection', type: random.pick(this.types.names) }
    const row = random.pick(this.rows)
    const type = random.pick(this.types.lineage(row.type))
    if (random.chance(25)) return { kind: 'resource', type, id: row.id }
    const fields = [...this.types.relationships(row.type).keys()]
    if (fields.length === 0) return { kind: 'resource', type, id: row.id }
    const field = random.pick(fields)
    return { kind: random.pick(['related', 'linkage'] as const), type, id: row.id, field }
  }

  /** The types of the resources at a location. */
  private targetOf(endpoint: Endpoint): { isList: boolean; type: string } {
    if (endpoint.kind === 'collection') return { isList: true, type: endpoint.type }
    if (endpoint.kind === 'resource') return { isList: false, type: endpoint.type }
    // The id of a deleted row may have been reused for another type.
    const [relationship] = this.rows
      .filter(({ type, id }) => id === endpoint.id && this.types.isSameOrDerivedType(type, endpoint.type))
      .flatMap(({ type }) => this.types.relationships(type).get(endpoint.field) ?? [])
    if (relationship === undefined)
      throw new Error(`No row of '${endpoint.type}' with the id '${endpoint.id}' has '${endpoint.field}'.`)
    return { isList: isToMany(relationship), type: relationship.to }
  }

  private listing(type: string): ListQuery {
    const { random } = this
    return {
      filters: random.chance(60) ? [this.filter(type, 0), ...(random.chance(10) ? [this.filter(type, 1)] : [])] : [],
      sort: random.chance(60) ? this.sort(type) : [],
      size: random.chance(40) ? random.pick([1, 2, 3, 5, 7, 20, 100]) : undefined,
      number: random.chance(25) ? random.pick([1, 2, 2, 3, 4, 9]) : undefined,
    }
  }

  // Filters

  filter(type: string, depth: number): Filter {
    const { random } = this
    const nestedFilter = () => this.filter(type, depth + 1)
    const kinds = ['compare', 'compare', 'compare', 'match', 'any', 'isNull', 'isEmpty', 'isType']
    const nestedKinds = depth < 3 ? ['not', 'and', 'or', 'has', 'has', 'isType'] : []
    switch (random.pick([...kinds, ...nestedKinds])) {
      case 'not':
        return { kind: 'not', term: nestedFilter() }
      case 'and':
        return { kind: 'and', terms: [nestedFilter(), nestedFilter(), ...(random.chance(30) ? [nestedFilter()] : [])] }
      case 'or':
        return { kind: 'or', terms: [nestedFilter(), nestedFilter()] }
      case 'has': {
        const found = this.toMany(type)
        if (found === undefined) return this.match(type)
        const { steps, end, to } = found
        return { kind: 'has', steps, end, filter: random.chance(70) ? this.filter(to, depth + 1) : undefined }
      }
      case 'isType':
        return this.isType(type, depth)
      case 'isEmpty': {
        const { steps } = this.path(type, 1)
        return steps.length === 0 ? this.match(type) : { kind: 'isEmpty', steps }
      }
      case 'isNull': {
        const operand = this.attribute(type, ({ nullable }) => nullable === true)
        return { kind: 'isNull', operand }
      }
      case 'match':
        return this.match(type)
      case 'any': {
        const left = random.chance(90) ? this.attribute(type, isComparable) : this.count(type)
        const model = modelOf(left)
        const values = Array.from({ length: 1 + random.number(4) }, () => this.literal(model, left))
        return { kind: 'any', left, values }
      }
      default:
        return this.compare(type, depth)
    }
  }

  private match(type: string): Filter {
    const { random } = this
    const left = this.attribute(type, ({ kind }) => kind === 'text')
    if (modelOf(left).kind !== 'text') return { kind: 'any', left, values: [this.literal(modelOf(left), left)] }
    const text = random.chance(50) ? random.pick(TEXTS) : [...random.pick(TEXTS)].slice(0, 1).join('')
    return { kind: 'match', by: random.pick<MatchOperator>(['contains', 'startsWith', 'endsWith']), left, text }
  }

  private compare(type: string, depth: number): Filter {
    const { random } = this
    if (depth < 3 && random.chance(8)) {
      const left: Operand = { kind: 'filter', filter: this.filter(type, depth + 1) }
      const right: Operand = random.chance(50)
        ? { kind: 'filter', filter: this.filter(type, depth + 1) }
        : this.literal({ kind: 'boolean' }, left)
      return { kind: 'compare', by: 'equals', left, right }
    }
    const left = random.chance(15) ? this.count(type) : this.attribute(type, isComparable)
    const model = modelOf(left)
    const isOrdered = model.kind !== 'boolean' && !model.unordered
    const by = isOrdered
      ? random.pick<ComparisonOperator>([
          'equals',
          'equals',
          'lessThan',
          'lessOrEqual',
          'greaterThan',
          'greaterOrEqual',
        ])
      : 'equals'
    const isCompatible = (other: AttributeModel) => isSameKind(model, other) && (by === 'equals' || !other.unordered)
    const right = random.chance(25) ? this.attribute(type, isCompatible) : undefined
    return {
      kind: 'compare',
      by,
      left,
      right: right && isCompatible(modelOf(right)) ? right : this.literal(model, left),
    }
  }

  private isType(type: string, depth: number): Filter {
    const { random } = this
    const { steps, type: end } = random.chance(50) ? { steps: [], type } : this.path(type, 0)
    const derived = this.types.descendants(end).filter((each) => each !== end)
    if (derived.length === 0) return this.match(type)
    const derivedType = random.pick(derived)
    const filter = depth < 3 && random.chance(60) ? this.filter(derivedType, depth + 1) : undefined
    return { kind: 'isType', steps, type: derivedType, filter }
  }

  /** To-one relationships of the type itself. */
  private path(type: string, minLength: number): { steps: readonly Step[]; type: string } {
    const steps: Step[] = []
    let currentType = type
    for (let length = Math.max(minLength, this.random.pick([0, 0, 1, 1, 2, 3])); length > 0; length -= 1) {
      const fields = [...this.types.relationships(currentType)].filter(([, each]) => !isToMany(each))
      if (fields.length === 0) break
      const [field, { to }] = this.random.pick(fields)
      steps.push({ field, of: this.types.declaringType(currentType, field) })
      currentType = to
    }
    return { steps, type: currentType }
  }

  private attribute(type: string, isSuitable: (model: AttributeModel) => boolean): Operand {
    const { steps, type: end } = this.path(type, 0)
    const fields = [...this.types.attributes(end)].filter(([, model]) => isSuitable(model))
    const id = this.types.idModel(end)
    if (fields.length === 0 || (this.random.chance(id.kind === 'key' ? 30 : 6) && isSuitable(id)))
      return { kind: 'attribute', steps, end: { field: 'id', of: this.types.rootOf(end) }, model: id }
    const [field, model] = this.random.pick(fields)
    return { kind: 'attribute', steps, end: { field, of: this.types.declaringType(end, field) }, model }
  }

  private toMany(type: string): { steps: readonly Step[]; end: Step; to: string } | undefined {
    const { steps, type: currentType } = this.random.chance(70) ? { steps: [], type } : this.path(type, 0)
    const fields = [...this.types.relationships(currentType)].filter(([, each]) => isToMany(each))
    if (fields.length === 0) return undefined
    const [field, { to }] = this.random.pick(fields)
    return { steps, end: { field, of: this.types.declaringType(currentType, field) }, to }
  }

  private count(type: string): Operand {
    const found = this.toMany(type)
    return found === undefined
      ? this.attribute(type, isComparable)
      : { kind: 'count', steps: found.steps, end: found.end }
  }

  private literal(model: AttributeModel, left: Operand): Operand {
    return { kind: 'literal', text: this.text(model, left), model }
  }

  private text(model: AttributeModel, left: Operand): string {
    const { random } = this
    const { kind, values = [] } = model
    if (left.kind === 'count') return String(random.number(5))
    if (left.kind === 'attribute' && left.end.field === 'id') {
      const ids = this.rows.filter(({ type }) => this.types.isSameOrDerivedType(type, left.end.of)).map(({ id }) => id)
      return ids.length === 0 ? '1' : random.pick(ids)
    }
    switch (kind) {
      case 'enum':
        return random.pick(values)
      case 'timestamp':
        return random.chance(30) ? random.pick(TIMESTAMPS) : String(random.pick(POOLS.timestamp))
      case 'time':
        return random.chance(30) ? '12:30' : String(random.pick(POOLS.time))
      case 'decimal':
        return random.chance(30) ? random.pick(['10.505', '10.5', '0', '-0.001']) : String(random.pick(POOLS.decimal))
      case 'float':
        return random.chance(30)
          ? random.pick(['5e-1', '2e-3', '1E15', '-2.750'])
          : String(random.pick(POOLS.float)).replace('+', '')
      default:
        return String(random.pick(POOLS[kind]))
    }
  }

  // Sort keys may use names of derived types if the type itself has no field of that name.

  private sort(type: string): readonly SortKey[] {
    return Array.from({ length: 1 + this.random.number(3) }, () => ({
      isDescending: this.random.chance(40),
      by: this.random.chance(20) ? this.sortCount(type) : this.sortAttribute(type),
    }))
  }

  private sortAttribute(type: string): Operand {
    const { steps, type: end } = this.sortPath(type)
    const from = this.random.pick(this.types.descendants(end))
    const fields = [...this.types.attributes(from)].filter(([, each]) => isComparable(each) && !each.unordered)
    const [field, model] = this.random.pick([...fields, ['id', this.types.idModel(end)] as const])
    const step = field === 'id' ? { field, of: this.types.rootOf(end) } : this.step(end, from, field)
    return { kind: 'attribute', steps, end: step, model }
  }

  private sortCount(type: string): Operand {
    const { steps, type: end } = this.sortPath(type)
    const from = this.random.pick(this.types.descendants(end))
    const fields = [...this.types.relationships(from)].filter(([, each]) => isToMany(each))
    if (fields.length === 0) return this.sortAttribute(type)
    const [field] = this.random.pick(fields)
    return { kind: 'count', steps, end: this.step(end, from, field) }
  }

  private sortPath(type: string): { steps: readonly Step[]; type: string } {
    const steps: Step[] = []
    let currentType = type
    for (let length = this.random.pick([0, 0, 0, 1, 1, 2]); length > 0; length -= 1) {
      const from = this.random.pick(this.types.descendants(currentType))
      const fields = [...this.types.relationships(from)].filter(([, each]) => !isToMany(each))
      if (fields.length === 0) break
      const [field, { to }] = this.random.pick(fields)
      steps.push(this.step(currentType, from, field))
      currentType = to
    }
    return { steps, type: currentType }
  }

  /** `from`: the type that declares the field, `type` or a derived type. */
  private step(type: string, from: string, field: string): Step {
    const declaring = this.types.declaringType(from, field)
    const isOwn = this.types.isSameOrDerivedType(type, declaring)
    const declaringTypes = this.types
      .descendants(type)
      .filter((each) =>
        Object.hasOwn({ ...this.types.get(each).attributes, ...this.types.get(each).relationships }, field),
      )
    const isAmbiguous = !isOwn && declaringTypes.length > 1
    if (from !== type && (isAmbiguous || this.random.chance(15))) return { field, of: from, prefix: from }
    return { field, of: isOwn ? this.types.declaringType(type, field) : declaring }
  }

  // Includes

  private includes(type: string, depth: number): readonly Include[] {
    const { random } = this
    const includeCount = random.pick(depth === 0 ? [0, 1, 1, 2, 2, 3] : [0, 0, 1, 1, 2])
    const found = new Map<string, Include>()
    for (let count = 0; count < includeCount; count += 1) {
      const from = random.pick(this.types.descendants(type))
      const [field, relationship] = random.sample([...this.types.relationships(from)], 1)[0] ?? []
      if (field === undefined || relationship === undefined || found.has(field)) continue
      const listing = isToMany(relationship) && random.chance(50) ? this.listing(relationship.to) : EMPTY_LIST_QUERY
      const below = depth < 2 ? this.includes(relationship.to, depth + 1) : []
      found.set(field, {
        step: this.step(type, from, field),
        listing,
        below,
      })
    }
    return [...found.values()]
  }

  private fields(): ReadonlyMap<string, readonly string[]> {
    const { random } = this
    const types = random.chance(35) ? random.sample(this.types.names, 1 + random.number(3)) : []
    return new Map(
      types.map((type) => {
        const names = [...this.types.attributes(type).keys(), ...this.types.relationships(type).keys(), 'id']
        return [type, random.sample(names, random.pick([0, 1, 2, 3, 6]))]
      }),
    )
  }
}

const TIMESTAMPS = [
  '2024-02-29T12:30Z',
  '2024-02-29T14:30:00.123+02:00',
  '2024-02-29T12:30:00',
  '2024-02-29T07:30:00-05:00',
]

function isComparable({ kind }: AttributeModel): boolean {
  return kind !== 'list' && kind !== 'json'
}

function modelOf(operand: Operand): AttributeModel {
  if (operand.kind === 'attribute') return operand.model
  return operand.kind === 'count' ? { kind: 'integer' } : { kind: 'boolean' }
}

function isSameKind(one: AttributeModel, other: AttributeModel): boolean {
  if (NUMBERS.includes(one.kind)) return NUMBERS.includes(other.kind)
  // Composite keys are compared column by column.
  return one.kind === other.kind && isDeepStrictEqual(one.keyColumns, other.keyColumns)
}
