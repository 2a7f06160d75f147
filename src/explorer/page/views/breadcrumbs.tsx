import type { ComponentChildren } from 'preact'
import type { ParsedApiUrl } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { TypeDot } from '../parts/value'

interface BreadcrumbsProps {
  readonly address: ParsedApiUrl
  /** Beside the path. */
  readonly children?: ComponentChildren
}

/** The path of the URL, with links to what is above. */
export function Breadcrumbs({ address: { shape, type, id, relationship }, children }: BreadcrumbsProps) {
  const steps = [
    { text: type, href: joinApiPath(type) },
    { text: id, href: joinApiPath(type, id) },
    { text: relationship, href: joinApiPath(type, id, relationship) },
  ].filter(({ text }) => text !== '')
  return (
    <div class="heading">
      <h1>
        <TypeDot type={type} />
        {steps.map(({ text, href }, index) => [
          index > 0 && <span class="heading-slash"> / </span>,
          index < steps.length - 1 ? <a href={href}>{text}</a> : text,
        ])}
      </h1>
      {shape === 'relationship' && <span class="badge">linkage</span>}
      {children}
    </div>
  )
}
