import type { DatabaseName, Layout } from './databases'

/** The options of `worlds` and `oracle`. */
export interface RunOptions extends ReportOptions {
  readonly count: number
  readonly databases: readonly DatabaseName[]
  readonly layouts: readonly Layout[]
  /** Runs only this case. */
  readonly caseNumber?: number | undefined
}

/** A case with an unexpected result. */
export interface Difference {
  /** The argument of `--case`. */
  readonly position: number
  readonly request: string
  readonly problems: readonly string[]
}

export interface Report {
  readonly cases: number
  readonly differences: readonly Difference[]
  readonly kinds: ReadonlyMap<string, number>
  /** Counts a case of a kind that the exam must meet. */
  countKind(kind: string): void
  /** Counts a case and prints the progress. */
  countCases(cases?: number): void
  addDifference(difference: Difference): void
}

export interface ReportOptions {
  readonly seed: number
  readonly print: (text: string) => void
}

/** Further differences are counted but not printed. */
const MAX_PRINTED = 20

export function createReport(exam: string, { seed, print }: ReportOptions): Report {
  const kinds = new Map<string, number>()
  const differences: Difference[] = []
  const state = { cases: 0 }
  return {
    get cases() {
      return state.cases
    },
    differences,
    kinds,
    countKind(kind) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    },
    countCases(cases = 1) {
      const before = state.cases
      state.cases += cases
      if (Math.floor(before / 10_000) < Math.floor(state.cases / 10_000)) print(`${exam}: ${state.cases} cases done`)
    },
    addDifference(difference) {
      differences.push(difference)
      if (differences.length > MAX_PRINTED) return
      print(`DIFFERENCE in ${exam}, seed ${seed}, case ${difference.position}\n${difference.request}`)
      for (const problem of difference.problems) print(`  ${problem}`)
    },
  }
}

/** The last line of an exam. */
export function summarize(exam: string, { cases, differences, kinds }: Report, unit: string): string {
  const seen = [...kinds]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, count]) => `${count} ${kind}`)
  return `${seen.join(', ')}\n${exam}: ${cases} ${unit}, ${differences.length} differences`
}
