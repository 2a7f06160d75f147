import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../shared/client'
import { type Expected, Linkage, meaningOf } from './document'

interface Document {
  readonly data?: unknown
  readonly included?: readonly { readonly type: string; readonly id: string }[]
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: unknown
  readonly [member: string]: unknown
}

/** Returns the differences between a response and the expected document. */
export function differencesOf({ status, body }: Answer, expected: Expected): readonly string[] {
  if (status !== expected.status) return [`Status: expected ${expected.status}, found ${status}.`]
  if (status !== 200) return []
  const { data, included, links, meta, jsonapi, ...others } = JSON.parse(body) as Document
  const found: string[] = []
  const note = (what: string, wanted: unknown, got: unknown) => {
    if (!isSame(wanted, got)) found.push(`${what}: expected ${show(wanted)}, found ${show(got)}.`)
  }
  note('jsonapi', { version: '1.1' }, jsonapi)
  note('other members', {}, others)
  note('data', expected.data, data)
  note('meta', expected.meta, meta)
  note(
    'links',
    expected.links,
    Object.fromEntries(Object.entries(links ?? {}).map(([name, link]) => [name, link && meaningOfLink(link)])),
  )
  for (const link of Object.values(links ?? {})) {
    if (link !== null && /\?.*[[\]':]/.test(link)) found.push(`links: '${link}' has characters that must be escaped.`)
  }
  if ((expected.included === undefined) !== (included === undefined))
    found.push(`included: expected ${expected.included ? 'one' : 'none'}, found ${show(included)}.`)
  const keys = (included ?? []).map(({ type, id }) => `${type} ${id}`)
  if (new Set(keys).size < keys.length) found.push('included: a resource stands there twice.')
  for (const [key, resource] of expected.included ?? [])
    note(`included ${key}`, resource, included?.[keys.indexOf(key)])
  for (const key of keys) {
    if (expected.included?.has(key) === false) found.push(`included: '${key}' is not expected.`)
  }
  return found
}

function meaningOfLink(link: string): string {
  const [path = '', query = ''] = link.split('?')
  return meaningOf(path, [...new URLSearchParams(query)])
}

function isSame(wanted: unknown, got: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(got) && wanted.length === got.length && wanted.every((each, at) => isSame(each, got[at]))
  if (typeof wanted !== 'object' || wanted === null) return wanted === got
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return false
  const { data } = wanted as { data?: unknown }
  if (data instanceof Linkage) return isSameLinkage(wanted as { links: unknown }, data, got as Found)
  const names = Object.keys(wanted)
  return (
    isDeepStrictEqual(names.toSorted(), Object.keys(got).toSorted()) &&
    names.every((name) => isSame((wanted as Document)[name], (got as Document)[name]))
  )
}

interface Found {
  readonly links?: unknown
  readonly data?: readonly { readonly type: string; readonly id: string }[]
  readonly meta?: unknown
}

function isSameLinkage(
  { links }: { links: unknown },
  { lists, mark }: Linkage,
  { data, meta, links: gotLinks, ...others }: Found,
): boolean {
  if (!isSame(links, gotLinks) || !Array.isArray(data) || Object.keys(others).length > 0) return false
  if (!isSameMeta(mark, meta)) return false
  const [first] = lists
  if (lists.every((each) => isDeepStrictEqual(each, first))) return isSame(first, data)
  const all = new Set(lists.flat().map((each) => JSON.stringify(each)))
  return all.size === data.length && data.every((each) => all.has(JSON.stringify(each)))
}

/** A truncated page has `hasMore`. */
function isSameMeta(mark: Linkage['mark'], meta: unknown): boolean {
  const isAbsent = meta === undefined
  const isMore = isDeepStrictEqual(meta, { hasMore: true })
  if (mark === 'either') return isAbsent || isMore
  return mark === 'cut' ? isMore : isAbsent
}

function show(value: unknown): string {
  return (
    JSON.stringify(value, (_name, each) => (each instanceof Linkage ? { mark: each.mark, lists: each.lists } : each)) ??
    'nothing'
  )
}
