import { TOTAL_OPTIONS } from '../declarations/field-options'
import type { ConfigurationProblem } from '../errors/configuration-error'

/** Whether it is a way to count. The code may be JavaScript: any value can be here. */
export function checkTotals(at: string, totals: unknown): ConfigurationProblem[] {
  if (totals === undefined || TOTAL_OPTIONS.some((each) => each === totals)) return []
  const names = TOTAL_OPTIONS.map((each) => `'${each}'`).join(', ')
  const remedy = `Give one of ${names}, or { upTo: 1000 } with a whole number from 1 on.`
  if (typeof totals !== 'object' || totals === null) {
    return [{ at, problem: `its totals are '${String(totals)}'.`, remedy }]
  }
  const upTo = 'upTo' in totals ? totals.upTo : undefined
  const [other] = Object.keys(totals).filter((name) => name !== 'upTo')
  if (other !== undefined && upTo !== undefined) return [{ at, problem: `its totals have no '${other}'.`, remedy }]
  if (Number.isSafeInteger(upTo) && Number(upTo) >= 1) return []
  return [{ at, problem: `its totals.upTo is ${String(upTo)}.`, remedy }]
}
