// Records the responses to clients, and the resulting expected state of the database.

/** The expected state of an object that only one client writes; `undefined`: it does not exist. */
export type State = string | undefined

/** A write with an unknown outcome. It must be executed completely or not at all. */
export interface Uncertain {
  readonly kind: string
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
  /** Objects with a response since the last check of the database. */
  private readonly changedObjects = new Set<string>()

  /** The write was confirmed. */
  confirm(changes: readonly Change[]): void {
    for (const { object, to } of changes) {
      this.states.set(object, to)
      this.changedObjects.add(object)
    }
  }

  /** The write was rejected: the state must be unchanged. */
  reject(changes: readonly Change[]): void {
    for (const { object } of changes) this.changedObjects.add(object)
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
    return [...new Set([...(extent === 'all' ? this.states.keys() : this.changedObjects), ...uncertainObjects])]
  }

  /** Compares the database with the log. Resolves uncertain writes, and returns their outcomes by name. */
  settle(
    actualStates: ReadonlyMap<string, State>,
    objects: readonly string[],
    addProblem: (problem: string) => void,
  ): { executed: number; notExecuted: number } {
    const outcome = { executed: 0, notExecuted: 0 }
    for (const { kind: request, changes } of this.uncertain) {
      const isExecuted = changes.every(({ object, to }) => actualStates.get(object) === to)
      const isNotExecuted = changes.every(({ object }) => actualStates.get(object) === this.states.get(object))
      if (isExecuted) this.confirm(changes)
      if (isExecuted) outcome.executed += 1
      else if (isNotExecuted) outcome.notExecuted += 1
      else {
        const lines = changes.map(
          ({ object, to }) =>
            `${object}: was '${this.states.get(object)}', expected '${to}', found '${actualStates.get(object)}'`,
        )
        addProblem(`Partially executed, without a response: ${request}\n    ${lines.join('\n    ')}`)
      }
    }
    const uncertainObjects = new Set(this.uncertain.flatMap(({ changes }) => changes.map(({ object }) => object)))
    for (const object of objects) {
      if (uncertainObjects.has(object) || actualStates.get(object) === this.states.get(object)) continue
      addProblem(
        `${object}: the responses imply '${this.states.get(object)}', the database has '${actualStates.get(object)}'`,
      )
    }
    this.uncertain = []
    this.changedObjects.clear()
    return outcome
  }
}
