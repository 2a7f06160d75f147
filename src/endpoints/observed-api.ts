import type { Observation } from '../observation/observation'
import type { IdempotencyStore } from '../store/idempotency-store'
import { toObservedStore } from '../store/observed-store'
import type { Api } from './api'

/** The API as one request has it that somebody looks at: its stores, and what is reported, are told to the observers too. */
export function toObservedApi(api: Api, observation: Observation): Api {
  const { store, idempotency } = api
  const onError = (error: unknown) => {
    observation.fail(error)
    api.onError(error)
  }
  return {
    ...api,
    onError,
    observation,
    store: toObservedStore(store, observation),
    idempotency: idempotency && { ...idempotency, store: toObservedKeys(idempotency.store, observation) },
  }
}

/** Its statements are its own affair. */
function toObservedKeys(store: IdempotencyStore, observation: Observation): IdempotencyStore {
  return {
    completion: store.completion,
    claim: (claim) => observation.during('database', () => store.claim(claim)),
    complete: (...kept) => observation.during('database', () => store.complete(...kept)),
    release: (claim) => observation.during('database', () => store.release(claim)),
  }
}
