import { useState } from 'preact/hooks'

/** State that the browser keeps, by a key. `read` checks what is stored, which may be of an older version of the page. */
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
        localStorage.setItem(`stemma.${key}`, JSON.stringify(next))
      } catch {
        // Without storage the state lasts until the page is closed.
      }
    },
  ]
}

function loadStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`stemma.${key}`) ?? 'null')
  } catch {
    return null
  }
}
