import type { ApiResponse } from '../core/api-types'
import { Problems } from '../parts/problems'

/** The page when `/openapi.json` cannot be loaded. `retry`: loads it again. */
export function Refused({ answer, retry }: { readonly answer: ApiResponse; readonly retry: () => void }) {
  return (
    <div class="stack">
      <h1>The OpenAPI document cannot be loaded</h1>
      <Problems answer={answer} errors={answer.document?.errors ?? []} />
      <div class="actions">
        <button type="button" onClick={retry}>
          Try again
        </button>
      </div>
    </div>
  )
}
