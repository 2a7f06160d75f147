import type { Response } from 'supertest'
import { TYPES } from '../../../exams/oracle/model'
import type { Row } from '../../../exams/shared/rows'
import type { RequestOptions } from '../../support/server'
import { pathOf } from './paths'

export interface SentRequest extends RequestOptions {
  readonly method: string
  readonly path: string
}

/** Tracks the existing rows by requests and responses: only successful writes change them. */
export class RowTracker {
  private readonly initialRows: readonly Row[]
  private readonly existing: Set<Row>
  private readonly deleted = new Set<Row>()

  constructor(initialRows: readonly Row[]) {
    this.initialRows = initialRows
    this.existing = new Set(initialRows)
  }

  get rows(): readonly Row[] {
    return [...this.existing]
  }

  /** Deleted rows whose ids were not used again. */
  get deletedRows(): readonly Row[] {
    return [...this.deleted].filter(
      ({ id, type }) => !this.rows.some((row) => row.id === id && TYPES.isSameOrDerivedType(row.type, type)),
    )
  }

  get paths(): readonly string[] {
    return this.rows.map(pathOf)
  }

  get deletedPaths(): readonly string[] {
    return this.deletedRows.map(pathOf)
  }

  has(row: Row): boolean {
    return this.existing.has(row)
  }

  follow({ method, path, body }: SentRequest, { status, body: document }: Response): void {
    if (status >= 300) return
    const sent = method === 'POST' && typeof body === 'string' ? JSON.parse(body) : body
    if (path !== '/operations') {
      this.write(method, path, document?.data ?? sent?.data)
      return
    }
    const results = document?.['atomic:results']
    for (const [index, { op, href, data }] of sent['atomic:operations'].entries())
      this.write(METHODS[op], href, results?.[index]?.data ?? data)
  }

  /** Relationship endpoints change no rows. `resource`: that of the response, or of the request if the response is empty. */
  private write(method: string | undefined, path: string, resource: Identifier | undefined): void {
    // The path of a request that writes nothing, such as OPTIONS, may be malformed.
    if (method !== 'POST' && method !== 'DELETE') return
    const [typeName = '', id, relationship] = segmentsOf(path)
    if (relationship !== undefined) return
    if (method === 'POST' && id === undefined && resource !== undefined) this.add(resource)
    if (method === 'DELETE' && id !== undefined) this.delete(typeName, id)
  }

  private add({ type, id }: Identifier): void {
    const template = this.initialRows.find((row) => row.type === type)
    if (template !== undefined) this.existing.add({ ...template, id, links: {} })
  }

  private delete(type: string, id: string): void {
    for (const row of this.rows) {
      if (row.id !== id || !TYPES.isSameOrDerivedType(row.type, type)) continue
      this.existing.delete(row)
      this.deleted.add(row)
    }
  }
}

const METHODS: Readonly<Record<string, string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

type Identifier = Readonly<{ type: string; id: string }>

function segmentsOf(path: string): readonly string[] {
  const { pathname } = new URL(path, 'http://localhost')
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent)
}
