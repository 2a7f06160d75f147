import type { Response } from 'supertest'
import { keysOf } from './expectations'
import type { TestServer } from './server'

export const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
export const ACCEPT = { accept: `application/vnd.api+json;profile="${PROFILE}"` }

/** Requests a page with the cursor profile, and expects status 200. */
export async function fetchPage(server: TestServer, path: string): Promise<Response> {
  const response = await server.get(path).set(ACCEPT)
  expect({ path, status: response.status, errors: response.body.errors }).toEqual({
    path,
    status: 200,
    errors: undefined,
  })
  return response
}

export function cursorsOf({ body }: Response): readonly string[] {
  return body.data.map(({ meta }: { meta: { page: { cursor: string } } }) => meta.page.cursor)
}

/** Follows a link from page to page, and returns the resources of each page. Calls `between` after each page. */
export async function followPages(
  server: TestServer,
  start: string,
  link: 'next' | 'prev',
  between: (page: readonly string[]) => Promise<unknown> = async () => {},
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  for (let path: string | null = start; path !== null; ) {
    const { body }: Response = await fetchPage(server, path)
    pages.push(keysOf(body.data))
    path = body.links[link]
    if (pages.length > 200) throw new Error(`Following the links from ${start} does not end.`)
    await between(pages.at(-1) ?? [])
  }
  return pages
}

export function decodedCursors({ text }: Pick<Response, 'text'>): readonly string[] {
  const cursors = [...text.matchAll(/"cursor":"([\w-]+)"|page%5B(?:after|before)%5D=([\w-]+)/g)]
  return cursors.map(([, one, other]) => Buffer.from(one ?? other ?? '', 'base64url').toString())
}

/** Follows a link from page to page without the cursor profile, and returns the responses. */
export async function followLinks(
  server: TestServer,
  start: string,
  link: 'next' | 'prev',
): Promise<readonly Response[]> {
  const pages: Response[] = []
  for (let path: string | null = start; path !== null; ) {
    const page: Response = await server.get(path).expect(200)
    pages.push(page)
    path = page.body.links[link]
    if (pages.length > 50) throw new Error(`Following the links from ${start} does not end.`)
  }
  return pages
}
