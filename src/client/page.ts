import type { ClientHttpExchange, Meta, WireDocument } from './wire'

/**
 * A page of a collection. `for await` iterates over the resources of this page and all later ones:
 *
 * `for await (const human of await client.list('humans')) console.log(human.name)`
 */
export interface Page<Resource> extends AsyncIterable<Resource> {
  readonly data: readonly Resource[]
  /** The number of resources on all pages; `undefined` if the server does not count. */
  readonly total: number | undefined
  readonly meta: Meta
  /** Fetches the next page. Resolves to `undefined` on the last page. */
  next(): Promise<Page<Resource> | undefined>
  /** Fetches the previous page. Resolves to `undefined` on the first page. */
  previous(): Promise<Page<Resource> | undefined>
}

interface PageReader<Resource> {
  readonly fetch: (link: string) => Promise<ClientHttpExchange>
  readonly deserialize: (document: WireDocument) => readonly Resource[]
}

export function responseToPage<Resource>(
  { document = {} }: ClientHttpExchange,
  reader: PageReader<Resource>,
): Page<Resource> {
  const { links = {}, meta = {} } = document
  const pageAt = async (name: 'next' | 'prev') => {
    const link = links[name]
    if (link === undefined || link === null) return undefined
    return responseToPage(await reader.fetch(typeof link === 'string' ? link : link.href), reader)
  }
  const page: Page<Resource> = {
    data: reader.deserialize(document),
    total: totalOf(meta),
    meta,
    next: () => pageAt('next'),
    previous: () => pageAt('prev'),
    [Symbol.asyncIterator]: () => resourcesFrom(page),
  }
  return page
}

/** Returns `undefined` if the server does not count, or only estimates. */
export function totalOf({ total }: Meta = {}): number | undefined {
  return typeof total === 'number' ? total : undefined
}

async function* resourcesFrom<Resource>(first: Page<Resource>): AsyncGenerator<Resource> {
  for (let page: Page<Resource> | undefined = first; page !== undefined; page = await page.next()) yield* page.data
}
