import type { ConfigurationIssue } from '../errors/configuration-error'
import type { ApiSummary, TypeSummary } from './api-summary'

/**
 * Prints the summary that is logged at startup.
 *
 * ```
 * stemma serves 3 resource types from better-sqlite3:
 *   /humans   abstract  1 attribute   5 relationships
 *     /men              2 attributes  6 relationships  ManDefinition
 *     /women            2 attributes  6 relationships  WomanDefinition
 *   /operations         Up to 100 operations in one transaction
 * ```
 */
export function printSummary(summary: ApiSummary): string {
  const { database, types, options, warnings } = summary
  return [
    `stemma serves ${printCount(types.length, 'resource type')} from ${database}:`,
    ...printTypeSummaries(types).map((line) => `  ${line}`),
    ...printColumns(endpointsOfNoType(summary)).map((line) => `  ${line}`),
    ...Object.entries(options).map(([name, value]) => `  ${name}: ${value}`),
    ...warnings.map((warning) => `  warning: ${printIssue(warning)}`),
  ].join('\n')
}

function endpointsOfNoType({ endpoints }: ApiSummary): readonly (readonly string[])[] {
  return endpoints.flatMap(({ type, path, method, description }) =>
    type === undefined ? [[path, method, description]] : [],
  )
}

/** Prints one line per type, indented below its base type. */
export function printTypeSummaries(types: readonly TypeSummary[]): readonly string[] {
  const byName = new Map(types.map((type) => [type.name, type]))
  const depthOf = ({ base = '' }: TypeSummary): number => {
    const parent = byName.get(base)
    return parent === undefined ? 0 : depthOf(parent) + 1
  }
  return printColumns(
    types.map((type) => [
      `${'  '.repeat(depthOf(type))}/${type.name}`,
      type.isAbstract ? 'abstract' : '',
      printCount(type.attributes.length, 'attribute'),
      printCount(type.relationships.length, 'relationship'),
      type.definition ?? '',
    ]),
  )
}

/** Aligns the cells of each column. */
export function printColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const shown = widths.flatMap((width, column) => (width === 0 ? [] : [{ width, column }]))
  return rows.map((row) =>
    shown
      .map(({ width, column }) => (row[column] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  )
}

export function printIssue({ location, message, remedy }: ConfigurationIssue): string {
  return `${location}: ${message} ${remedy}`
}

export function printCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
