import { isDeepStrictEqual } from 'node:util'
import type { HttpResponse } from '../shared/client'
import { type Expected, Linkage, normalizeLink } from './document'

interface Document {
  readonly data?: unknown
  readonly included?: readonly { readonly type: string; readonly id: string }[]
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: unknown
  readonly [member: string]: unknown
}

/** Returns the differences between a response and the expected document. */
export function differencesOf({ status, body }: HttpResponse, expected: Expected): readonly string[] {
  if (status !== expected.status) return [`Status: expected ${expected.status}, found ${status}.`]
  if (status !== 200) return []
  const { data, included, links, meta, jsonapi, ...others } = JSON.parse(body) as Document
  const differences: string[] = []
  const compare = (label: string, expected: unknown, actual: unknown) => {
    if (!isSame(expected, actual)) differences.push(`${label}: expected ${print(expected)}, found ${print(actual)}.`)
  }
  compare('jsonapi', { version: '1.1' }, jsonapi)
  compare('other members', {}, others)
  compare('data', expected.data, data)
  compare('meta', expected.meta, meta)
  compare(
    'links',
    expected.links,
    Object.fromEntries(Object.entries(links ?? {}).map(([name, link]) => [name, link && normalizeUrl(link)])),
  )
  for (const link of Object.values(links ?? {})) {
    if (link !== null && /\?.*[[\]':]/.test(link))
      differences.push(`links: '${link}' has characters that must be escaped.`)
  }
  if ((expected.included === undefined) !== (included === undefined))
    differences.push(`included: expected ${expected.included ? 'one' : 'none'}, found ${print(included)}.`)
  const keys = (included ?? []).map(({ type, id }) => `${type} ${id}`)
  if (new Set(keys).size < keys.length) differences.push('included: a resource occurs twice.')
  for (const [key, resource] of expected.included ?? [])
    compare(`included ${key}`, resource, included?.[keys.indexOf(key)])
  for (const key of keys) {
    if (expected.included?.has(key) === false) differences.push(`included: '${key}' is not expected.`)
  }
  return differences
}

function normalizeUrl(link: string): string {
  const [path = '', query = ''] = link.split('?')
  return normalizeLink(path, [...new URLSearchParams(query)])
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((each, index) => isSame(each, actual[index]))
    )
  if (typeof expected !== 'object' || expected === null) return expected === actual
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false
  const { data } = expected as { data?: unknown }
  if (data instanceof Linkage) return isSameLinkage(expected as { links: unknown }, data, actual as ActualRelationship)
  const names = Object.keys(expected)
  return (
    isDeepStrictEqual(names.toSorted(), Object.keys(actual).toSorted()) &&
    names.every((name) => isSame((expected as Document)[name], (actual as Document)[name]))
  )
}

interface ActualRelationship {
  readonly links?: unknown
  readonly data?: readonly { readonly type: string; readonly id: string }[]
  readonly meta?: unknown
}

function isSameLinkage(
  { links }: { links: unknown },
  { lists, extent }: Linkage,
  { data, meta, links: actualLinks, ...others }: ActualRelationship,
): boolean {
  if (!isSame(links, actualLinks) || !Array.isArray(data) || Object.keys(others).length > 0) return false
  if (!isSameMeta(extent, meta)) return false
  const [first] = lists
  if (lists.every((each) => isDeepStrictEqual(each, first))) return isSame(first, data)
  const all = new Set(lists.flat().map((each) => JSON.stringify(each)))
  return all.size === data.length && data.every((each) => all.has(JSON.stringify(each)))
}

/** A truncated page has `hasMore`. */
function isSameMeta(extent: Linkage['extent'], meta: unknown): boolean {
  const isAbsent = meta === undefined
  const isTruncated = isDeepStrictEqual(meta, { hasMore: true })
  if (extent === 'either') return isAbsent || isTruncated
  return extent === 'truncated' ? isTruncated : isAbsent
}

function print(value: unknown): string {
  return (
    JSON.stringify(value, (_name, each) =>
      each instanceof Linkage ? { extent: each.extent, lists: each.lists } : each,
    ) ?? 'undefined'
  )
}
