import type { ApiSummary, TypeSummary } from '../api-summary/api-summary'
import {
  formatConfigurationIssue,
  formatCount,
  formatTextTableLines,
  formatTypeSummaries,
} from '../api-summary/format-summary'
import type { ConfigurationIssue } from '../errors/configuration-error'
import type { RecommendedIndex } from '../store/recommended-index'

/** The result of checking a configuration. */
export interface ConfigurationReport {
  readonly issues: readonly ConfigurationIssue[]
  /** `undefined` if the configuration is invalid. */
  readonly summary?: ApiSummary
  readonly indexes?: readonly RecommendedIndex[]
}

/** Formats the report as JSON, with totals. */
export function formatConfigurationReportAsJson(report: ConfigurationReport): string {
  const { issues, summary, indexes } = report
  return JSON.stringify({ totals: totalsOf(report), issues, ...summary, indexes }, null, 2)
}

/** Formats the report as text: types, guarded relationships, options, missing indexes, warnings, issues, totals. */
export function formatConfigurationReportLines(report: ConfigurationReport): readonly string[] {
  const { issues, summary, indexes = [] } = report
  if (summary === undefined) return formatConfigurationIssueLines(issues)
  const { types, options, warnings } = summary
  const others = warnings.filter(({ kind }) => kind !== 'missing-index')
  return [
    ...section('Resource types', formatTypeSummaries(types)),
    ...section('Guarded relationships', formatTextTableLines(types.flatMap(guardedRelationshipsOf))),
    ...section('Options', formatTextTableLines(Object.entries(options))),
    ...section(
      'Missing indexes',
      formatTextTableLines(missingOf(indexes).map(({ declareAt, sql }) => [declareAt, sql])),
    ),
    ...section('Warnings', others.map(formatConfigurationIssue)),
    ...section('Issues', issues.map(formatConfigurationIssue)),
    printTotals(totalsOf(report)),
  ]
}

/** Formats the issues of a configuration from which no API can be created. */
export function formatConfigurationIssueLines(issues: readonly ConfigurationIssue[]): readonly string[] {
  return [...section('Issues', issues.map(formatConfigurationIssue)), formatCount(issues.length, 'issue')]
}

function guardedRelationshipsOf({ name, definition = '', guardedRelationships }: TypeSummary) {
  return guardedRelationships.map(({ relationship, hooks }) => [
    `${name}.${relationship}`,
    definition,
    hooks.join(', '),
  ])
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
    formatCount(types, 'resource type'),
    formatCount(endpoints, 'endpoint'),
    `${formatCount(indexes, 'recommended index', 'recommended indexes')}, ${missingIndexes} missing`,
    formatCount(warnings - missingIndexes, 'other warning'),
    formatCount(issues, 'issue'),
  ].join(', ')
}

function missingOf(indexes: readonly RecommendedIndex[]): readonly RecommendedIndex[] {
  return indexes.filter(({ isDeclared }) => !isDeclared)
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), '']
}
