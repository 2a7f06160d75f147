import type { QueryRunner } from 'typeorm'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Statement } from './sql'
import { endsTransaction, isConsequence } from './violation'
import { isGivenUp } from './write-scope'

/**
 * Runs the work of a transaction so that no failed statement is overlooked. PostgreSQL gives up a transaction in which a statement has
 * failed, and takes its `COMMIT` for a `ROLLBACK` without a word; MySQL gives it up at a deadlock, and keeps every later statement by
 * itself. Work that catches such an error and goes on fails all the same.
 */
export async function watchStatements<Value>(
  queryRunner: QueryRunner,
  busy: Busy,
  work: () => Promise<Value>,
): Promise<Value> {
  let failed: { readonly error: unknown } | undefined
  let ended: { readonly error: unknown } | undefined
  const watch: Replacement =
    (query) =>
    async (text, ...rest) => {
      if (ended !== undefined) throw ended.error
      busy.statements += 1
      try {
        const result = await query(text, ...rest)
        failed = undefined
        return result
      } catch (error) {
        if (failed !== undefined && isConsequence(error)) throw failed.error
        failed = { error }
        if (endsTransaction(error)) ended = failed
        throw error
      } finally {
        busy.statements -= 1
      }
    }
  return withQuery(queryRunner, watch, async () => {
    const value = await work()
    if (ended !== undefined) throw ended.error
    // Where a transaction is given up, nothing succeeds in it any more: only the last statement has to be asked about.
    if (failed !== undefined) await throwUnlessGoingOn(queryRunner, failed.error)
    return value
  })
}

/** How many statements are under way on a connection, and whether they were given up. */
export interface Busy {
  statements: number
  isGivenUp?: boolean
}

async function throwUnlessGoingOn(queryRunner: QueryRunner, failure: unknown): Promise<void> {
  try {
    await queryRunner.query('SELECT 1')
  } catch {
    throw failure
  }
}

type Query = (text: string, ...rest: unknown[]) => Promise<never>
type Replacement = (query: Query) => Query

/** All statements go through the replacement while the work is done. */
export async function withQuery<Value>(
  queryRunner: QueryRunner,
  replace: Replacement,
  work: () => Promise<Value>,
): Promise<Value> {
  const passage = passageOf(queryRunner)
  const { watch } = passage
  passage.watch = (query) => replace(watch(query))
  try {
    return await work()
  } finally {
    passage.watch = watch
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
  if (isGivenUp(queryRunner)) return refuse(queryRunner, text)
  const query = (passed: string) => run({ text: passed, values })
  return passage.watch(query as Query)(text)
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
  watch: Replacement
}

const passages = new WeakMap<QueryRunner, Passage>()

/** Put in once: a query runner whose members come and go is slow at all that it does. */
function passageOf(queryRunner: QueryRunner): Passage {
  const known = passages.get(queryRunner)
  if (known !== undefined) return known
  const original = queryRunner.query
  const bound = original.bind(queryRunner) as Query
  const query = (text: string, ...rest: unknown[]) =>
    isGivenUp(queryRunner) ? refuse(queryRunner, text) : passage.watch(bound)(text, ...rest)
  const passage: Passage = { original, query, watch: (unwatched) => unwatched }
  passages.set(queryRunner, passage)
  queryRunner.query = query
  return passage
}

/** TypeORM takes a transaction for begun before it is. */
async function refuse(queryRunner: QueryRunner, text: string): Promise<never> {
  if (text.startsWith('BEGIN')) Object.assign(queryRunner, { isTransactionActive: false })
  throw new JsonApiError([problem('server.timeout', 'The request that this statement belongs to was given up.')])
}
