import type { ApiSummary } from '../api-summary/api-summary'
import { formatApiSummary, formatConfigurationIssue } from '../api-summary/format-summary'
import type { TypeWithProcessEtagSecret } from '../endpoints/revisions'
import type { ConfigurationIssue } from '../errors/configuration-error'
import type { ConfigurationWarning } from '../errors/configuration-warning'
import { formatOptionValue } from '../graph/checks/option-checks'
import type { ResourceType } from '../graph/model/resource-graph'
import type { RecommendedIndex } from '../store/recommended-index'

export type StartupLogOption = (typeof STARTUP_LOG_OPTIONS)[number] | ((summary: ApiSummary) => void)
const STARTUP_LOG_OPTIONS = ['summary', 'warnings', false] as const

/** What is logged at startup. The summary is made only if the option needs it. */
interface StartupReport {
  readonly warnings: readonly ConfigurationWarning[]
  readonly summary: () => ApiSummary
}

/** Logs at startup. No other code of the library prints by default. */
export function logStartup({ warnings, summary }: StartupReport, option: StartupLogOption = defaultOption()): void {
  if (typeof option === 'function') option(summary())
  else if (option === 'summary') console.warn(formatApiSummary(summary()))
  else if (option === 'warnings')
    for (const warning of warnings) console.warn(`stemma: ${formatConfigurationIssue(warning)}`)
}

/** Returns the default of `startupLog`. Node's test runner sets `NODE_TEST_CONTEXT` in place of `NODE_ENV`. */
function defaultOption(): StartupLogOption {
  const { NODE_ENV, NODE_TEST_CONTEXT } = process.env
  const isDevelopment = NODE_ENV !== 'production' && NODE_ENV !== 'test' && NODE_TEST_CONTEXT === undefined
  return isDevelopment ? 'summary' : 'warnings'
}

export function findStartupLogOptionIssues(option: unknown): readonly ConfigurationIssue[] {
  if (option === undefined || typeof option === 'function' || STARTUP_LOG_OPTIONS.some((each) => each === option))
    return []
  const known = STARTUP_LOG_OPTIONS.map(formatOptionValue).join(', ')
  return [
    {
      location: 'createJsonApi',
      message: `its startupLog is ${formatOptionValue(option)}.`,
      remedy: `Give ${known} or a function.`,
    },
  ]
}

/** The sources of the warnings. */
interface WarningSources {
  readonly indexes: readonly RecommendedIndex[]
  readonly withProcessEtagSecret: readonly TypeWithProcessEtagSecret[]
  readonly differences: readonly ConfigurationWarning[]
}

/** Returns the warnings about an API. */
export function findConfigurationWarnings({
  indexes,
  withProcessEtagSecret,
  differences,
}: WarningSources): readonly ConfigurationWarning[] {
  return [
    ...indexes.filter(({ isDeclared }) => !isDeclared).map(missingIndex),
    ...(withProcessEtagSecret.length === 0 ? [] : [missingEtagSecret(withProcessEtagSecret)]),
    ...differences,
  ]
}

function missingIndex({ declareAt, table, columns, usedBy }: RecommendedIndex): ConfigurationWarning {
  const tableColumns = `${table}(${columns.join(', ')})`
  return {
    kind: 'missing-index',
    location: declareAt,
    message: `no index on ${tableColumns} is declared, so the database may scan the whole table for ${usedBy.join(' and ')}.`,
    remedy:
      "Add @Index() to the property, or @Index('its name', { synchronize: false }) if migrations create the index.",
  }
}

function missingEtagSecret(uses: readonly TypeWithProcessEtagSecret[]): ConfigurationWarning {
  const [versioned, others] = [uses.filter((use) => use.isVersioned), uses.filter((use) => !use.isVersioned)]
  const names = [
    ...(others.length === 0 ? [] : [formatNames(others.map(({ type }) => type))]),
    ...(versioned.length === 0 ? [] : [`relationships of ${formatNames(versioned.map(({ type }) => type))}`]),
  ].join(', and of ')
  const isVersionEnough = uses.every(({ hashesLinkage }) => !hashesLinkage)
  const filtered = [...new Set(uses.flatMap(({ filteredTargets }) => filteredTargets))]
  const reasons = [
    ...(uses.some(({ filteredTargets }) => filteredTargets.length === 0) ? ['some values are hidden'] : []),
    ...(filtered.length === 0 ? [] : [`a filter can hide related ${formatNames(filtered)}`]),
  ]
  return {
    kind: 'missing-etag-secret',
    location: 'createJsonApi',
    message: `it has no etagSecret: the ETags of ${names} are valid only in this process, because ${reasons.join(', or ')}. Other processes, and this one after a restart, return 412.`,
    remedy: `Set the same etagSecret in all processes${isVersionEnough ? ', or add a version column to these types' : ''}.`,
  }
}

function formatNames(types: readonly ResourceType[]): string {
  return types.map(({ name }) => `'${name}'`).join(', ')
}
