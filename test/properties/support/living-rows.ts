import type { Response } from 'supertest'
import { TYPES } from '../../../exams/oracle/model'
import type { Row } from '../../../exams/shared/rows'
import type { RequestOptions } from '../../support/server'
import { pathOf } from './paths'

export interface Sent extends RequestOptions {
  readonly method: string
  readonly path: string
}

/** Which rows there are, by what was sent and how it was answered: a write that succeeds counts as what it says, others as nothing. */
export class LivingRows {
  private readonly known: readonly Row[]
  private readonly living: Set<Row>
  private readonly dead = new Set<Row>()

  constructor(known: readonly Row[]) {
    this.known = known
    this.living = new Set(known)
  }

  get rows(): readonly Row[] {
    return [...this.living]
  }

  /** Rows that were deleted, and whose id no later row of their type has. */
  get gone(): readonly Row[] {
    return [...this.dead].filter(({ id, type }) => !this.rows.some((row) => row.id === id && TYPES.isA(row.type, type)))
  }

  get paths(): readonly string[] {
    return this.rows.map(pathOf)
  }

  get gonePaths(): readonly string[] {
    return this.gone.map(pathOf)
  }

  has(row: Row): boolean {
    return this.living.has(row)
  }

  follow({ method, path, body }: Sent, { status, body: document }: Response): void {
    if (status >= 300) return
    const sent = method === 'POST' && typeof body === 'string' ? JSON.parse(body) : body
    if (path !== '/operations') {
      this.write(method, path, document?.data ?? sent?.data)
      return
    }
    const results = document?.['atomic:results']
    for (const [index, { op, href, data }] of sent['atomic:operations'].entries()) {
      this.write(METHODS[op], href, results?.[index]?.data ?? data)
    }
  }

  /** Relationships come and go without rows. `made`: the resource that was answered, or sent where nothing was left to answer. */
  private write(method: string | undefined, path: string, made: Identifier | undefined): void {
    const [typeName = '', id, relationship] = segmentsOf(path)
    if (relationship !== undefined) return
    if (method === 'POST' && id === undefined && made !== undefined) this.add(made)
    if (method === 'DELETE' && id !== undefined) this.delete(typeName, id)
  }

  /** It is like another one of its type. */
  private add({ type, id }: Identifier): void {
    const like = this.known.find((row) => row.type === type)
    if (like !== undefined) this.living.add({ ...like, id, links: {} })
  }

  private delete(type: string, id: string): void {
    for (const row of this.rows) {
      if (row.id !== id || !TYPES.isA(row.type, type)) continue
      this.living.delete(row)
      this.dead.add(row)
    }
  }
}

/** What an operation does alone. */
const METHODS: Readonly<Record<string, string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

interface Identifier {
  readonly type: string
  readonly id: string
}

function segmentsOf(path: string): readonly string[] {
  const { pathname } = new URL(path, 'http://localhost')
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent)
}
