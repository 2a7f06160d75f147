// Records the responses to clients, and the resulting expected state of the database.

/** The expected state of an object that only one client writes; `undefined`: it does not exist. */
export type State = string | undefined

/** A write with unknown outcome: it was done completely or not at all. */
export interface Uncertain {
  readonly what: string
  readonly changes: readonly Change[]
}

export interface Change {
  /** `docs 12`, `seats 3`, `entries 8`, `events abc`. */
  readonly thing: string
  readonly to: State
}

/** `docs 12` has the state `memos 7 tags 1,2`: the type, the number in all columns, the tags. */
export class Book {
  private readonly states = new Map<string, State>()
  private uncertain: Uncertain[] = []
  /** Since the last check of the database. */
  private readonly touched = new Set<string>()

  /** The write was confirmed. */
  acknowledge(changes: readonly Change[]): void {
    for (const { thing, to } of changes) {
      this.states.set(thing, to)
      this.touched.add(thing)
    }
  }

  /** The write was rejected: the state must be unchanged. */
  refuse(changes: readonly Change[]): void {
    for (const { thing } of changes) this.touched.add(thing)
  }

  doubt(uncertain: Uncertain): void {
    this.uncertain.push(uncertain)
  }

  stateOf(thing: string): State {
    return this.states.get(thing)
  }

  /** The objects to check: all, or those changed since the last check. */
  toLookAt(extent: 'all' | 'changed'): readonly string[] {
    const doubted = this.uncertain.flatMap(({ changes }) => changes.map(({ thing }) => thing))
    return [...new Set([...(extent === 'all' ? this.states.keys() : this.touched), ...doubted])]
  }

  /** Compares the database with the book. Resolves uncertain writes, and returns their outcomes by name. */
  settle(
    found: ReadonlyMap<string, State>,
    things: readonly string[],
    note: (problem: string) => void,
  ): { done: number; undone: number } {
    const outcome = { done: 0, undone: 0 }
    for (const { what, changes } of this.uncertain) {
      const isDone = changes.every(({ thing, to }) => found.get(thing) === to)
      const isUndone = changes.every(({ thing }) => found.get(thing) === this.states.get(thing))
      if (isDone) this.acknowledge(changes)
      if (isDone) outcome.done += 1
      else if (isUndone) outcome.undone += 1
      else {
        const lines = changes.map(
          ({ thing, to }) => `${thing}: was '${this.states.get(thing)}', to be '${to}', found '${found.get(thing)}'`,
        )
        note(`Without an answer, and half done: ${what}\n    ${lines.join('\n    ')}`)
      }
    }
    const doubted = new Set(this.uncertain.flatMap(({ changes }) => changes.map(({ thing }) => thing)))
    for (const thing of things) {
      if (doubted.has(thing) || found.get(thing) === this.states.get(thing)) continue
      note(`${thing}: clients were told '${this.states.get(thing)}', the database has '${found.get(thing)}'`)
    }
    this.uncertain = []
    this.touched.clear()
    return outcome
  }
}
