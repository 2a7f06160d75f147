import type { Size } from './measure'
import { DIAGRAM_MARGIN } from './use-pan-and-zoom'

/** Prints a drawn picture as an SVG file that needs no other file: with its styles, in the colours that are shown. */
export function toSvgFile(picture: SVGSVGElement, { width, height }: Size): string {
  const copy = picture.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return ''
  copy.setAttribute(
    'viewBox',
    [-DIAGRAM_MARGIN, -DIAGRAM_MARGIN, width + DIAGRAM_MARGIN * 2, height + DIAGRAM_MARGIN * 2].join(' '),
  )
  copy.setAttribute('width', String(width + DIAGRAM_MARGIN * 2))
  copy.setAttribute('height', String(height + DIAGRAM_MARGIN * 2))
  copy.setAttribute('class', 'hierarchy-picture')
  copy.querySelector('.hierarchy-moved')?.removeAttribute('transform')
  for (const part of copy.querySelectorAll('.hierarchy-toggle, .hierarchy-grip')) part.remove()
  for (const link of copy.querySelectorAll('a')) link.removeAttribute('href')
  const [head = '', ...rest] = new XMLSerializer().serializeToString(copy).split(/(?<=^<svg[^>]*>)/)
  // A style element would be refused by the Content-Security-Policy of the page, so it exists in the text only.
  return [head, `<style>${escapeXml(stylesOfPicture())}</style>`, ...rest].join('')
}

function stylesOfPicture(): string {
  const probe = document.body.appendChild(document.createElement('span'))
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  const texts = rules.flatMap((rule) =>
    rule instanceof CSSStyleRule && rule.selectorText.includes('.hierarchy-') ? [rule.cssText] : [],
  )
  const resolved = texts.join('\n').replace(/var\((--[\w-]+)\)/g, (_all, name: string) => resolvedValue(name, probe))
  probe.remove()
  return resolved
}

/** A colour may have a value for each colour scheme. Only the colour of an element tells which of them is shown. */
function resolvedValue(name: string, probe: HTMLElement): string {
  const value = getComputedStyle(probe).getPropertyValue(name).trim()
  if (!/^(light-dark|#|rgb|color)/.test(value)) return value
  probe.style.color = `var(${name})`
  return getComputedStyle(probe).color
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Lets the browser save a text as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
