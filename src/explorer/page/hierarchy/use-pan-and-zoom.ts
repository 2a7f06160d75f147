import type { RefObject } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { scaleToFit } from './layout'
import type { Rect, Size } from './measure'

/** The visible part of the picture: where its corner is in the frame, and its scale. */
export interface Viewport {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface PanZoomControls {
  readonly panBy: (x: number, y: number) => void
  /** `at`: the point of the frame that keeps its place. Default: the middle. */
  readonly zoomBy: (factor: number, at?: { readonly x: number; readonly y: number }) => void
  /** Shows everything, or one part. */
  readonly show: (part?: Rect) => void
  /** Moves as little as needed to show a part. */
  readonly reveal: (part: Rect) => void
}

export const DIAGRAM_MARGIN = 20
const SMALLEST = 0.15
const LARGEST = 2.5

/** The pan and zoom of a picture. It fits into the frame until the user moves it, also after changes of both sizes. */
export function usePanAndZoom(picture: Size, frame: Size): readonly [Viewport, PanZoomControls] {
  const [moved, setMoved] = useState<Viewport>()
  const { width, height } = picture
  const whole = useMemo(() => fitted({ x: 0, y: 0, width, height }, frame), [width, height, frame])
  const controls = useMemo((): PanZoomControls => {
    const change = (next: (view: Viewport) => Viewport) => setMoved((old) => next(old ?? whole))
    return {
      panBy: (x, y) => change((old) => ({ ...old, x: old.x + x, y: old.y + y })),
      zoomBy: (factor, at = { x: frame.width / 2, y: frame.height / 2 }) => change((old) => zoomed(old, factor, at)),
      show: (part) => setMoved(part && fitted(part, frame)),
      reveal: (part) => change((old) => revealed(old, part, frame)),
    }
  }, [whole, frame])
  return [moved ?? whole, controls]
}

function fitted({ x, y, width, height }: Rect, frame: Size): Viewport {
  const space = { width: frame.width - DIAGRAM_MARGIN * 2, height: frame.height - DIAGRAM_MARGIN * 2 }
  const scale = Math.min(1, Math.max(SMALLEST, scaleToFit({ width, height }, space)))
  return {
    scale,
    x: (frame.width - width * scale) / 2 - x * scale,
    y: (frame.height - height * scale) / 2 - y * scale,
  }
}

function zoomed(view: Viewport, factor: number, at: { readonly x: number; readonly y: number }): Viewport {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor))
  const change = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change }
}

function revealed(view: Viewport, { x, y, width, height }: Rect, frame: Size): Viewport {
  const shift = (start: number, size: number, space: number) => {
    if (start < DIAGRAM_MARGIN) return DIAGRAM_MARGIN - start
    return Math.min(0, Math.max(DIAGRAM_MARGIN - start, space - DIAGRAM_MARGIN - start - size))
  }
  return {
    scale: view.scale,
    x: view.x + shift(view.x + x * view.scale, width * view.scale, frame.width),
    y: view.y + shift(view.y + y * view.scale, height * view.scale, frame.height),
  }
}

/** The size of an element; zero before it is drawn. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
