import { AbstractLogger, type DataSource, type EntitySubscriberInterface, type Logger } from 'typeorm'
import { loggerLogsQueries } from './typeorm-internals'

/** Returns true if a TypeORM logger or subscriber observes statements. Such statements must run through TypeORM's query runner. */
export function hasQueryLoggerOrSubscriber({ logger, subscribers, options }: DataSource): boolean {
  const { maxQueryExecutionTime = 0 } = options
  return maxQueryExecutionTime !== 0 || subscribers.some(hasQueryHooks) || !isSilent(logger)
}

function hasQueryHooks({ beforeQuery, afterQuery }: EntitySubscriberInterface): boolean {
  return beforeQuery !== undefined || afterQuery !== undefined
}

/** Returns true if the logger logs no queries, which is known only for loggers that extend `AbstractLogger`. */
function isSilent(logger: Logger): boolean {
  if (!(logger instanceof AbstractLogger) || logger.logQuery !== LOG_QUERY) return false
  return !loggerLogsQueries(logger)
}

const LOG_QUERY = AbstractLogger.prototype.logQuery

/** Returns true if a subscriber observes the start and end of transactions. */
export function hasTransactionSubscribers({ subscribers }: DataSource): boolean {
  return subscribers.some((subscriber) => TRANSACTION_HOOKS.some((hook) => subscriber[hook] !== undefined))
}

const TRANSACTION_HOOKS = [
  ...(['beforeTransactionStart', 'afterTransactionStart'] as const),
  ...(['beforeTransactionCommit', 'afterTransactionCommit'] as const),
  ...(['beforeTransactionRollback', 'afterTransactionRollback'] as const),
]

/** Returns true if the options of the data source set an isolation level, which each transaction has to set. */
export function isIsolationLevelConfigured({ options }: DataSource): boolean {
  return 'isolationLevel' in options && options.isolationLevel !== undefined
}
