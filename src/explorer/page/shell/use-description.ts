import { useCallback, useEffect, useState } from 'preact/hooks'
import { ApiModel } from '../core/api-model'
import type { ApiResponse, OpenApiDocument } from '../core/api-types'
import { buildApiPath } from '../core/api-url'
import { send } from '../core/requests'

export interface Description {
  readonly model: ApiModel | undefined
  /** The response, if the document was refused. */
  readonly refusal: ApiResponse | undefined
  /** Differs after each loading. */
  readonly version: number
}

const NOTHING: Description = { model: undefined, refusal: undefined, version: 0 }

/** Loads the OpenAPI document at the start, and again when the second member is called. */
export function useDescription(): readonly [Description, reload: () => void] {
  const [description, setDescription] = useState(NOTHING)
  const load = useCallback(async () => {
    const answer = await send({ method: 'GET', url: buildApiPath('openapi.json') })
    const model = answer.status === 200 ? readModel(answer.text) : undefined
    setDescription(({ version }) => ({
      model,
      refusal: model === undefined ? answer : undefined,
      version: version + 1,
    }))
  }, [])
  useEffect(() => {
    void load()
  }, [load])
  return [description, load]
}

function readModel(text: string): ApiModel {
  const document: OpenApiDocument = JSON.parse(text)
  return new ApiModel(document)
}
