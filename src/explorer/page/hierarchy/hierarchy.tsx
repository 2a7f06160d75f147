import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useModel } from '../core/context'
import type { PictureProps } from './picture'

/** The picture of all types. Its layout is a file of its own, which is loaded when the picture is first shown. */
export function Hierarchy() {
  const model = useModel()
  const [Picture, setPicture] = useState<ComponentType<PictureProps>>()
  useEffect(() => {
    void import('./picture').then((module) => setPicture(() => module.Picture))
  }, [])
  return Picture === undefined ? <p class="hint">Drawing the types …</p> : <Picture model={model} />
}
