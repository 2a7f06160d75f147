import type { QueryRunner } from 'typeorm'
import type { Statement } from '../sql/sql'
import { findErrorIfTransactionEnded } from './transaction-context'
import { clearTransactionFlag } from './typeorm-internals'

type RunQuery = (text: string, ...rest: unknown[]) => Promise<never>
export type StatementInterceptor = (query: RunQuery) => RunQuery

/** Runs work, and passes all statements of the query runner to the interceptor until the work ends. */
export async function runWithStatementInterceptor<Value>(
  queryRunner: QueryRunner,
  interceptor: StatementInterceptor,
  work: () => Promise<Value>,
): Promise<Value> {
  const { interceptors } = interceptedRunnerOf(queryRunner)
  interceptors.add(interceptor)
  try {
    return await work()
  } finally {
    // Removes only its own interceptor, because cancelled work can end after later work has begun.
    interceptors.delete(interceptor)
  }
}

/** Runs a statement without the `query` of its query runner, but through the same interceptors. */
export function runInterceptedStatement<Result>(
  queryRunner: QueryRunner,
  { text, values }: Statement,
  run: (statement: Statement) => Promise<Result>,
): Promise<Result> {
  const runner = interceptedRunners.get(queryRunner)
  if (runner === undefined) return run({ text, values })
  const error = findErrorIfTransactionEnded(queryRunner)
  if (error !== undefined) return rejectQuery(queryRunner, text, error)
  const query = (replacedText: string) => run({ text: replacedText, values })
  return withInterceptors(query as RunQuery, runner)(text)
}

/** Returns the `query` of a query runner without the interceptors of this module. */
export function originalQueryMethodOf(queryRunner: QueryRunner): QueryRunner['query'] {
  const { query } = queryRunner
  const runner = interceptedRunners.get(queryRunner)
  return runner?.query === query ? runner.original : query
}

/** A query runner whose statements pass through interceptors. */
interface InterceptedRunner {
  readonly original: QueryRunner['query']
  readonly query: QueryRunner['query']
  /** Interceptors that were added later get a statement first. */
  readonly interceptors: Set<StatementInterceptor>
}

function withInterceptors(query: RunQuery, { interceptors }: InterceptedRunner): RunQuery {
  let wrapped = query
  for (const interceptor of interceptors) wrapped = interceptor(wrapped)
  return wrapped
}

const interceptedRunners = new WeakMap<QueryRunner, InterceptedRunner>()

/** Replaces the `query` of a query runner once, because repeated changes of its members would slow it down. */
function interceptedRunnerOf(queryRunner: QueryRunner): InterceptedRunner {
  const known = interceptedRunners.get(queryRunner)
  if (known !== undefined) return known
  const original = queryRunner.query
  const bound = original.bind(queryRunner) as RunQuery
  const query = (text: string, ...rest: unknown[]) => {
    const error = findErrorIfTransactionEnded(queryRunner)
    return error === undefined ? withInterceptors(bound, runner)(text, ...rest) : rejectQuery(queryRunner, text, error)
  }
  const runner: InterceptedRunner = { original, query, interceptors: new Set() }
  interceptedRunners.set(queryRunner, runner)
  queryRunner.query = query
  return runner
}

async function rejectQuery(queryRunner: QueryRunner, text: string, error: Error): Promise<never> {
  if (text.startsWith('BEGIN')) clearTransactionFlag(queryRunner)
  throw error
}
