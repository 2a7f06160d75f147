import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useModel } from '../core/context'
import type { TypeHierarchyDiagramProps } from './type-hierarchy-diagram'

/** The picture of all types. Its layout is a file of its own, which is loaded when the picture is first shown. */
export function LazyTypeHierarchyDiagram() {
  const model = useModel()
  const [Diagram, setDiagram] = useState<ComponentType<TypeHierarchyDiagramProps>>()
  const [note, setNote] = useState('Drawing the types …')
  useEffect(() => {
    import('./type-hierarchy-diagram').then(
      (module) => setDiagram(() => module.TypeHierarchyDiagram),
      () => setNote('The picture of the types cannot be loaded. Load the page again.'),
    )
  }, [])
  return Diagram === undefined ? <p class="hint">{note}</p> : <Diagram model={model} />
}
