import { AbstractLogger, type DataSource, type EntitySubscriberInterface, type Logger } from 'typeorm'

/** Whether anybody is told of statements that succeed: then they have to go through TypeORM, which tells. */
export function isSomebodyTold({ logger, subscribers, options }: DataSource): boolean {
  const { maxQueryExecutionTime = 0 } = options
  return maxQueryExecutionTime !== 0 || subscribers.some(listens) || !isSilent(logger)
}

function listens({ beforeQuery, afterQuery }: EntitySubscriberInterface): boolean {
  return beforeQuery !== undefined || afterQuery !== undefined
}

/** TypeORM's own loggers, and what extends them, tell what they are set to; of others nobody knows. */
function isSilent(logger: Logger): boolean {
  if (!(logger instanceof AbstractLogger) || logger.logQuery !== LOG_QUERY) return false
  return !(logger as unknown as Switches).isLogEnabledFor('query')
}

const LOG_QUERY = AbstractLogger.prototype.logQuery

interface Switches {
  isLogEnabledFor(type: 'query'): boolean
}

/** Whether anybody is told where transactions start and end. */
export function isTransactionHeard({ subscribers }: DataSource): boolean {
  return subscribers.some((subscriber) => TRANSACTION_HOOKS.some((hook) => subscriber[hook] !== undefined))
}

const TRANSACTION_HOOKS = [
  ...(['beforeTransactionStart', 'afterTransactionStart'] as const),
  ...(['beforeTransactionCommit', 'afterTransactionCommit'] as const),
  ...(['beforeTransactionRollback', 'afterTransactionRollback'] as const),
]

/** Whether each transaction has to be told how it is isolated. */
export function hasIsolationLevel({ options }: DataSource): boolean {
  return 'isolationLevel' in options && options.isolationLevel !== undefined
}
