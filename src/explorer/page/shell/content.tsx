import { useEffect, useRef } from 'preact/hooks'
import type { ApiModel } from '../core/api-model'
import type { ParsedApiUrl } from '../core/api-types'
import { refill } from '../dom.mjs'
import { locationView } from '../location-view.mjs'
import { overview } from '../type-view.mjs'

export interface ContentProps {
  readonly address: ParsedApiUrl
  readonly model: ApiModel
}

/** Chooses the view of a URL. */
export function Content({ address, model }: ContentProps) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (container.current === null) return
    refill(container.current, ...(address.shape === 'root' ? overview(model) : locationView(address, model)))
  }, [address, model])
  return <div class="content" ref={container} />
}
