import type { TestServer } from '../../support/server'

/** A URL that was found in a document, and what a GET of it answers. */
export interface Visit {
  readonly kind: LinkKind
  readonly url: string
  readonly status: number
  readonly data: unknown
}

/** What a link leads to: a document again, one resource, related resources, linkage, or another page. */
export type LinkKind = 'self' | 'related' | 'relationship' | 'page'

/** Follows the links from some documents on: the first ones of each shape, as those of other rows are alike. */
export async function crawl(server: TestServer, starts: readonly string[]): Promise<readonly Visit[]> {
  const found = new Map<string, LinkKind>(starts.map((url) => [url, 'self']))
  const shapes = new Map<string, number>()
  const visits: Visit[] = []
  for (const [url, kind] of found) {
    const shape = url.replaceAll(/[0-9a-f-]{36}|\d+/g, '*')
    const times = shapes.get(shape) ?? 0
    if (times === TIMES) continue
    shapes.set(shape, times + 1)
    const { status, document } = await server.get(url)
    visits.push({ kind, url, status, data: document.data })
    for (const link of linksOf(document)) if (!found.has(link.url)) found.set(link.url, link.kind)
  }
  return visits
}

const TIMES = 3

interface Link {
  readonly kind: LinkKind
  readonly url: string
}

interface Linking {
  readonly links?: Readonly<Record<string, string | null>>
  readonly relationships?: Readonly<Record<string, Linking>>
}

function linksOf(document: Linking & { data?: unknown; included?: readonly Linking[] }): readonly Link[] {
  const resources = [document.data ?? [], document.included ?? []].flat() as readonly Linking[]
  return [
    ...named(document, 'self'),
    ...resources.flatMap((resource) => [
      ...named(resource, 'self'),
      ...Object.values(resource.relationships ?? {}).flatMap((relationship) => named(relationship, 'relationship')),
    ]),
  ]
}

/** `selfKind`: what `self` leads to from there. */
function named({ links = {} }: Linking, selfKind: LinkKind): readonly Link[] {
  return Object.entries(links).flatMap(([name, url]): Link[] => {
    if (url === null || name === 'describedby') return []
    if (name === 'self') return [{ kind: selfKind, url }]
    return [{ kind: name === 'related' ? 'related' : 'page', url }]
  })
}
