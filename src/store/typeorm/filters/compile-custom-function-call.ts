import { InvariantError } from '../../../errors/invariant'
import {
  constraintsOfFunctionArgumentOrResult,
  type FilterOrSortFunction,
  type FunctionArgumentValueType,
  type SqlFragment,
  type SqlTag,
} from '../../../graph/model/filter-or-sort-function'
import type { FunctionArgument, FunctionCall, Literal } from '../../../query/tree/ast'
import { valueConstraintsOfOperand } from '../../../query/tree/comparability'
import type { Dialect } from '../dialects/dialect'
import type { SqlScope } from '../joins/scope'
import { toComparisonParameter } from '../mapping/convert-values'
import { boundConstantSql, paramSql, type Sql, sqlTag } from '../sql/sql'
import { mapParam } from '../sql/sql-param'
import { isCollatedText } from './compile-value-comparison'

type CompileArgument = (argument: Exclude<FunctionArgument, Literal>, scope: SqlScope) => Sql

/** Compiles the call of a function that the application defined with `defineFunction`. */
export function compileCustomFunctionCall(
  { called, arguments: callArguments }: FunctionCall,
  scope: SqlScope,
  compile: CompileArgument,
): Sql {
  const { dialect } = scope.mapping
  const inOneCollation = callArguments.filter(hasCollation).length > 1
  const values = called.argumentTypes.flatMap((valueType, index) => {
    const argument = callArguments[index]
    if (argument === undefined) return []
    const compiled = compileTyped(argument, valueType, scope, compile)
    return [trust(inOneCollation && hasCollation(argument) ? dialect.withCommonCollation(compiled) : compiled)]
  })
  const result = called.toSql(tagOf(called, dialect), values, dialect.name)
  if (!isTrusted(result))
    throw new InvariantError(
      `The toSql of the function '${called.name}' returns a value that its tag did not make. Return sql\`…\`.`,
    )
  return sqlTag`(${result})`
}

/** Returns true if the argument is text with the collation of a column. Databases reject an expression that mixes two collations. */
function hasCollation(argument: FunctionArgument): boolean {
  return argument.kind !== 'literal' && isCollatedText(valueConstraintsOfOperand(argument))
}

/** Casts a value or a count, because its type does not always follow from the context. */
function compileTyped(
  argument: FunctionArgument,
  valueType: FunctionArgumentValueType,
  scope: SqlScope,
  compile: CompileArgument,
): Sql {
  const { dialect } = scope.mapping
  if (typeof valueType !== 'string') return compileId(argument, scope, compile)
  switch (argument.kind) {
    case 'literal':
      return dialect.typed(
        paramSql(
          mapParam(argument.value, (plain) =>
            toComparisonParameter(plain, constraintsOfFunctionArgumentOrResult(valueType), dialect),
          ),
        ),
        valueType,
      )
    case 'count':
      return dialect.typed(compile(argument, scope), valueType)
    default:
      return compile(argument, scope)
  }
}

function compileId(argument: FunctionArgument, scope: SqlScope, compile: CompileArgument): Sql {
  if (argument.kind === 'attributePath') return compile(argument, scope)
  throw new InvariantError('The argument of a function must be a path to an id.')
}

/** Binds everything in the template as a value, except SQL that the tag made. */
function tagOf(called: FilterOrSortFunction, dialect: Dialect): SqlTag {
  return (strings, ...parts) => {
    checkText(strings, called, dialect)
    return trust(sqlTag(strings, ...parts.map((part) => (isTrusted(part) ? part : boundConstantSql(part)))))
  }
}

function checkText(strings: TemplateStringsArray, { name }: FilterOrSortFunction, dialect: Dialect): void {
  if (!('raw' in strings))
    throw new InvariantError(`The toSql of the function '${name}' calls its tag: write sql\`…\`.`)
  const reserved = dialect.placeholder(0) === '?' ? ['?', '\0'] : ['\0']
  const used = reserved.find((character) => strings.some((text) => text.includes(character)))
  if (used === undefined) return
  throw new InvariantError(
    `The toSql of the function '${name}' has ${JSON.stringify(used)} in its text: give it as a value.`,
  )
}

/** SQL that this module created. An application can't add text of its own to it. */
const TRUSTED_SQL = new WeakSet<object>()

function trust(sql: Sql): Sql {
  TRUSTED_SQL.add(sql)
  return sql
}

function isTrusted(part: SqlFragment | string | number): part is Sql {
  return typeof part === 'object' && TRUSTED_SQL.has(part)
}
