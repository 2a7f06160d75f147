import type { Observation } from '../observation/observation'
import { describePlan } from '../plan/describe-plan'
import type { ReadPlan } from '../plan/read-plan'
import type { Store, Transaction } from './store'

/** The same store, which reports its plans, its statements and the time that it takes. */
export function toObservedStore(store: Store, observation: Observation): Store {
  const told = store.toldBy(observation.statement)
  const timed = <Value>(work: () => Promise<Value>) => observation.during('database', work)
  // Each method by its name, so that a new one can't be forgotten here.
  return {
    read: (plan) => timed(() => told.read(announced(plan, observation))),
    readList: (plan) => timed(() => told.readList(announced(plan, observation))),
    isKeptInRow: (relationship) => told.isKeptInRow(relationship),
    async writeAtOnce(plan, read) {
      const written = await timed(() => told.writeAtOnce(plan, read))
      if (written !== undefined) announced(read, observation)
      return written
    },
    // Rules and what is planned in between are no time of the database; how it begins and ends is.
    transaction: (work) =>
      timed(() =>
        told.transaction((transaction) => {
          return observation.during('plan', () => work(toObservedTransaction(transaction, observation)))
        }),
      ),
    failureIn: (error) => told.failureIn(error),
    explain: (plan) => told.explain(plan),
    until: (deadline) => toObservedStore(store.until(deadline), observation),
    toldBy: (observe) => told.toldBy(observe),
  }
}

function toObservedTransaction(transaction: Transaction, observation: Observation): Transaction {
  const timed = <Value>(work: () => Promise<Value>) => observation.during('database', work)
  return {
    read: (plan, lock) => timed(() => transaction.read(announced(plan, observation), lock)),
    holdPage: (plan) => timed(() => transaction.holdPage(announced(plan, observation))),
    write: (plan) => timed(() => transaction.write(plan)),
    native: transaction.native,
  }
}

function announced(plan: ReadPlan, observation: Observation): ReadPlan {
  observation.plan(() => JSON.stringify(describePlan(plan)))
  return plan
}
