import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ReceivedApiResponse } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { ExplorerApiModel } from '../core/explorer-api-model'
import { send } from '../core/requests'

interface ApiDescriptionState {
  readonly model: ExplorerApiModel | undefined
  /** The last response. */
  readonly response: ReceivedApiResponse | undefined
  /** Differs after each loading. */
  readonly version: number
}

const NOTHING: ApiDescriptionState = { model: undefined, response: undefined, version: 0 }

/** Loads the OpenAPI document at the start, and again when the second member is called. */
export function useOpenApiDocument(): readonly [ApiDescriptionState, reload: () => void] {
  const [description, setDescription] = useState(NOTHING)
  const current = useRef(0)
  const load = useCallback(async () => {
    const request = ++current.current
    const response = await send({ method: 'GET', url: joinApiPath('openapi.json') })
    if (request !== current.current) return
    setDescription(({ version, ...before }) => {
      // The same document keeps its model, so that forms keep what was entered.
      const isSame = before.model !== undefined && before.response?.text === response.text
      return { model: isSame ? before.model : readModel(response), response, version: version + 1 }
    })
  }, [])
  useEffect(() => {
    void load()
  }, [load])
  return [description, load]
}

/** Returns `undefined` for a refusal, and for a response that is no OpenAPI document, such as the page of a proxy. */
function readModel({ status, text }: ReceivedApiResponse): ExplorerApiModel | undefined {
  if (status !== 200) return undefined
  try {
    return new ExplorerApiModel(JSON.parse(text))
  } catch {
    return undefined
  }
}
