import type { PageOptions } from '../../declarations/field-options'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { suggestName } from '../../errors/nearest-name'
import { DEFAULT_OPTIONS } from '../options/options'

/** Whether page options make sense; `inherited` is what holds where they say nothing. */
export function checkPage(location: string, said: Partial<PageOptions>, inherited: PageOptions): ConfigurationIssue[] {
  if (!isObject(said)) return [{ location, message: `its page is ${String(said)}.`, remedy: GIVE_SOME }]
  const unknown = Object.keys(said).filter((name) => !NAMES.includes(name))
  if (unknown.length > 0) return [unknownMembers(location, unknown)]
  const wrong = Object.entries(said).filter(([, value]) => value !== null && !isCount(value))
  if (wrong.length > 0) {
    return wrong.map(([name, value]) => ({
      location: location,
      message: `its page.${name} is ${String(value)}.`,
      remedy: 'Give a whole number from 1 on, or null for no limit.',
    }))
  }
  const { size, maxSize } = { ...inherited, ...said }
  if (size === null || maxSize === null || !isCount(size) || !isCount(maxSize) || size <= maxSize) return []
  return [
    {
      location,
      message: `its page.size of ${size} is over its page.maxSize of ${maxSize}.`,
      remedy: 'Give both, the size not over the maximum.',
    },
  ]
}

/** Of a text the letters are members. */
function unknownMembers(location: string, unknown: readonly string[]): ConfigurationIssue {
  const [first = ''] = unknown
  const message = `its page has no '${unknown.join("', '")}'.${suggestName(first, NAMES)}`
  return { location, message, remedy: GIVE_SOME }
}

const NAMES = Object.keys(DEFAULT_OPTIONS.page)
const GIVE_SOME = `Give some of ${NAMES.join(', ')}.`

/** Texts have letters for members, and are told so. */
function isObject(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1
}
