import type { ConfigurationIssue } from '../errors/configuration-error'
import type { ApiSummary, TypeSummary } from './api-summary'

/**
 * Formats the summary that is logged at startup.
 *
 * ```
 * stemma serves 3 resource types from better-sqlite3:
 *   /humans   abstract  1 attribute   5 relationships
 *     /men              2 attributes  6 relationships  ManDefinition
 *     /women            2 attributes  6 relationships  WomanDefinition
 *   /operations         Up to 100 operations in one transaction
 * ```
 */
export function formatApiSummary(summary: ApiSummary): string {
  const { database, types, options, warnings } = summary
  return [
    `stemma serves ${formatCount(types.length, 'resource type')} from ${database}:`,
    ...formatTypeSummaries(types).map((line) => `  ${line}`),
    ...formatTextTableLines(endpointsOfNoType(summary)).map((line) => `  ${line}`),
    ...Object.entries(options).map(([name, value]) => `  ${name}: ${value}`),
    ...warnings.map((warning) => `  warning: ${formatConfigurationIssue(warning)}`),
  ].join('\n')
}

function endpointsOfNoType({ endpoints }: ApiSummary): readonly (readonly string[])[] {
  return endpoints.flatMap(({ type, path, method, description }) =>
    type === undefined ? [[path, method, description]] : [],
  )
}

/** Formats one line per type, indented below its base type. */
export function formatTypeSummaries(types: readonly TypeSummary[]): readonly string[] {
  const byName = new Map(types.map((type) => [type.name, type]))
  const depthOf = ({ base = '' }: TypeSummary): number => {
    const parent = byName.get(base)
    return parent === undefined ? 0 : depthOf(parent) + 1
  }
  return formatTextTableLines(
    types.map((type) => [
      `${'  '.repeat(depthOf(type))}/${type.name}`,
      type.isAbstract ? 'abstract' : '',
      formatCount(type.attributes.length, 'attribute'),
      formatCount(type.relationships.length, 'relationship'),
      formatDefinition(type),
    ]),
  )
}

function formatDefinition({ definition = '', definitionInheritedFrom: base }: TypeSummary): string {
  return base === undefined ? definition : `${definition} of ${base}`
}

/** Returns one line per row, with the cells of each column aligned. */
export function formatTextTableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const shown = widths.flatMap((width, column) => (width === 0 ? [] : [{ width, column }]))
  return rows.map((row) =>
    shown
      .map(({ width, column }) => (row[column] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  )
}

export function formatConfigurationIssue({ location, message, remedy }: ConfigurationIssue): string {
  return `${location}: ${message} ${remedy}`
}

export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
