import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ReceivedApiResponse } from './api-types'
import { CredentialsVersionContext } from './context'
import { send } from './requests'

export interface ResponseState {
  /** The last response: it stays until the next one is there. */
  readonly response: ReceivedApiResponse | undefined
  readonly isLoading: boolean
  readonly reload: () => Promise<void>
}

/** Requests a URL, and again when it or the credentials change. */
export function useResponse(url: string, loaded?: (response: ReceivedApiResponse) => void): ResponseState {
  const [response, setResponse] = useState<ReceivedApiResponse>()
  const [isLoading, setLoading] = useState(true)
  const current = useRef(0)
  const version = useContext(CredentialsVersionContext)
  const reload = useCallback(async () => {
    const request = ++current.current
    setLoading(true)
    const received = await send({ method: 'GET', url })
    if (request !== current.current) return
    setResponse(received)
    setLoading(false)
    loaded?.(received)
  }, [url, version])
  useEffect(() => {
    void reload()
    return () => {
      current.current += 1
    }
  }, [reload])
  return { response, isLoading, reload }
}
