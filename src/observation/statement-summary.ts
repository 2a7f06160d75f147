/** What a statement is called where its whole text would be too many names. */
export interface StatementSummary {
  /** `SELECT` */
  readonly operation: string
  /** The table that it names first. */
  readonly collection: string | undefined
  /** `SELECT human` */
  readonly summary: string
}

/** `select t0."id" as c0 from "human" t0` -> `{ operation: 'SELECT', collection: 'human', summary: 'SELECT human' }` */
export function summarize(text: string): StatementSummary {
  const [verb = ''] = /^\w+/.exec(text) ?? []
  const operation = verb.toUpperCase()
  const [, quoted] = TABLE.exec(text) ?? []
  const collection = quoted?.replaceAll(/["`]/g, '')
  return { operation, collection, summary: collection === undefined ? operation : `${operation} ${collection}` }
}

/** A name in the quotes of a database, and those in front of it. */
const TABLE = /\b(?:from|into|update) ((?:["`][^"`]{1,64}["`]\.){0,2}["`][^"`]{1,64}["`])/i

/** `QueryFailedError`. Its message can hold values. */
export function nameOfError(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error
}

/** Methods that nobody knows are one: clients could think of ever more. */
export function nameOfMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER'
}

const METHODS: ReadonlySet<string> = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '))
