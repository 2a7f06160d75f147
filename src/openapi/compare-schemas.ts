import { isJsonObject, type JsonObject, type JsonValue } from '../document/json'
import type { Schema } from './schema'

/** One difference between two OpenAPI documents. */
export interface OpenApiChange {
  /** `breaking`: a client that was correct before may fail now. */
  readonly impact: 'breaking' | 'compatible'
  /** An operation, or a schema with a path in it: `POST /men`, `men.create /attributes/name`. */
  readonly location: string
  readonly change: string
}

/** Requests may not require more than before, and responses may not contain other values than before. */
export type Direction = 'sent' | 'answered'

/** A part of both documents, with its location. */
export interface SchemaPair {
  readonly older: JsonValue | undefined
  readonly newer: JsonValue | undefined
  readonly at: string
}

/** Resolves references in each of the documents. */
export interface Resolvers {
  readonly older: Resolve
  readonly newer: Resolve
}
export type Resolve = (value: JsonValue | undefined) => JsonObject

export type CompareSchemas = (pair: SchemaPair, direction: Direction) => readonly OpenApiChange[]

/** Compares a component that several operations refer to only once per direction. */
export function createSchemaComparer(resolve: Resolvers): CompareSchemas {
  const seen = new Set<string>()
  const isSeen = (...words: readonly (string | undefined)[]) => seen.size === seen.add(words.join(' ')).size
  const compare: CompareSchemas = ({ older, newer, at }, direction) => {
    const name = refName(newer)
    if (name !== undefined && isSeen(direction, refName(older), name)) return []
    const before = alternativesOf(older, resolve.older)
    const now = alternativesOf(newer, resolve.newer)
    return [
      ...compareChoice(before, now, name ?? at, direction),
      ...[...before].flatMap(([kind, was]) => {
        const is = now.get(kind)
        if (is === undefined || (is.name !== undefined && isSeen(direction, was.name, is.name, kind))) return []
        return compareOne({ older: was.schema, newer: is.schema, at: is.name ?? name ?? at }, direction, compare)
      }),
    ]
  }
  return compare
}

interface Alternative {
  readonly schema: Schema
  /** The name of the component. */
  readonly name: string | undefined
}

type Alternatives = ReadonlyMap<string, Alternative>

/** Returns the alternatives of a schema by discriminator: the `type` of a resource, or the JSON type. */
function alternativesOf(value: JsonValue | undefined, resolve: Resolve): Alternatives {
  const schema = resolve(value)
  const name = refName(value)
  const choice = schema.oneOf ?? schema.anyOf
  if (Array.isArray(choice) && schema.properties === undefined) {
    return withOwnKinds(choice.flatMap((each: JsonValue) => [...alternativesOf(each, resolve)]))
  }
  const types = typesOf(schema)
  if (types.length < 2) return new Map([[kindOf(schema), { schema, name }]])
  return new Map(types.map((type) => [type, { schema: { ...schema, type }, name }]))
}

/** Numbers alternatives of the same kind by their position. */
function withOwnKinds(alternatives: readonly (readonly [kind: string, Alternative])[]): Alternatives {
  const kinds = alternatives.map(([kind]) => kind)
  return new Map(
    alternatives.map(([kind, alternative], index) => {
      const before = kinds.slice(0, index).filter((each) => each === kind).length
      return [before === 0 ? kind : `${kind} (${before + 1})`, alternative] as const
    }),
  )
}

function kindOf(schema: Schema): string {
  const { properties } = schema
  const named = isJsonObject(properties) ? properties.type : undefined
  const told = isJsonObject(named) ? named.const : undefined
  return typeof told === 'string' ? `type ${told}` : (typesOf(schema)[0] ?? 'anything')
}

function typesOf({ type, enum: values, const: only }: Schema): readonly string[] {
  if (Array.isArray(type)) return type.map(String)
  if (typeof type === 'string') return [type]
  const known: readonly JsonValue[] = Array.isArray(values) ? values : only === undefined ? [] : [only]
  return [...new Set(known.map((each) => (each === null ? 'null' : typeof each)))]
}

function compareChoice(
  before: Alternatives,
  now: Alternatives,
  at: string,
  direction: Direction,
): readonly OpenApiChange[] {
  const gone = [...before.keys()].filter((kind) => !isAmong(kind, now))
  const added = [...now.keys()].filter((kind) => !isAmong(kind, before))
  const say = (kind: string) => kind.replace(/^type (.*)/, "the type '$1'")
  return [
    ...gone.map((kind) => ({
      impact: breakingIf(direction === 'sent'),
      location: at,
      change: `is never ${say(kind)} any more`,
    })),
    ...added.map((kind) => ({
      impact: breakingIf(direction === 'answered'),
      location: at,
      change: `can be ${say(kind)} now`,
    })),
  ]
}

/** Every integer is a number, and every value is `anything`. */
function isAmong(kind: string, kinds: Alternatives): boolean {
  return kinds.has(kind) || kinds.has('anything') || (kind === 'integer' && kinds.has('number'))
}

export function breakingIf(isBreaking: boolean): OpenApiChange['impact'] {
  return isBreaking ? 'breaking' : 'compatible'
}

function compareOne(pair: SchemaPair, direction: Direction, compare: CompareSchemas): readonly OpenApiChange[] {
  const older = pair.older as Schema
  const newer = pair.newer as Schema
  return [
    ...compareEnums(older, newer, pair.at, direction),
    ...LIMITS.flatMap((limit) => compareLimit(limit, { ...pair, older, newer }, direction)),
    ...compareMembers({ ...pair, older, newer }, direction, compare),
    ...(older.items === undefined || newer.items === undefined
      ? []
      : compare({ older: older.items, newer: newer.items, at: `${pair.at} /*` }, direction)),
  ]
}

function compareEnums(older: Schema, newer: Schema, location: string, direction: Direction): readonly OpenApiChange[] {
  const before = valuesOf(older)
  const now = valuesOf(newer)
  if (before === undefined || now === undefined) {
    if (before === now) return []
    const isNarrower = before === undefined
    return [
      {
        impact: breakingIf(isNarrower === (direction === 'sent')),
        location,
        change: isNarrower ? `is only one of ${now?.join(', ')} now` : 'is no longer one of a list',
      },
    ]
  }
  const gone = before.filter((value) => !now.includes(value))
  const added = now.filter((value) => !before.includes(value))
  return [
    ...gone.map((value) => ({
      impact: breakingIf(direction === 'sent'),
      location,
      change: `is never ${value} any more`,
    })),
    ...added.map((value) => ({
      impact: breakingIf(direction === 'answered'),
      location,
      change: `can be ${value} now`,
    })),
  ]
}

function valuesOf({ enum: values, const: only }: Schema): readonly string[] | undefined {
  if (Array.isArray(values)) return values.map((value: JsonValue) => JSON.stringify(value))
  return only === undefined ? undefined : [JSON.stringify(only)]
}

type Limit = (typeof LIMITS)[number]
const LIMITS = [
  ...(['maxLength', 'maximum', 'maxItems', 'minLength', 'minimum', 'minItems', 'pattern', 'format'] as const),
] as const

/** Patterns and formats cannot be compared, so a different one counts as both narrower and wider. */
function compareLimit(
  limit: Limit,
  { older, newer, at }: SchemaPair & { readonly older: Schema; readonly newer: Schema },
  direction: Direction,
): readonly OpenApiChange[] {
  const before = older[limit]
  const now = newer[limit]
  if (before === now) return []
  const isNarrower = now !== undefined && (before === undefined || isTighter(limit, before, now))
  const isWider = before !== undefined && (now === undefined || isTighter(limit, now, before))
  const impact = breakingIf(direction === 'sent' ? isNarrower : isWider)
  return [{ impact, location: at, change: `${limit} was ${before ?? 'none'}, is ${now ?? 'none'}` }]
}

function isTighter(limit: Limit, before: JsonValue, now: JsonValue): boolean {
  if (typeof before !== 'number' || typeof now !== 'number') return true
  return limit.startsWith('max') ? now < before : now > before
}

function compareMembers(
  { older, newer, at }: SchemaPair & { readonly older: Schema; readonly newer: Schema },
  direction: Direction,
  compare: CompareSchemas,
): readonly OpenApiChange[] {
  const before = isJsonObject(older.properties) ? older.properties : {}
  const now = isJsonObject(newer.properties) ? newer.properties : {}
  const was = listOf(older.required)
  const is = listOf(newer.required)
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name): readonly OpenApiChange[] => {
    const place = `${at} /${name}`
    if (now[name] === undefined) return [{ impact: 'breaking', location: place, change: 'was removed' }]
    if (before[name] === undefined) {
      const isDemanded = direction === 'sent' && is.includes(name)
      return [
        { impact: breakingIf(isDemanded), location: place, change: isDemanded ? 'is new and required' : 'is new' },
      ]
    }
    return [
      ...compareDemand(was.includes(name), is.includes(name), place, direction),
      ...compare({ older: before[name], newer: now[name], at: place }, direction),
    ]
  })
}

function compareDemand(was: boolean, is: boolean, location: string, direction: Direction): readonly OpenApiChange[] {
  if (was === is) return []
  if (direction === 'sent')
    return [{ impact: breakingIf(is), location, change: is ? 'is required now' : 'is optional now' }]
  return [{ impact: breakingIf(was), location, change: was ? 'may be missing now' : 'is always there now' }]
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function refName(value: JsonValue | undefined): string | undefined {
  const ref = isJsonObject(value) ? value.$ref : undefined
  return typeof ref === 'string' ? ref.replace('#/components/schemas/', '') : undefined
}
