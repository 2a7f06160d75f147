import { useEffect, useState } from 'preact/hooks'
import type { ApiModel } from '../core/api-model'
import { buildApiPath } from '../core/api-url'
import { printFilterBuilderRows } from '../core/filter-conditions'
import { toQueryString } from '../core/query'
import { isGood, send } from '../core/requests'
import { labelOf, resourcesOf } from '../core/resources'
import { isFreeTextSchema } from '../core/schema'
import type { Picked } from './picked'

export interface Search {
  readonly found: readonly Picked[]
  readonly isLoading: boolean
}

const PAUSE_IN_TYPING = 180
const SHOWN = 8

/** Searches resources of a type by their text attributes. `undefined`: searches nothing yet. */
export function useSearch(text: string | undefined, target: string, model: ApiModel): Search {
  const [search, setSearch] = useState<{ readonly text?: string; readonly found: readonly Picked[] }>({ found: [] })
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    const timer = setTimeout(
      async () => {
        const found = await find(text, target, model)
        if (isCurrent) setSearch({ text, found })
      },
      text === '' ? 0 : PAUSE_IN_TYPING,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, target, model])
  return { found: search.found, isLoading: search.text !== text }
}

async function find(text: string, target: string, model: ApiModel): Promise<readonly Picked[]> {
  const operation = model.operation('get', target)
  if (operation === undefined) return []
  const parameters = model.parametersOf(operation)
  const filter = parameters.has('filter') ? searchFilter(text, target, model) : ''
  const page: Record<string, string> = parameters.has('page') ? { size: String(SHOWN) } : {}
  const query = { filter, sort: [], include: [], fields: {}, page, others: [] }
  const answer = await send({ method: 'GET', url: buildApiPath(target) + toQueryString(query) })
  if (!isGood(answer)) return []
  return resourcesOf(answer.document).map((resource) => ({
    identifier: { type: resource.type, id: resource.id },
    label: labelOf(resource, model),
  }))
}

/** The most attributes that a search compares. */
const COMPARED = 3

function searchFilter(text: string, target: string, model: ApiModel): string {
  if (text === '') return ''
  const searched = model
    .fieldsAt(target)
    .filter(
      ({ kind, schema, capabilities }) =>
        kind === 'attribute' && isFreeTextSchema(schema) && capabilities.includes('filter'),
    )
  const rows = searched.slice(0, COMPARED).map(({ name }) => ({ path: name, operator: 'contains', value: text }))
  return printFilterBuilderRows({ joint: 'or', rows }, target, model)
}
