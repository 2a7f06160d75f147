import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PanZoomControls } from './use-pan-and-zoom'

type Position = { readonly x: number; readonly y: number }

/** Movements of fewer pixels are clicks. */
const CLICK = 4

/**
 * Pans while a pointer is dragged, and zooms while two are, or with the wheel. Without `isWheelFree` the wheel needs the Control key, because
 * it scrolls the page.
 */
export function useGestures(
  frame: RefObject<HTMLElement | null>,
  controls: PanZoomControls,
  isWheelFree: boolean,
): void {
  const latest = useRef({ controls, isWheelFree })
  latest.current = { controls, isWheelFree }
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const stop = new AbortController()
    const pointers = new Map<number, Position>()
    let hasMoved = false
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
      capture = false,
    ) => element.addEventListener(name, listener, { signal: stop.signal, passive: false, capture })
    on('pointerdown', (event) => {
      if (event.button !== 0) return
      if (pointers.size === 0) hasMoved = false
      pointers.set(event.pointerId, placeIn(element, event))
    })
    on('pointermove', (event) => {
      const last = pointers.get(event.pointerId)
      if (last === undefined) return
      const now = placeIn(element, event)
      if (!hasMoved && distance(last, now) < CLICK) return
      hasMoved = true
      element.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, now)
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      if (other === undefined) latest.current.controls.panBy(now.x - last.x, now.y - last.y)
      else latest.current.controls.zoomBy(distance(other, now) / Math.max(1, distance(other, last)), other)
    })
    for (const name of ['pointerup', 'pointercancel'] as const) {
      on(name, ({ pointerId }) => void pointers.delete(pointerId))
    }
    on('dragstart', (event) => event.preventDefault())
    // Enter on a link is a click as well, without a pointer.
    on('click', (event) => hasMoved && event.detail > 0 && suppress(event), true)
    on('wheel', (event) => {
      if (!latest.current.isWheelFree && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      latest.current.controls.zoomBy(Math.exp(-event.deltaY / 300), placeIn(element, event))
    })
    return () => stop.abort()
  }, [frame])
}

function suppress(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

function placeIn(element: Element, { clientX, clientY }: MouseEvent): Position {
  const { left, top } = element.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

function distance(first: Position, second: Position): number {
  return Math.hypot(first.x - second.x, first.y - second.y)
}

const STEP = 60

/** Pans with the arrow keys, zooms with `+` and `-`, shows everything with `0`. */
export function handlePanZoomKeyDown(event: KeyboardEvent, { panBy, zoomBy, show }: PanZoomControls): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: () => panBy(STEP, 0),
    ArrowRight: () => panBy(-STEP, 0),
    ArrowUp: () => panBy(0, STEP),
    ArrowDown: () => panBy(0, -STEP),
    '+': () => zoomBy(1.25),
    '=': () => zoomBy(1.25),
    '-': () => zoomBy(0.8),
    0: () => show(),
  }
  const action = actions[event.key]
  if (action === undefined) return
  event.preventDefault()
  action()
}
