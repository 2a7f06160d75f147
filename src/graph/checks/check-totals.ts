import { TOTAL_OPTIONS } from '../../declarations/field-options'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { showChoice } from './show-choice'

/** Whether it is a way to count. The code may be JavaScript: any value can be here. */
export function checkTotals(location: string, totals: unknown): ConfigurationIssue[] {
  if (totals === undefined || TOTAL_OPTIONS.some((each) => each === totals)) return []
  const names = TOTAL_OPTIONS.map(showChoice).join(', ')
  const remedy = `Give one of ${names}, or { maxCount: 1000 } with a whole number from 1 on.`
  if (typeof totals !== 'object' || totals === null) {
    return [{ location, message: `its totals are ${showChoice(totals)}.`, remedy }]
  }
  const maxCount = 'maxCount' in totals ? totals.maxCount : undefined
  const [other] = Object.keys(totals).filter((name) => name !== 'maxCount')
  if (other !== undefined && maxCount !== undefined)
    return [{ location, message: `its totals have no '${other}'.`, remedy }]
  if (Number.isSafeInteger(maxCount) && Number(maxCount) >= 1) return []
  return [{ location, message: `its totals.maxCount is ${String(maxCount)}.`, remedy }]
}
