import type { ApiSummary } from '../api-summary/api-summary'
import { printColumns, printCount, printIssue, printTypeSummaries } from '../api-summary/print-summary'
import type { ConfigurationIssue } from '../errors/configuration-error'
import type { RecommendedIndex } from '../store/recommended-index'

/** The result of checking a configuration. */
export interface ConfigurationReport {
  readonly issues: readonly ConfigurationIssue[]
  /** `undefined` if the configuration is invalid. */
  readonly summary?: ApiSummary
  readonly indexes?: readonly RecommendedIndex[]
}

/** Prints the report as JSON, with totals. */
export function toJson(report: ConfigurationReport): string {
  const { issues, summary, indexes } = report
  return JSON.stringify({ totals: totalsOf(report), issues, ...summary, indexes }, null, 2)
}

/** Prints the report as text: types, endpoints, missing indexes, issues, totals. */
export function printReport(report: ConfigurationReport): readonly string[] {
  const { issues, summary, indexes = [] } = report
  const wrong = section('Issues', issues.map(printIssue))
  if (summary === undefined) return [...wrong, printCount(issues.length, 'issue')]
  const { types, endpoints, options, warnings } = summary
  const others = warnings.filter(({ kind }) => kind !== 'missing-index')
  return [
    ...section('Resource types', printTypeSummaries(types)),
    ...section(
      'Endpoints',
      printColumns(endpoints.map(({ method, path, description }) => [method, path, description])),
    ),
    ...section('Options', printColumns(Object.entries(options))),
    ...section('Missing indexes', printColumns(missingOf(indexes).map(({ declareAt, sql }) => [declareAt, sql]))),
    ...section('Warnings', others.map(printIssue)),
    ...wrong,
    printTotals(totalsOf(report)),
  ]
}

type Totals = ReturnType<typeof totalsOf>

/** Totals, so that a run that has checked nothing is noticed. */
function totalsOf({ issues, summary, indexes = [] }: ConfigurationReport) {
  return {
    types: summary?.types.length ?? 0,
    endpoints: summary?.endpoints.length ?? 0,
    indexes: indexes.length,
    missingIndexes: missingOf(indexes).length,
    /** Includes the warnings about missing indexes. */
    warnings: summary?.warnings.length ?? 0,
    issues: issues.length,
  }
}

function printTotals({ types, endpoints, indexes, missingIndexes, warnings, issues }: Totals): string {
  return [
    printCount(types, 'resource type'),
    printCount(endpoints, 'endpoint'),
    `${printCount(indexes, 'recommended index', 'recommended indexes')}, ${missingIndexes} missing`,
    printCount(warnings - missingIndexes, 'other warning'),
    printCount(issues, 'issue'),
  ].join(', ')
}

function missingOf(indexes: readonly RecommendedIndex[]): readonly RecommendedIndex[] {
  return indexes.filter(({ isDeclared }) => !isDeclared)
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), '']
}
