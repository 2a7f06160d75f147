import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ApiResponse } from './api-types'
import { send } from './requests'

export interface AnswerState {
  /** The last response: it stays until the next one is there. */
  readonly answer: ApiResponse | undefined
  readonly isLoading: boolean
  readonly reload: () => Promise<void>
}

/** Requests a URL, and again when it changes. `undefined`: requests nothing. */
export function useAnswer(url: string | undefined, loaded?: (answer: ApiResponse) => void): AnswerState {
  const [answer, setAnswer] = useState<ApiResponse>()
  const [isLoading, setLoading] = useState(url !== undefined)
  const current = useRef(0)
  const reload = useCallback(async () => {
    if (url === undefined) return
    const request = ++current.current
    setLoading(true)
    const received = await send({ method: 'GET', url })
    if (request !== current.current) return
    setAnswer(received)
    setLoading(false)
    loaded?.(received)
  }, [url])
  useEffect(() => {
    void reload()
    return () => {
      current.current += 1
    }
  }, [reload])
  return { answer, isLoading, reload }
}
