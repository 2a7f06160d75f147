import type { AttributeType, ValueConstraints } from './value-type'

declare const sqlPart: unique symbol

/** A part of a statement with its values. Only the tag that `toSql` receives creates one. */
export interface SqlFragment {
  readonly [sqlPart]: true
}

/**
 * Joins parts of SQL. Texts and numbers in it become bound values, never SQL.
 *
 * sql`strftime(${'%Y'}, ${date})` -> `strftime(?, t0."born")` with the value `%Y`
 */
export type SqlTag = (
  strings: TemplateStringsArray,
  ...parts: readonly (SqlFragment | string | number)[]
) => SqlFragment

/** The family of the database: MariaDB is `mysql`. */
export type SqlDialectName = 'sqlite' | 'postgres' | 'mysql'

/**
 * An argument that is the id of a resource of this class, as a path: `id`, `article.id`. Clients can't write an id as a value, so the function
 * is called only for rows that they can see.
 */
export interface FunctionIdArgumentType {
  readonly idOf: abstract new (...values: never[]) => object
}

/** What an argument of a function may be. */
export type FunctionArgumentValueType = AttributeType | FunctionIdArgumentType

/** A function of the application for filters and sorts. Created by `defineFunction`. */
export interface FilterOrSortFunction {
  readonly name: string
  readonly argumentTypes: readonly FunctionArgumentValueType[]
  readonly returnType: AttributeType
  toSql(sql: SqlTag, values: readonly SqlFragment[], database: SqlDialectName): SqlFragment
}

/** The argument of `defineFunction`. */
export interface SqlFunctionDefinition<Arguments extends readonly FunctionArgumentValueType[]> {
  /** As clients write it. */
  readonly name: string
  /** The type of each argument, or `{ idOf: Article }`. A number may be narrower than the type: integer, bigint, decimal, float. */
  readonly argumentTypes: Arguments
  /** The type of the result. A function that returns `boolean` is a filter by itself. */
  readonly returnType: AttributeType
  /** Returns the expression for these values. Each is an operand that needs no parentheses. An `integer` has 32 bits. */
  readonly toSql: (sql: SqlTag, values: FunctionArgumentFragments<Arguments>, database: SqlDialectName) => SqlFragment
}

/** One SQL fragment for each argument. */
export type FunctionArgumentFragments<Arguments extends readonly FunctionArgumentValueType[]> = {
  readonly [Index in keyof Arguments]: SqlFragment
}

/**
 * Defines a function for the `functions` of `createJsonApi`.
 *
 * defineFunction({ name: 'length', argumentTypes: ['string'], returnType: 'integer', toSql: (sql, [text]) => sql`length(${text})` })
 *
 * `?filter=greaterThan(length(name),'5')&sort=-length(name)` -> `where (length(t0."name")) > 5 order by (length(t0."name")) desc`
 */
export function defineFunction<
  const Arguments extends readonly [FunctionArgumentValueType, ...FunctionArgumentValueType[]],
>(definition: SqlFunctionDefinition<Arguments>): FilterOrSortFunction {
  return definition
}

/** Returns the constraints on an argument or result. Integers have 32 bits, as in every database. */
export function constraintsOfFunctionArgumentOrResult(valueType: AttributeType): ValueConstraints {
  return valueType === 'integer' ? INTEGERS : { valueType }
}

const INTEGERS: ValueConstraints = { valueType: 'integer', minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n }

/** The built-in functions of filters. */
export const FILTER_FUNCTION_NAMES = [
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

export type FilterFunctionName = (typeof FILTER_FUNCTION_NAMES)[number]

/** Words of the query language, which functions can't have as names. */
export const RESERVED_FUNCTION_NAMES: readonly string[] = [...FILTER_FUNCTION_NAMES, 'count', 'null']
