/** A case with an unexpected result. */
export interface Difference {
  /** The argument of `--case`. */
  readonly place: number
  readonly request: string
  readonly problems: readonly string[]
}

export interface Report {
  readonly cases: number
  readonly differences: readonly Difference[]
  readonly kinds: ReadonlyMap<string, number>
  /** Counts a case of a kind that the exam must meet. */
  saw(kind: string): void
  /** Counts a case and prints the progress. */
  counted(cases?: number): void
  differs(difference: Difference): void
}

export interface Printing {
  readonly seed: number
  readonly print: (text: string) => void
}

/** Further differences are counted but not printed. */
const PRINTED = 20

export function reportOn(exam: string, { seed, print }: Printing): Report {
  const kinds = new Map<string, number>()
  const differences: Difference[] = []
  const state = { cases: 0 }
  return {
    get cases() {
      return state.cases
    },
    differences,
    kinds,
    saw(kind) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    },
    counted(cases = 1) {
      const before = state.cases
      state.cases += cases
      if (Math.floor(before / 10_000) < Math.floor(state.cases / 10_000)) print(`${exam}: ${state.cases} done`)
    },
    differs(difference) {
      differences.push(difference)
      if (differences.length > PRINTED) return
      print(`DIFFERENCE in ${exam}, seed ${seed}, case ${difference.place}\n${difference.request}`)
      for (const problem of difference.problems) print(`  ${problem}`)
    },
  }
}

/** The last line of an exam. */
export function conclude(exam: string, { cases, differences, kinds }: Report, unit: string): string {
  const seen = [...kinds]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, count]) => `${count} ${kind}`)
  return `${seen.join(', ')}\n${exam}: ${cases} ${unit}, ${differences.length} differences`
}
