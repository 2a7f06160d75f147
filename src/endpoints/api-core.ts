import type { Caches } from '../cache/caches'
import type { ResourceDefinitionRegistry } from '../definitions/definitions'
import type { ResourceGraph } from '../graph/model/resource-graph'
import type { ResolvedApiOptions } from '../graph/options/options'
import type { StartRequestObservation } from '../observation/observation'
import type { ReadRules } from '../plan/read-rules'
import type { ResourceStore } from '../store/store'
import type { WriteValidator } from '../validators/validators'
import type { ResolvedIdempotencyOptions } from './idempotency'

/** Holds what all requests share. Built once at startup, and frozen. */
export interface ApiCore {
  readonly graph: ResourceGraph
  readonly options: ResolvedApiOptions
  readonly definitions: ResourceDefinitionRegistry
  /** Returns the read rules for the context of a request. */
  readonly evaluateReadRules: (context: unknown) => ReadRules
  readonly store: ResourceStore
  readonly validators: WriteValidator
  /** Returns true if reads of a request with this context go to the master. */
  readonly readFromMaster: (context: unknown) => boolean
  /** `undefined` if the header `Idempotency-Key` has no effect. */
  readonly idempotency: ResolvedIdempotencyOptions | undefined
  readonly caches: Caches
  /** Called with every server-side error. */
  readonly onError: (error: unknown) => void
  /** `undefined` if no logger or tracer is configured. */
  readonly observe: StartRequestObservation | undefined
}
