import type { ValueRange, ValueType } from './value-type'

declare const sqlPart: unique symbol

/** A part of a statement, with its values beside it. Made by the tag that `toSql` gets, and by nothing else. */
export interface SqlPart {
  readonly [sqlPart]: true
}

/**
 * Puts parts of SQL together. Texts and numbers that stand in it become values, never SQL.
 *
 * sql`strftime(${'%Y'}, ${date})` -> `strftime(?, t0."born")` with the value `%Y`
 */
export type SqlTag = (strings: TemplateStringsArray, ...parts: readonly (SqlPart | string | number)[]) => SqlPart

/** The family of the database: MariaDB is `mysql`. */
export type DatabaseFamily = 'sqlite' | 'postgres' | 'mysql'

/** A function of an application's own, for filters and sorts. Made by `defineFunction`. */
export interface QueryFunction {
  readonly name: string
  readonly takes: readonly ValueType[]
  readonly gives: ValueType
  toSql(sql: SqlTag, values: readonly SqlPart[], database: DatabaseFamily): SqlPart
}

/** What `defineFunction` is given. */
export interface FunctionDefinition<Takes extends readonly ValueType[]> {
  /** As clients write it. */
  readonly name: string
  /** The type of each value that it takes. A narrower number does for a wider one: integer, bigint, decimal, float. */
  readonly takes: Takes
  /** One that gives `boolean` is a filter by itself. */
  readonly gives: ValueType
  /** The expression for these values, each in parentheses or a single word. An `integer` has 32 bits. */
  readonly toSql: (sql: SqlTag, values: SqlValues<Takes>, database: DatabaseFamily) => SqlPart
}

/** One part for each value that is taken. */
export type SqlValues<Takes extends readonly ValueType[]> = { readonly [Index in keyof Takes]: SqlPart }

/**
 * Makes a function for the `functions` of `createJsonApi`.
 *
 * defineFunction({ name: 'length', takes: ['string'], gives: 'integer', toSql: (sql, [text]) => sql`length(${text})` })
 *
 * `?filter=greaterThan(length(name),'5')&sort=-length(name)` -> `where (length(t0."name")) > 5 order by (length(t0."name")) desc`
 */
export function defineFunction<const Takes extends readonly [ValueType, ...ValueType[]]>(
  definition: FunctionDefinition<Takes>,
): QueryFunction {
  return definition
}

/** The values of a parameter or result: integers as every database has them. */
export function rangeOfType(valueType: ValueType): ValueRange {
  return valueType === 'integer' ? INTEGERS : { valueType }
}

const INTEGERS: ValueRange = { valueType: 'integer', minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n }

/** The functions that filters have by themselves. */
export const FILTER_FUNCTIONS = [
  'equals',
  'lessThan',
  'lessOrEqual',
  'greaterThan',
  'greaterOrEqual',
  'contains',
  'startsWith',
  'endsWith',
  'any',
  'and',
  'or',
  'not',
  'has',
  'isType',
] as const

export type FilterFunctionName = (typeof FILTER_FUNCTIONS)[number]

/** Words of the query language, which are no names for functions. */
export const RESERVED_FUNCTION_NAMES: readonly string[] = [...FILTER_FUNCTIONS, 'count', 'null']
