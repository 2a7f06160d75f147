import type { OutgoingRequest, ReceivedApiResponse } from '../core/api-types'
import { API_ROOT_URL } from '../core/api-url'
import { removeSecretQueryParameters } from '../core/credentials'

/** A request that was sent. Bodies and headers are not stored: they may contain secrets. */
export interface RequestHistoryEntry {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly milliseconds: number
  /** When it was sent last, as ISO 8601. */
  readonly at: string
}

export interface SavedQuery {
  readonly name: string
  readonly url: string
}

const MOST_LOGGED = 50
const MOST_SAVED = 100
/** Longer URLs are not stored, so that the whole list stays small. */
const LONGEST_URL = 4000

/** Other APIs of the same host have their own lists. */
const LOG = `stemma.history ${API_ROOT_URL.pathname}`
const SAVED = `stemma.saved ${API_ROOT_URL.pathname}`

export function loggedRequests(): readonly RequestHistoryEntry[] {
  return load(LOG).filter(isLogged)
}

export function savedQueries(): readonly SavedQuery[] {
  return load(SAVED).filter(isSaved)
}

/** Adds a request at the start, once for the same method and URL. */
export function saveRequestToHistory(
  { method, url }: OutgoingRequest,
  { status, milliseconds }: ReceivedApiResponse,
): void {
  const safe = removeSecretQueryParameters(url)
  if (safe.length > LONGEST_URL) return
  const entry = { method, url: safe, status, milliseconds: Math.round(milliseconds), at: new Date().toISOString() }
  const others = loggedRequests().filter((each) => each.method !== method || each.url !== safe)
  store(LOG, [entry, ...others].slice(0, MOST_LOGGED))
}

export function clearLog(): void {
  store(LOG, [])
}

/** Replaces the query with the same name. Returns false if there are too many. */
export function saveQuery({ name, url }: SavedQuery): boolean {
  const others = savedQueries().filter((each) => each.name !== name)
  if (others.length >= MOST_SAVED) return false
  const all = [...others, { name, url: removeSecretQueryParameters(url) }]
  return store(
    SAVED,
    all.toSorted((first, second) => first.name.localeCompare(second.name)),
  )
}

export function deleteSavedQuery(name: string): void {
  store(
    SAVED,
    savedQueries().filter((each) => each.name !== name),
  )
}

function load(key: string): readonly unknown[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

/** Returns false if the browser stores nothing, or has no space left. */
function store(key: string, all: readonly (RequestHistoryEntry | SavedQuery)[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(all))
    return true
  } catch {
    return false
  }
}

function isLogged(value: unknown): value is RequestHistoryEntry {
  return typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'status' in value
}

function isSaved(value: unknown): value is SavedQuery {
  return typeof value === 'object' && value !== null && 'name' in value && 'url' in value
}
