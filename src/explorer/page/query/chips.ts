import type { ApiModel } from '../core/api-model'
import type { QueryParameters } from '../core/api-types'
import { describeRow, parseFilterBuilderRows, printFilterBuilderRows } from '../core/filter-conditions'
import type { QuerySection } from './sections'

/** A part of the query, with the query without it. */
export interface Chip {
  readonly text: string
  readonly without: QueryParameters
}

export interface QueryTarget {
  readonly type: string
  readonly model: ApiModel
}

export function chipsOf(section: QuerySection, query: QueryParameters, at: QueryTarget): readonly Chip[] {
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
      return memberChips(query.fields, (type, names) => `${type}: ${names.join(', ') || 'none'}`).map(
        ({ text, rest }) => ({ text, without: { ...query, fields: rest } }),
      )
    case 'Page':
      return memberChips(query.page, (name, value) => `${name} ${value}`).map(({ text, rest }) => ({
        text,
        without: { ...query, page: rest },
      }))
    case 'Text':
      return query.others.map((other) => ({
        text: other.join('='),
        without: { ...query, others: query.others.filter((each) => each !== other) },
      }))
  }
}

function filterChips(query: QueryParameters, { type, model }: QueryTarget): readonly Chip[] {
  const { joint, rows } = parseFilterBuilderRows(query.filter, type, model)
  return rows.map((row, index) => {
    const filter = printFilterBuilderRows({ joint, rows: rows.filter((each) => each !== row) }, type, model)
    return { text: `${index > 0 && joint === 'or' ? 'or ' : ''}${describeRow(row)}`, without: { ...query, filter } }
  })
}

function memberChips<Member>(
  members: Readonly<Record<string, Member>>,
  describe: (name: string, value: Member) => string,
): readonly { readonly text: string; readonly rest: Readonly<Record<string, Member>> }[] {
  const entries = Object.entries(members)
  return entries.map(([name, value]) => ({
    text: describe(name, value),
    rest: Object.fromEntries(entries.filter(([each]) => each !== name)),
  }))
}
