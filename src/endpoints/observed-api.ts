import type { Observation } from '../observation/observation'
import { toObservedStore } from '../store/observed-store'
import type { Api } from './api'

/** The API as one request has it that somebody looks at: its store, and what is reported, are told to the observers too. */
export function toObservedApi(api: Api, observation: Observation): Api {
  const report = (error: unknown) => {
    observation.fail(error)
    api.report(error)
  }
  return { ...api, report, observation, store: toObservedStore(api.store, observation) }
}
