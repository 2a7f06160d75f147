import { InvariantError } from '../../errors/invariant'
import { type QueryFunction, rangeOfType, type SqlPart, type SqlTag } from '../../graph/query-function'
import type { ValueType } from '../../graph/value-type'
import type { Argument, FunctionCall, Literal } from '../../query/ast'
import { rangeOf } from '../../query/comparability'
import { toParameter } from './convert-values'
import type { Dialect } from './dialect'
import { isText } from './is-text'
import type { Scope } from './scope'
import { type Sql, toSql, value } from './sql'

export type CompileArgument = (argument: Exclude<Argument, Literal>, scope: Scope) => Sql

/** What a function of the application makes of its arguments. */
export function compileCall({ called, arguments: given }: FunctionCall, scope: Scope, compile: CompileArgument): Sql {
  const { dialect } = scope.mapping
  const inOneCollation = given.filter(hasCollation).length > 1
  const values = called.takes.flatMap((valueType, index) => {
    const argument = given[index]
    if (argument === undefined) return []
    const compiled = compileTyped(argument, valueType, scope, compile)
    return [remember(inOneCollation && hasCollation(argument) ? dialect.inOneCollation(compiled) : compiled)]
  })
  const made = called.toSql(tagOf(called, dialect), values, dialect.name)
  if (!isMade(made))
    throw new InvariantError(`The toSql of the function '${called.name}' gives what its tag has not made.`)
  return toSql`(${made})`
}

/** Whether it is text that has the collation of a column. Databases refuse to choose between two. */
function hasCollation(argument: Argument): boolean {
  return argument.kind !== 'literal' && isText(rangeOf(argument))
}

/** The type of a value or a count has to be said where nothing around tells it, or tells another. */
function compileTyped(argument: Argument, valueType: ValueType, scope: Scope, compile: CompileArgument): Sql {
  const { dialect } = scope.mapping
  switch (argument.kind) {
    case 'literal':
      return dialect.typed(value(toParameter(argument.value, rangeOfType(valueType), dialect)), valueType)
    case 'count':
      return dialect.typed(compile(argument, scope), valueType)
    default:
      return compile(argument, scope)
  }
}

/** Everything that stands in it is a value, unless a tag has made it. */
function tagOf(called: QueryFunction, dialect: Dialect): SqlTag {
  return (strings, ...parts) => {
    checkText(strings, called, dialect)
    return remember(toSql(strings, ...parts.map((part) => (isMade(part) ? part : value(part)))))
  }
}

function checkText(strings: TemplateStringsArray, { name }: QueryFunction, dialect: Dialect): void {
  if (!('raw' in strings))
    throw new InvariantError(`The toSql of the function '${name}' calls its tag: write sql\`…\`.`)
  const taken = dialect.placeholder(0) === '?' ? ['?', '\0'] : ['\0']
  const found = taken.find((each) => strings.some((text) => text.includes(each)))
  if (found === undefined) return
  throw new InvariantError(
    `The toSql of the function '${name}' has ${JSON.stringify(found)} in its text: give it as a value.`,
  )
}

/** What has come from here. Nothing that an application or a client makes up is among it. */
const MADE = new WeakSet<object>()

function remember(sql: Sql): Sql {
  MADE.add(sql)
  return sql
}

function isMade(part: SqlPart | string | number): part is Sql {
  return typeof part === 'object' && MADE.has(part)
}
