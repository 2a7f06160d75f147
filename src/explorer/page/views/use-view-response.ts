import { useRef, useState } from 'preact/hooks'
import type { ApiErrorObject, JsonApiDocument, ParsedApiUrl } from '../core/api-types'
import { formatStatus, hasSuccessStatus } from '../core/requests'
import { type ResponseState, useResponse } from '../core/use-response'
import { announce } from '../parts/announce'

/** The response of the shown URL. */
export interface ShownUrlResponseState extends ResponseState {
  /** The document of the last successful request, until one fails. */
  readonly shown: JsonApiDocument | undefined
  /** The errors that name a parameter. */
  readonly parameterErrors: readonly ApiErrorObject[]
  readonly otherErrors: readonly ApiErrorObject[]
  /** Loads again after a write. Only the result of the write is announced. */
  readonly reloadAfterWrite: () => Promise<void>
}

export function useViewResponse({ url }: ParsedApiUrl): ShownUrlResponseState {
  const [shown, setShown] = useState<JsonApiDocument>()
  const isAfterWrite = useRef(false)
  const state = useResponse(url, (response) => {
    if (hasSuccessStatus(response)) setShown(response.document)
    if (!hasSuccessStatus(response)) announce(`The response is ${formatStatus(response)}`)
    else if (!isAfterWrite.current) announce('The response is shown')
    isAfterWrite.current = false
  })
  const { response } = state
  const errors = response === undefined || hasSuccessStatus(response) ? [] : (response.document?.errors ?? [])
  const hasParameter = ({ source }: ApiErrorObject) => source?.parameter !== undefined
  return {
    ...state,
    shown: response === undefined || hasSuccessStatus(response) ? shown : undefined,
    parameterErrors: errors.filter(hasParameter),
    otherErrors: errors.filter((error) => !hasParameter(error)),
    reloadAfterWrite: () => {
      isAfterWrite.current = true
      return state.reload()
    },
  }
}
