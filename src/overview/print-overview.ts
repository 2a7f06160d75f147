import type { ConfigurationProblem } from '../errors/configuration-error'
import type { ApiOverview, TypeOverview } from './overview'

/**
 * What is told at start-up.
 *
 * ```
 * stemma serves 3 resource types from better-sqlite3:
 *   /humans   abstract  1 attribute   5 relationships
 *     /men              2 attributes  6 relationships  ManDefinition
 *     /women            2 attributes  6 relationships  WomanDefinition
 *   /operations         Up to 100 operations, of which all are kept or none
 * ```
 */
export function printOverview(overview: ApiOverview): string {
  const { database, types, options, warnings } = overview
  return [
    `stemma serves ${count(types.length, 'resource type')} from ${database}:`,
    ...printTypes(types).map((line) => `  ${line}`),
    ...printColumns(endpointsOfNoType(overview)).map((line) => `  ${line}`),
    ...Object.entries(options).map(([name, value]) => `  ${name}: ${value}`),
    ...warnings.map((warning) => `  warning: ${printProblem(warning)}`),
  ].join('\n')
}

function endpointsOfNoType({ endpoints }: ApiOverview): readonly (readonly string[])[] {
  return endpoints.flatMap(({ type, path, method, does }) => (type === undefined ? [[path, method, does]] : []))
}

/** A line for each, below its base. */
export function printTypes(types: readonly TypeOverview[]): readonly string[] {
  const byName = new Map(types.map((type) => [type.name, type]))
  const depthOf = ({ base = '' }: TypeOverview): number => {
    const above = byName.get(base)
    return above === undefined ? 0 : depthOf(above) + 1
  }
  return printColumns(
    types.map((type) => [
      `${'  '.repeat(depthOf(type))}/${type.name}`,
      type.isAbstract ? 'abstract' : '',
      count(type.attributes.length, 'attribute'),
      count(type.relationships.length, 'relationship'),
      type.definition ?? '',
    ]),
  )
}

/** Each as wide as its widest cell. */
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

export function printProblem({ at, problem, remedy }: ConfigurationProblem): string {
  return `${at}: ${problem} ${remedy}`
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
