import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ApiResponse } from './api-types'
import { CredentialsVersionContext } from './context'
import { send } from './requests'

export interface AnswerState {
  /** The last response: it stays until the next one is there. */
  readonly answer: ApiResponse | undefined
  readonly isLoading: boolean
  readonly reload: () => Promise<void>
}

/** Requests a URL, and again when it or the credentials change. */
export function useAnswer(url: string, loaded?: (answer: ApiResponse) => void): AnswerState {
  const [answer, setAnswer] = useState<ApiResponse>()
  const [isLoading, setLoading] = useState(true)
  const current = useRef(0)
  const version = useContext(CredentialsVersionContext)
  const reload = useCallback(async () => {
    const request = ++current.current
    setLoading(true)
    const received = await send({ method: 'GET', url })
    if (request !== current.current) return
    setAnswer(received)
    setLoading(false)
    loaded?.(received)
  }, [url, version])
  useEffect(() => {
    void reload()
    return () => {
      current.current += 1
    }
  }, [reload])
  return { answer, isLoading, reload }
}
