/** As strong as the specification is where it is strongest; `derived`: it follows from other rules. */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'RECOMMENDED' | 'MAY' | 'derived' | 'note'

/** `response`: every response must hold it. `request`: there is a request that shows it. `design`: nothing that is sent shows it. */
export type Kind = 'response' | 'request' | 'design'

export interface Requirement {
  readonly id: string
  readonly level: Level
  readonly kind: Kind
  readonly title: string
}

/** The requirements under one heading. */
export interface Section {
  readonly title: string
  readonly requirements: readonly Requirement[]
}

type Row = readonly [id: string, level: Level, kind: Kind, title: string]

export function section(title: string, rows: readonly Row[]): Section {
  return { title, requirements: rows.map(([id, level, kind, text]) => ({ id, level, kind, title: text })) }
}
