import type { Response } from 'supertest'
import { isA } from '../../../src/graph/inheritance'
import type { ResourceType, StoredType } from '../../../src/graph/resource-graph'
import type { Sending } from '../../support/server'
import type { Row } from './rows'
import type { Known } from './world'

export interface Sent extends Sending {
  readonly method: string
  readonly path: string
}

/** Which rows there are, by what was sent and how it was answered: a write that succeeds counts as what it says, others as nothing. */
export class LivingRows {
  private readonly known: Known
  private readonly living: Set<Row>
  private readonly dead = new Set<Row>()

  constructor(known: Known) {
    this.known = known
    this.living = new Set(known.rows)
  }

  get rows(): readonly Row[] {
    return [...this.living]
  }

  /** Those that were deleted. */
  get gone(): readonly Row[] {
    return [...this.dead]
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
    if (path !== '/operations') {
      this.write(method, path, document?.data)
      return
    }
    const { 'atomic:operations': operations } = typeof body === 'string' ? JSON.parse(body) : body
    for (const [index, { op, href }] of operations.entries()) {
      this.write(METHODS[op], href, document?.['atomic:results'][index]?.data)
    }
  }

  /** Relationships come and go without rows. `made`: the resource that was answered. */
  private write(method: string | undefined, path: string, made: Identifier | undefined): void {
    const [typeName = '', id, relationship] = segmentsOf(path)
    if (relationship !== undefined) return
    if (method === 'POST' && id === undefined && made !== undefined) this.add(made)
    if (method === 'DELETE' && id !== undefined) this.delete(this.known.graph.types.get(typeName), id)
  }

  /** It is like another one of its type. */
  private add({ type, id }: Identifier): void {
    const like = this.known.rows.find((row) => row.type.name === type)
    if (like !== undefined) this.living.add({ ...like, id, related: new Map() })
  }

  private delete(type: ResourceType | undefined, id: string): void {
    for (const row of this.rows) {
      if (row.id !== id || type === undefined || !isA(row.type, type)) continue
      this.living.delete(row)
      this.dead.add(row)
    }
  }
}

/** What an operation does alone. */
const METHODS: Readonly<Record<string, string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

interface Identifier {
  readonly type: StoredType['name']
  readonly id: string
}

export function pathOf({ type, id }: Row): string {
  return `/${type.name}/${encodeURIComponent(id)}`
}

function segmentsOf(path: string): readonly string[] {
  const { pathname } = new URL(path, 'http://localhost')
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent)
}
