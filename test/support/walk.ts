import type { Response } from 'supertest'
import { keysOf } from './expectations'
import type { TestServer } from './server'

export const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
export const ACCEPT = { accept: `application/vnd.api+json;profile="${PROFILE}"` }

/** Expects a response without errors. */
export async function fetched(server: TestServer, path: string): Promise<Response> {
  const answer = await server.get(path).set(ACCEPT)
  expect({ path, status: answer.status, errors: answer.body.errors }).toEqual({ path, status: 200, errors: undefined })
  return answer
}

export function cursorsOf({ body }: Response): readonly string[] {
  return body.data.map(({ meta }: { meta: { page: { cursor: string } } }) => meta.page.cursor)
}

/** Follows a link from page to page; `between` runs after each. */
export async function walk(
  server: TestServer,
  start: string,
  along: 'next' | 'prev',
  between: (page: readonly string[]) => Promise<unknown> = async () => {},
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  for (let path: string | null = start; path !== null; ) {
    const { body }: Response = await fetched(server, path)
    pages.push(keysOf(body.data))
    path = body.links[along]
    if (pages.length > 200) throw new Error(`The walk from ${start} has no end.`)
    await between(pages.at(-1) ?? [])
  }
  return pages
}

/** The cursors of a response, decoded. */
export function decodedCursors({ text }: Pick<Response, 'text'>): readonly string[] {
  const cursors = [...text.matchAll(/"cursor":"([\w-]+)"|page%5B(?:after|before)%5D=([\w-]+)/g)]
  return cursors.map(([, one, other]) => Buffer.from(one ?? other ?? '', 'base64url').toString())
}

/** The responses from one page on, along a link, without cursors. */
export async function walkPages(
  server: TestServer,
  start: string,
  along: 'next' | 'prev',
): Promise<readonly Response[]> {
  const pages: Response[] = []
  for (let path: string | null = start; path !== null; ) {
    const page: Response = await server.get(path).expect(200)
    pages.push(page)
    path = page.body.links[along]
    if (pages.length > 50) throw new Error(`The links from ${start} have no end.`)
  }
  return pages
}
