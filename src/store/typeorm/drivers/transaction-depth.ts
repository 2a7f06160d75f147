import type { QueryRunner } from 'typeorm'

/** How many transactions are under way on a connection, one within the other: the whole is the first. TypeORM counts them without a public API. */
export function transactionDepthOf(queryRunner: QueryRunner): number {
  return (queryRunner as unknown as { readonly transactionDepth: number }).transactionDepth
}

/** TypeORM's flag alone does not tell: a part that a subscriber does not let begin takes it down, and the whole goes on. */
export function isInTransaction(queryRunner: QueryRunner): boolean {
  return queryRunner.isTransactionActive || transactionDepthOf(queryRunner) > 0
}

/** What TypeORM is to believe. */
export function setTransactionDepth(queryRunner: QueryRunner, depth: 0 | 1): void {
  Object.assign(queryRunner, { isTransactionActive: depth > 0, transactionDepth: depth })
}
