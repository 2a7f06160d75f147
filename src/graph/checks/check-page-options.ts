import { isOptionsObject } from '../../declarations/decorators'
import type { PageOptions } from '../../declarations/field-options'
import { givenOptions } from '../../declarations/given-options'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { DEFAULT_API_OPTIONS } from '../options/options'
import {
  createSingleConfigurationIssueList,
  findUnknownOptionNameIssues,
  formatOptionValue,
  isPositiveInteger,
} from './option-checks'

/** Checks page options. Missing ones are taken from `inherited`: the options of the base type or of `createJsonApi`. */
export function findPageOptionIssues(
  location: string,
  page: Partial<PageOptions>,
  inherited: PageOptions,
): ConfigurationIssue[] {
  if (!isOptionsObject(page))
    return createSingleConfigurationIssueList(location, `its page is ${formatOptionValue(page)}.`, NAMES_REMEDY)
  const unknown = findUnknownOptionNameIssues({ location, messageStart: 'its page has' }, page, NAMES, NAMES_REMEDY)
  if (unknown.length > 0) return unknown
  const given = givenOptions(page)
  const invalid = Object.entries(given).filter(([, value]) => value !== null && !isPositiveInteger(value))
  if (invalid.length > 0) {
    return invalid.flatMap(([name, value]) =>
      createSingleConfigurationIssueList(
        location,
        `its page.${name} is ${formatOptionValue(value)}.`,
        'Give a whole number from 1 on, or null for no limit.',
      ),
    )
  }
  const { size, maxSize } = { ...inherited, ...given }
  if (!isPositiveInteger(size) || !isPositiveInteger(maxSize) || size <= maxSize) return []
  const message = `its page.size of ${size} is over its page.maxSize of ${maxSize}.`
  return createSingleConfigurationIssueList(location, message, 'Give a size that is at most the maximum.')
}

const NAMES = Object.keys(DEFAULT_API_OPTIONS.page)
const NAMES_REMEDY = `Give some of ${NAMES.join(', ')}.`
