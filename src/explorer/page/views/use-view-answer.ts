import { useState } from 'preact/hooks'
import type { ApiErrorObject, JsonApiDocument, ParsedApiUrl } from '../core/api-types'
import { formatStatus, isGood } from '../core/requests'
import { type AnswerState, useAnswer } from '../core/use-answer'
import { announce } from '../parts/announce'

/** The response of the shown URL. */
export interface ViewAnswer extends AnswerState {
  /** The document of the last successful request, until one fails. */
  readonly shown: JsonApiDocument | undefined
  /** The errors that name a parameter. */
  readonly parameterErrors: readonly ApiErrorObject[]
  readonly otherErrors: readonly ApiErrorObject[]
}

export function useViewAnswer({ url }: ParsedApiUrl): ViewAnswer {
  const [shown, setShown] = useState<JsonApiDocument>()
  const loading = useAnswer(url, (answer) => {
    if (isGood(answer)) setShown(answer.document)
    announce(isGood(answer) ? 'The response is shown' : `The response is ${formatStatus(answer)}`)
  })
  const { answer } = loading
  const errors = answer === undefined || isGood(answer) ? [] : (answer.document?.errors ?? [])
  const hasParameter = ({ source }: ApiErrorObject) => source?.parameter !== undefined
  return {
    ...loading,
    shown: answer === undefined || isGood(answer) ? shown : undefined,
    parameterErrors: errors.filter(hasParameter),
    otherErrors: errors.filter((error) => !hasParameter(error)),
  }
}
