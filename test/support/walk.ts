import type { Answer, TestServer } from './server'
import { keys } from './shown'

export const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
export const ACCEPT = { accept: `application/vnd.api+json;profile="${PROFILE}"` }

/** An answer of which nothing is wrong. */
export async function fetched(server: TestServer, path: string): Promise<Answer> {
  const answer = await server.get(path, ACCEPT)
  expect({ path, status: answer.status, errors: answer.document.errors }).toEqual({
    path,
    status: 200,
    errors: undefined,
  })
  return answer
}

/** The pages from one on, along a link; `between` runs after each. */
export async function walk(
  server: TestServer,
  start: string,
  along: 'next' | 'prev',
  between: (page: readonly string[]) => Promise<unknown> = async () => {},
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  for (let path: string | null = start; path !== null; ) {
    const { document }: Answer = await fetched(server, path)
    pages.push(keys(document.data))
    path = document.links[along]
    if (pages.length > 200) throw new Error(`The walk from ${start} has no end.`)
    await between(pages.at(-1) ?? [])
  }
  return pages
}
