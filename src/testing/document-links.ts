import { appendToPointer, isObject, type UnknownObject } from './json'
import { PAGE_LINKS } from './lint-links'
import { type LocatedResource, relationshipObjectEntries, resourceKeyOf, resourceObjectsInDocument } from './resources'

/** A link of a document, with its expected target. */
export interface DocumentLinkWithTarget {
  /** The absolute URL. */
  readonly url: string
  /** The pointer to the link. */
  readonly pointer: string
  readonly expects: LinkTarget
}

type LinkTarget =
  | { readonly kind: 'document' }
  | { readonly kind: 'description' }
  | { readonly kind: 'page' }
  | { readonly kind: 'resource'; readonly key: string }
  /** `linkage` is `undefined` if the document does not contain it. */
  | { readonly kind: 'related' | 'relationship'; readonly linkage: unknown }

/** Returns every link of a document from the given URL. */
export function documentLinksIn(document: UnknownObject, url: string): readonly DocumentLinkWithTarget[] {
  const links = [
    ...documentLinksOf(document.links, '/links', (name) => targetOf(name, document)),
    ...resourceObjectsInDocument(document).flatMap(documentLinksOfResource),
  ]
  return links.flatMap(({ href, ...link }) =>
    URL.canParse(href, url) ? [{ ...link, url: withoutFragment(new URL(href, url)) }] : [],
  )
}

interface RawDocumentLink extends Omit<DocumentLinkWithTarget, 'url'> {
  readonly href: string
}

function documentLinksOf(
  links: unknown,
  pointer: string,
  toTarget: (name: string) => LinkTarget | undefined,
): readonly RawDocumentLink[] {
  if (!isObject(links)) return []
  return Object.entries(links).flatMap(([name, link]) => {
    const href = isObject(link) ? link.href : link
    const expects = toTarget(name)
    return typeof href === 'string' && expects !== undefined
      ? [{ href, expects, pointer: appendToPointer(pointer, name) }]
      : []
  })
}

function targetOf(name: string, { data }: UnknownObject): LinkTarget | undefined {
  if (PAGE_LINKS.includes(name)) return { kind: 'page' }
  if (name === 'self') return { kind: 'document' }
  if (name === 'describedby') return { kind: 'description' }
  return name === 'related' ? { kind: 'related', linkage: data } : undefined
}

function documentLinksOfResource({ object, pointer }: LocatedResource): readonly RawDocumentLink[] {
  return [
    ...documentLinksOf(object.links, appendToPointer(pointer, 'links'), (name) =>
      name === 'self' ? { kind: 'resource', key: resourceKeyOf(object) } : undefined,
    ),
    ...relationshipObjectEntries(object).flatMap(([name, { links, data }]) =>
      documentLinksOf(links, appendToPointer(pointer, 'relationships', name, 'links'), (link) => {
        if (PAGE_LINKS.includes(link)) return { kind: 'page' }
        if (link === 'self') return { kind: 'relationship', linkage: data }
        return link === 'related' ? { kind: 'related', linkage: data } : undefined
      }),
    ),
  ]
}

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length)
}
