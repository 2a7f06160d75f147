import type { QueryRunner } from 'typeorm'
import type { Statement } from '../sql/sql'
import { findEndedTransactionError } from './transaction-context'
import { clearTransactionFlag } from './typeorm-internals'

type RunQuery = (text: string, ...rest: unknown[]) => Promise<never>
export type QueryInterceptor = (query: RunQuery) => RunQuery

/** All statements go through the replacement while the work is done. */
export async function runWithInterceptor<Value>(
  queryRunner: QueryRunner,
  interceptor: QueryInterceptor,
  work: () => Promise<Value>,
): Promise<Value> {
  const { interceptors } = interceptedRunnerOf(queryRunner)
  interceptors.add(interceptor)
  try {
    return await work()
  } finally {
    // Cancelled work can end after later work has begun, so each removes its own interceptor.
    interceptors.delete(interceptor)
  }
}

/** Runs a statement without the `query` of its query runner, but through the same interceptors. */
export function runIntercepted<Result>(
  queryRunner: QueryRunner,
  { text, values }: Statement,
  run: (statement: Statement) => Promise<Result>,
): Promise<Result> {
  const passage = interceptedRunners.get(queryRunner)
  if (passage === undefined) return run({ text, values })
  const error = findEndedTransactionError(queryRunner)
  if (error !== undefined) return rejectQuery(queryRunner, text, error)
  const query = (passed: string) => run({ text: passed, values })
  return intercepted(query as RunQuery, passage)(text)
}

/** The `query` that a query runner had, or has, but for the watching here. */
export function originalQueryOf(queryRunner: QueryRunner): QueryRunner['query'] {
  const { query } = queryRunner
  const passage = interceptedRunners.get(queryRunner)
  return passage?.query === query ? passage.original : query
}

/** A query runner whose statements pass through interceptors. */
interface InterceptedRunner {
  readonly original: QueryRunner['query']
  readonly query: QueryRunner['query']
  /** The later ones see a statement first. */
  readonly interceptors: Set<QueryInterceptor>
}

function intercepted(query: RunQuery, { interceptors }: InterceptedRunner): RunQuery {
  let passing = query
  for (const interceptor of interceptors) passing = interceptor(passing)
  return passing
}

const interceptedRunners = new WeakMap<QueryRunner, InterceptedRunner>()

/** Replaces `query` once: changing members of a query runner again and again slows it down. */
function interceptedRunnerOf(queryRunner: QueryRunner): InterceptedRunner {
  const known = interceptedRunners.get(queryRunner)
  if (known !== undefined) return known
  const original = queryRunner.query
  const bound = original.bind(queryRunner) as RunQuery
  const query = (text: string, ...rest: unknown[]) => {
    const refusal = findEndedTransactionError(queryRunner)
    return refusal === undefined ? intercepted(bound, passage)(text, ...rest) : rejectQuery(queryRunner, text, refusal)
  }
  const passage: InterceptedRunner = { original, query, interceptors: new Set() }
  interceptedRunners.set(queryRunner, passage)
  queryRunner.query = query
  return passage
}

async function rejectQuery(queryRunner: QueryRunner, text: string, error: Error): Promise<never> {
  if (text.startsWith('BEGIN')) clearTransactionFlag(queryRunner)
  throw error
}
