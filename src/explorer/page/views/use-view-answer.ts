import { useRef, useState } from 'preact/hooks'
import type { ApiErrorObject, JsonApiDocument, ParsedApiUrl } from '../core/api-types'
import { formatStatus, hasSuccessStatus } from '../core/requests'
import { type AnswerState, useAnswer } from '../core/use-answer'
import { announce } from '../parts/announce'

/** The response of the shown URL. */
export interface ViewAnswer extends AnswerState {
  /** The document of the last successful request, until one fails. */
  readonly shown: JsonApiDocument | undefined
  /** The errors that name a parameter. */
  readonly parameterErrors: readonly ApiErrorObject[]
  readonly otherErrors: readonly ApiErrorObject[]
  /** Loads again after a write. Only the result of the write is announced. */
  readonly reloadAfterWrite: () => Promise<void>
}

export function useViewAnswer({ url }: ParsedApiUrl): ViewAnswer {
  const [shown, setShown] = useState<JsonApiDocument>()
  const isAfterWrite = useRef(false)
  const loading = useAnswer(url, (answer) => {
    if (hasSuccessStatus(answer)) setShown(answer.document)
    if (!hasSuccessStatus(answer)) announce(`The response is ${formatStatus(answer)}`)
    else if (!isAfterWrite.current) announce('The response is shown')
    isAfterWrite.current = false
  })
  const { answer } = loading
  const errors = answer === undefined || hasSuccessStatus(answer) ? [] : (answer.document?.errors ?? [])
  const hasParameter = ({ source }: ApiErrorObject) => source?.parameter !== undefined
  return {
    ...loading,
    shown: answer === undefined || hasSuccessStatus(answer) ? shown : undefined,
    parameterErrors: errors.filter(hasParameter),
    otherErrors: errors.filter((error) => !hasParameter(error)),
    reloadAfterWrite: () => {
      isAfterWrite.current = true
      return loading.reload()
    },
  }
}
