import { resourceKeys, singleError } from '../../support/expectations'
import type { TestServer } from '../../support/server'

/** The ids of what stands in `data`, in its order: `1 2`. */
export async function idsOf(api: TestServer, path: string): Promise<string> {
  return resourceKeys(await api.get(path))
    .map((key) => key.split(' ')[1])
    .join(' ')
}

/** The detail of the only mistake of a path, which must be at its `^`. */
export async function detailAt(api: TestServer, marked: string, code: string): Promise<string> {
  const { path, ...place } = readMarkedPath(marked)
  const { detail, ...mistake } = singleError(await api.get(path))
  expect(mistake).toEqual({ status: 400, code, ...place })
  return detail
}

interface MarkedPath {
  readonly path: string
  readonly parameter: string
  /** Counted from 1, in the name of the parameter or in its value. */
  readonly position: number
}

/** A path with a `^` where a mistake is expected: `/articles?sort=title,^nothing`. */
function readMarkedPath(marked: string): MarkedPath {
  const mark = marked.indexOf('^')
  const path = marked.replace('^', '')
  const start = Math.max(path.lastIndexOf('?', mark - 1), path.lastIndexOf('&', mark - 1)) + 1
  const equals = path.indexOf('=', start)
  const isInName = mark <= equals
  return { path, parameter: path.slice(start, equals), position: mark - (isInName ? start : equals + 1) + 1 }
}
