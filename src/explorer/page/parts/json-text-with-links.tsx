import type { ComponentChildren } from 'preact'
import { safeHref } from '../core/api-url'

/** A document as text, with links to follow. */
export function JsonTextWithLinks({ value }: { readonly value: unknown }) {
  return (
    <section class="json" aria-label="Document">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area needs the focus to be scrolled with keys. */}
      <pre tabIndex={0}>{print(value, '', false)}</pre>
    </section>
  )
}

/** `isLink`: the value is a member of `links`. */
function print(value: unknown, indent: string, isLink: boolean): ComponentChildren {
  if (typeof value === 'string') return <JsonText text={value} isLink={isLink} />
  if (typeof value !== 'object' || value === null) return <span class="json-literal">{String(value)}</span>
  const isList = Array.isArray(value)
  const members = Object.entries(value)
  if (members.length === 0) return isList ? '[]' : '{}'
  const inner = `${indent}  `
  const lines = members.map(([name, each], index) => [
    `${index === 0 ? '' : ','}\n${inner}`,
    !isList && [<span class="json-name">{JSON.stringify(name)}</span>, ': '],
    print(each, inner, name === 'links' || (isLink && (name === 'href' || !isList))),
  ])
  return [isList ? '[' : '{', lines, `\n${indent}`, isList ? ']' : '}']
}

function JsonText({ text, isLink }: { readonly text: string; readonly isLink: boolean }) {
  const href = isLink ? safeHref(text) : undefined
  const quoted = JSON.stringify(text)
  return href === undefined ? <span class="json-text">{quoted}</span> : <a href={href}>{quoted}</a>
}
