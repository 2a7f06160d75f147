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
  readonly object: string
  readonly to: State
}

/** `docs 12` has the state `memos 7 tags 1,2`: the type, the number in all columns, the tags. */
export class WriteLog {
  private readonly states = new Map<string, State>()
  private uncertain: Uncertain[] = []
  /** Since the last check of the database. */
  private readonly touched = new Set<string>()

  /** The write was confirmed. */
  confirm(changes: readonly Change[]): void {
    for (const { object, to } of changes) {
      this.states.set(object, to)
      this.touched.add(object)
    }
  }

  /** The write was rejected: the state must be unchanged. */
  reject(changes: readonly Change[]): void {
    for (const { object } of changes) this.touched.add(object)
  }

  addUncertain(uncertain: Uncertain): void {
    this.uncertain.push(uncertain)
  }

  stateOf(object: string): State {
    return this.states.get(object)
  }

  /** The objects to check: all, or those changed since the last check. */
  objectsToCheck(extent: 'all' | 'changed'): readonly string[] {
    const uncertainObjects = this.uncertain.flatMap(({ changes }) => changes.map(({ object }) => object))
    return [...new Set([...(extent === 'all' ? this.states.keys() : this.touched), ...uncertainObjects])]
  }

  /** Compares the database with the log. Resolves uncertain writes, and returns their outcomes by name. */
  settle(
    found: ReadonlyMap<string, State>,
    objects: readonly string[],
    note: (problem: string) => void,
  ): { done: number; undone: number } {
    const outcome = { done: 0, undone: 0 }
    for (const { what, changes } of this.uncertain) {
      const isDone = changes.every(({ object, to }) => found.get(object) === to)
      const isUndone = changes.every(({ object }) => found.get(object) === this.states.get(object))
      if (isDone) this.confirm(changes)
      if (isDone) outcome.done += 1
      else if (isUndone) outcome.undone += 1
      else {
        const lines = changes.map(
          ({ object, to }) =>
            `${object}: was '${this.states.get(object)}', to be '${to}', found '${found.get(object)}'`,
        )
        note(`Without a response, and partly done: ${what}\n    ${lines.join('\n    ')}`)
      }
    }
    const uncertainObjects = new Set(this.uncertain.flatMap(({ changes }) => changes.map(({ object }) => object)))
    for (const object of objects) {
      if (uncertainObjects.has(object) || found.get(object) === this.states.get(object)) continue
      note(`${object}: the responses imply '${this.states.get(object)}', the database has '${found.get(object)}'`)
    }
    this.uncertain = []
    this.touched.clear()
    return outcome
  }
}
