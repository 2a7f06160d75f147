import { below, isObject, type JsonObject } from './json'
import { PAGES } from './lint-links'
import { keyOf, type Placed, relationshipsOf, resourcesIn } from './resources'

/** A link of a document, and what it promises. */
export interface Lead {
  /** The whole URL. */
  readonly url: string
  /** Where the link stands. */
  readonly pointer: string
  readonly promise: Promised
}

export type Promised =
  | { readonly kind: 'document' }
  | { readonly kind: 'description' }
  | { readonly kind: 'page' }
  | { readonly kind: 'resource'; readonly key: string }
  /** `linkage` is `undefined` where the document does not tell. */
  | { readonly kind: 'related' | 'relationship'; readonly linkage: unknown }

/** Every link of a document that was found at a URL. */
export function leadsIn(document: JsonObject, url: string): readonly Lead[] {
  const leads = [
    ...leadsOf(document.links, '/links', (name) => promiseOf(name, document)),
    ...resourcesIn(document).flatMap(leadsOfResource),
  ]
  return leads.flatMap(({ href, ...lead }) =>
    URL.canParse(href, url) ? [{ ...lead, url: withoutFragment(new URL(href, url)) }] : [],
  )
}

interface RawLead extends Omit<Lead, 'url'> {
  readonly href: string
}

function leadsOf(
  links: unknown,
  pointer: string,
  toPromise: (name: string) => Promised | undefined,
): readonly RawLead[] {
  if (!isObject(links)) return []
  return Object.entries(links).flatMap(([name, link]) => {
    const href = isObject(link) ? link.href : link
    const promise = toPromise(name)
    return typeof href === 'string' && promise !== undefined ? [{ href, promise, pointer: below(pointer, name) }] : []
  })
}

function promiseOf(name: string, { data }: JsonObject): Promised | undefined {
  if (PAGES.includes(name)) return { kind: 'page' }
  if (name === 'self') return { kind: 'document' }
  if (name === 'describedby') return { kind: 'description' }
  return name === 'related' ? { kind: 'related', linkage: data } : undefined
}

function leadsOfResource({ object, pointer }: Placed): readonly RawLead[] {
  return [
    ...leadsOf(object.links, below(pointer, 'links'), (name) =>
      name === 'self' ? { kind: 'resource', key: keyOf(object) } : undefined,
    ),
    ...relationshipsOf(object).flatMap(([name, { links, data }]) =>
      leadsOf(links, below(below(below(pointer, 'relationships'), name), 'links'), (link) => {
        if (PAGES.includes(link)) return { kind: 'page' }
        if (link === 'self') return { kind: 'relationship', linkage: data }
        return link === 'related' ? { kind: 'related', linkage: data } : undefined
      }),
    ),
  ]
}

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length)
}
