import type { OpenApiParameter } from '../core/api-types'

/** The parts of a query that have a form. `Text` is the whole query string. */
export const SECTIONS = ['Filter', 'Sort', 'Include', 'Fields', 'Page', 'Text'] as const

export type Section = (typeof SECTIONS)[number]

/** Returns the sections for the parameters of an endpoint. */
export function sectionsFor(parameters: ReadonlyMap<string, OpenApiParameter>): readonly Section[] {
  const known = SECTIONS.filter((section) => parameters.has(section.toLowerCase()))
  return parameters.size === 0 ? [] : [...known, 'Text']
}

/** `fields[men]` -> `Fields` */
export function sectionOf(parameter: string): Section {
  const [family = ''] = parameter.split('[')
  const isWhole = ['fields', 'page'].includes(family) || family === parameter
  return SECTIONS.find((section) => isWhole && section.toLowerCase() === family) ?? 'Text'
}
