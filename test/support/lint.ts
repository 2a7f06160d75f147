import { lintLinks } from './lint-links'
import { lintObjects } from './lint-objects'
import type { Answer } from './server'

/** What every answer must hold, whatever the test is about. */
export function lint(request: { method: string; url: string; sent: unknown }, answer: Answer): void {
  const { status, headers, document } = answer
  const where = `${request.method} ${request.url} -> ${status}`
  expect({ where, vary: headers.get('vary')?.toLowerCase().includes('accept') }).toEqual({ where, vary: true })
  // HEAD has the headers of GET.
  if (document === undefined && request.method === 'HEAD') return
  if (document === undefined) {
    expect({ where, type: headers.get('content-type') }).toEqual({ where, type: null })
    return
  }
  lintLinks(headers.get('content-type') ?? '', document, where)
  expect(Object.keys(document).filter((key) => !TOP_LEVEL.has(key))).toEqual([])
  expect({ where, both: 'data' in document && 'errors' in document }).toEqual({ where, both: false })
  if (status >= 400) lintErrors(document.errors, request.sent, where)
  else lintResources(document, where)
  lintObjects(document, where)
}

const TOP_LEVEL = new Set(['jsonapi', 'links', 'data', 'errors', 'included', 'meta'])
const ERROR = new Set(['status', 'code', 'title', 'detail', 'source', 'links', 'meta'])

function lintErrors(errors: readonly Record<string, never>[], sent: unknown, where: string): void {
  expect({ where, some: errors.length > 0 }).toEqual({ where, some: true })
  for (const error of errors) {
    expect(Object.keys(error).filter((key) => !ERROR.has(key))).toEqual([])
    expect(error.status).toMatch(/^[45]\d\d$/)
    const { pointer } = (error.source ?? {}) as { pointer?: string }
    if (pointer !== undefined && sent !== undefined)
      expect({ where, pointer, found: resolves(pointer, sent) }).toEqual({ where, pointer, found: true })
  }
}

// https://jsonapi.org/format/1.1/#error-objects: the pointer must exist in the request document.
function resolves(pointer: string, document: unknown): boolean {
  let value = JSON.parse(JSON.stringify(document)) as unknown
  for (const segment of pointer.split('/').slice(1)) {
    const member = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return false
    value = (value as Record<string, unknown>)[member]
  }
  return true
}

interface Identified {
  readonly type: string
  readonly id: string
  readonly relationships?: Record<string, { readonly data?: Identified | null | readonly Identified[] }>
}

// https://jsonapi.org/format/1.1/#document-compound-documents: full linkage, and no resource twice.
function lintResources({ data, included }: { data?: unknown; included?: readonly Identified[] }, where: string): void {
  const primary = ([] as Identified[]).concat((data ?? []) as Identified[])
  const all = [...primary, ...(included ?? [])]
  const keys = (included ?? []).map(keyOf)
  expect({ where, repeated: keys.filter((key, index) => keys.indexOf(key) !== index) }).toEqual({ where, repeated: [] })
  for (const each of all) expect([typeof each.type, typeof each.id]).toEqual(['string', 'string'])
  if (where.includes('fields%5B') || where.includes('fields[')) return
  const linked = new Set(primary.map(keyOf))
  for (const each of all) {
    for (const { data: linkage } of Object.values(each.relationships ?? {})) {
      for (const identifier of ([] as Identified[]).concat((linkage ?? []) as Identified[]))
        linked.add(keyOf(identifier))
    }
  }
  expect({ where, floating: keys.filter((key) => !linked.has(key)) }).toEqual({ where, floating: [] })
}

function keyOf({ type, id }: Identified): string {
  return `${type} ${id}`
}
