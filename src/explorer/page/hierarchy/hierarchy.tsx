import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useModel } from '../core/context'
import type { PictureProps } from './picture'

/** The picture of all types. Its layout is a file of its own, which is loaded when the picture is first shown. */
export function HierarchyPicture() {
  const model = useModel()
  const [Picture, setPicture] = useState<ComponentType<PictureProps>>()
  const [note, setNote] = useState('Drawing the types …')
  useEffect(() => {
    import('./picture').then(
      (module) => setPicture(() => module.Picture),
      () => setNote('The picture of the types cannot be loaded. Load the page again.'),
    )
  }, [])
  return Picture === undefined ? <p class="hint">{note}</p> : <Picture model={model} />
}
