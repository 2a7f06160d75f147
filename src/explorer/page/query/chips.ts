import type { ParsedQueryString } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { describeFilterRow, parseFilterBuilderRows, printFilterBuilderRows } from '../core/filter-conditions'
import type { QuerySection } from './sections'

/** A part of the query, with the query without it. */
export interface QueryChip {
  readonly text: string
  readonly without: ParsedQueryString
}

export interface ExplorerQueryContext {
  readonly type: string
  readonly model: ExplorerApiModel
}

export function listQueryChipsOfSection(
  section: QuerySection,
  query: ParsedQueryString,
  at: ExplorerQueryContext,
): readonly QueryChip[] {
  switch (section) {
    case 'Filter':
      return filterChips(query, at)
    case 'Sort':
      return query.sort.map((key) => ({
        text: key.startsWith('-') ? `${key.slice(1)} ↓` : `${key} ↑`,
        without: { ...query, sort: query.sort.filter((each) => each !== key) },
      }))
    case 'Include':
      return query.include.map((path) => ({
        text: path,
        without: { ...query, include: query.include.filter((each) => each !== path) },
      }))
    case 'Fields':
      return Object.entries(query.fields).map(([type, names]) => ({
        text: `${type}: ${names.join(', ') || 'none'}`,
        without: { ...query, fields: withoutMember(query.fields, type) },
      }))
    case 'Page':
      return Object.entries(query.page).map(([name, value]) => ({
        text: `${name} ${value}`,
        without: { ...query, page: withoutMember(query.page, name) },
      }))
    case 'Text':
      return query.others.map((other) => ({
        text: other.join('='),
        without: { ...query, others: query.others.filter((each) => each !== other) },
      }))
  }
}

function filterChips(query: ParsedQueryString, { type, model }: ExplorerQueryContext): readonly QueryChip[] {
  const { joint, rows } = parseFilterBuilderRows(query.filter, type, model)
  return rows.map((row, index) => {
    const filter = printFilterBuilderRows({ joint, rows: rows.filter((each) => each !== row) }, type, model)
    return {
      text: `${index > 0 && joint === 'or' ? 'or ' : ''}${describeFilterRow(row)}`,
      without: { ...query, filter },
    }
  })
}

export function withoutMember<Member>(members: Readonly<Record<string, Member>>, name: string): Record<string, Member> {
  const { [name]: _removed, ...rest } = members
  return rest
}
