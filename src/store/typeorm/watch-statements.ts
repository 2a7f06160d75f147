import type { QueryRunner } from 'typeorm'
import type { Statement } from './sql'
import { refusalOf } from './write-scope'

type Query = (text: string, ...rest: unknown[]) => Promise<never>
export type Replacement = (query: Query) => Query

/** All statements go through the replacement while the work is done. */
export async function watchStatements<Value>(
  queryRunner: QueryRunner,
  replace: Replacement,
  work: () => Promise<Value>,
): Promise<Value> {
  const { replacements } = passageOf(queryRunner)
  replacements.add(replace)
  try {
    return await work()
  } finally {
    // Work that was given up can end after later work has begun: each takes back its own.
    replacements.delete(replace)
  }
}

/** Runs a statement by other means than the `query` of its query runner, through all that it would have to go through there. */
export function runWatched<Result>(
  queryRunner: QueryRunner,
  { text, values }: Statement,
  run: (statement: Statement) => Promise<Result>,
): Promise<Result> {
  const passage = passages.get(queryRunner)
  if (passage === undefined) return run({ text, values })
  const refusal = refusalOf(queryRunner)
  if (refusal !== undefined) return refuse(queryRunner, text, refusal)
  const query = (passed: string) => run({ text: passed, values })
  return replaced(query as Query, passage)(text)
}

/** The `query` that a query runner had, or has, but for the watching here. */
export function originalQuery(queryRunner: QueryRunner): QueryRunner['query'] {
  const { query } = queryRunner
  const passage = passages.get(queryRunner)
  return passage?.query === query ? passage.original : query
}

/** Where the statements of a query runner pass. */
interface Passage {
  readonly original: QueryRunner['query']
  readonly query: QueryRunner['query']
  /** The later ones see a statement first. */
  readonly replacements: Set<Replacement>
}

function replaced(query: Query, { replacements }: Passage): Query {
  let passing = query
  for (const replace of replacements) passing = replace(passing)
  return passing
}

const passages = new WeakMap<QueryRunner, Passage>()

/** Put in once: a query runner whose members come and go is slow at all that it does. */
function passageOf(queryRunner: QueryRunner): Passage {
  const known = passages.get(queryRunner)
  if (known !== undefined) return known
  const original = queryRunner.query
  const bound = original.bind(queryRunner) as Query
  const query = (text: string, ...rest: unknown[]) => {
    const refusal = refusalOf(queryRunner)
    return refusal === undefined ? replaced(bound, passage)(text, ...rest) : refuse(queryRunner, text, refusal)
  }
  const passage: Passage = { original, query, replacements: new Set() }
  passages.set(queryRunner, passage)
  queryRunner.query = query
  return passage
}

/** TypeORM takes a transaction for begun before it is. */
async function refuse(queryRunner: QueryRunner, text: string, refusal: Error): Promise<never> {
  if (text.startsWith('BEGIN')) Object.assign(queryRunner, { isTransactionActive: false })
  throw refusal
}
