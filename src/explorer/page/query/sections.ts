import type { OpenApiParameter } from '../core/api-types'

/** The parts of a query that have a form. `Text` is the whole query string. */
const QUERY_SECTIONS = ['Filter', 'Sort', 'Include', 'Fields', 'Page', 'Text'] as const

export type QuerySection = (typeof QUERY_SECTIONS)[number]

/** Returns the sections for the parameters of an endpoint. */
export function querySectionsFor(parameters: ReadonlyMap<string, OpenApiParameter>): readonly QuerySection[] {
  const known = QUERY_SECTIONS.filter((section) => parameters.has(section.toLowerCase()))
  return parameters.size === 0 ? [] : [...known, 'Text']
}

/** `fields[men]` -> `Fields` */
export function querySectionOfParameter(parameter: string): QuerySection {
  const [family = ''] = parameter.split('[')
  const isWhole = ['fields', 'page'].includes(family) || family === parameter
  return QUERY_SECTIONS.find((section) => isWhole && section.toLowerCase() === family) ?? 'Text'
}
