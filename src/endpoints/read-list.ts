import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult } from '../store/read-result'
import type { Api } from './api'

/** What a list has. Where documents are sent while they are made, so are its rows read. */
export function readList(plan: ReadPlan, { store, options }: Api): Promise<ReadResult> {
  return options.streamThreshold === null ? store.read(plan) : store.readList(plan)
}
