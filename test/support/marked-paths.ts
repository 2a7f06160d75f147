import { singleError } from './expectations'
import type { TestServer } from './server'

/** Expects a single error with status 400 at the `^` of a path: `/articles?sort=title,^nothing`. */
export async function expectMistake(server: TestServer, marked: string, code: string, detail = ''): Promise<void> {
  const { path, ...expected } = readMarkedPath(marked)
  const { detail: found, ...mistake } = singleError(await server.get(path))
  expect(mistake).toEqual({ status: 400, code, ...expected })
  expect(found).toContain(detail)
}

interface MarkedPath {
  readonly path: string
  readonly parameter: string
  /** Counted from 1, in the name of the parameter or in its value. */
  readonly position: number
}

function readMarkedPath(marked: string): MarkedPath {
  const markIndex = marked.indexOf('^')
  const path = marked.replace('^', '')
  const start = Math.max(path.lastIndexOf('?', markIndex - 1), path.lastIndexOf('&', markIndex - 1)) + 1
  const equals = path.indexOf('=', start)
  const isInName = markIndex <= equals
  return { path, parameter: path.slice(start, equals), position: markIndex - (isInName ? start : equals + 1) + 1 }
}
