import { useLayoutEffect, useRef } from 'preact/hooks'

const changedForms = new Set<object>()

/** Returns true if a form has values that are not saved. */
export function anyFormHasUnsavedChanges(): boolean {
  return changedForms.size > 0
}

export function forgetUnsavedChanges(): void {
  changedForms.clear()
}

/** Protects the values of a form from navigation while it is changed. Returns a function that ends this: they are saved, or no longer wanted. */
export function useUnsavedChanges(isChanged: boolean): () => void {
  const form = useRef({}).current
  const end = () => void changedForms.delete(form)
  useLayoutEffect(() => {
    if (!isChanged) return
    changedForms.add(form)
    return end
  }, [isChanged])
  return end
}
