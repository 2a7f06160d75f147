import { useState } from 'preact/hooks'
import { API_ROOT_URL } from './api-url'

/** State that the browser keeps for this API, by a key. `read` checks what is stored, which may be of an older version of the page. */
export function useStoredState<State>(
  key: string,
  read: (stored: unknown) => State,
): readonly [State, (next: State) => void] {
  const [state, setState] = useState(() => read(loadStored(key)))
  return [
    state,
    (next) => {
      setState(next)
      try {
        localStorage.setItem(storedKey(key), JSON.stringify(next))
      } catch {
        // Without storage the state lasts until the page is closed.
      }
    },
  ]
}

function storedKey(key: string): string {
  return `stemma.${key} ${API_ROOT_URL.pathname}`
}

function loadStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(storedKey(key)) ?? 'null')
  } catch {
    return null
  }
}
