import type { RequestObservation } from '../observation/observation'
import { describeReadPlan } from '../plan/describe-read-plan'
import type { ReadPlan } from '../plan/read-plan'
import type { ResourceStore, ResourceStoreTransaction } from './store'

/** Wraps a store so that it reports plans, statements and durations. */
export function createInstrumentedStore(store: ResourceStore, observation: RequestObservation): ResourceStore {
  const observed = store.observedBy(observation.statement)
  const timed = <Value>(work: () => Promise<Value>) => observation.during('database', work)
  // Lists each method, so that the compiler reports a missing one.
  return {
    read: (plan) => timed(() => observed.read(reportPlan(plan, observation))),
    readList: (plan) => timed(() => observed.readList(reportPlan(plan, observation))),
    isStoredInRow: (relationship) => observed.isStoredInRow(relationship),
    async writeInOneStatement(plan, read) {
      const written = await timed(() => observed.writeInOneStatement(plan, read))
      if (written !== undefined) reportPlan(read, observation)
      return written
    },
    // Counts the begin and end of the transaction as time of the database, but not the rules and the planning between them.
    transaction: (work, isHidden) =>
      timed(() =>
        observed.transaction((transaction) => {
          return observation.during('plan', () => work(toObservedTransaction(transaction, observation)))
        }, isHidden),
      ),
    classifyDatabaseFailure: (error) => observed.classifyDatabaseFailure(error),
    explain: (plan) => observed.explain(plan),
    readingFromMaster: () => createInstrumentedStore(store.readingFromMaster(), observation),
    withDeadline: (deadline) => createInstrumentedStore(store.withDeadline(deadline), observation),
    observedBy: (observe) => observed.observedBy(observe),
  }
}

function toObservedTransaction(
  transaction: ResourceStoreTransaction,
  observation: RequestObservation,
): ResourceStoreTransaction {
  const timed = <Value>(work: () => Promise<Value>) => observation.during('database', work)
  return {
    read: (plan, lock) => timed(() => transaction.read(reportPlan(plan, observation), lock)),
    lockPage: (plan) => timed(() => transaction.lockPage(reportPlan(plan, observation))),
    write: (plan) => timed(() => transaction.write(plan)),
    tryInSavepoint: (work) => timed(() => transaction.tryInSavepoint(() => observation.during('plan', work))),
    async createTogether(plans, read) {
      const created = await timed(() => transaction.createTogether(plans, read))
      if (read !== undefined && created?.rows !== undefined) reportPlan(read, observation)
      return created
    },
    updateTogether: (plans) => timed(() => transaction.updateTogether(plans)),
    hasTriggers: (relationship) => timed(() => transaction.hasTriggers(relationship)),
    native: transaction.native,
  }
}

function reportPlan(plan: ReadPlan, observation: RequestObservation): ReadPlan {
  observation.plan(() => JSON.stringify(describeReadPlan(plan)))
  return plan
}
