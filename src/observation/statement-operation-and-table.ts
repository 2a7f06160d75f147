/** The operation and the first table of a statement, as its short name: metrics must not have a name per full text. */
export interface StatementOperationAndTable {
  /** `SELECT` */
  readonly operation: string
  /** The first table in the statement. */
  readonly collection: string | undefined
  /** `SELECT human` */
  readonly summary: string
}

/** `select t0."id" as c0 from "human" t0` -> `{ operation: 'SELECT', collection: 'human', summary: 'SELECT human' }` */
export function parseSqlOperationAndTable(text: string): StatementOperationAndTable {
  const [verb = ''] = /^\w+/.exec(text) ?? []
  const operation = verb.toUpperCase()
  const [, quoted] = TABLE.exec(text) ?? []
  const collection = quoted?.replaceAll(/["`]/g, '')
  return { operation, collection, summary: collection === undefined ? operation : `${operation} ${collection}` }
}

/** A quoted name with its quoted qualifiers. */
const TABLE = /\b(?:from|into|update) ((?:["`][^"`]{1,64}["`]\.){0,2}["`][^"`]{1,64}["`])/i

/** Returns the class name, such as `QueryFailedError`. Messages of errors may contain values. */
export function classNameOfError(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error
}

/** Returns `_OTHER` for unknown methods. Otherwise clients could create any number of names. */
export function toKnownMethodOrOther(method: string): string {
  return METHODS.has(method) ? method : '_OTHER'
}

const METHODS: ReadonlySet<string> = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '))
