import { useEffect, useState } from 'preact/hooks'
import { joinApiPath } from '../core/api-url'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { printFilterBuilderRows } from '../core/filter-conditions'
import { toQueryString } from '../core/query'
import { formatStatus, hasSuccessStatus, send } from '../core/requests'
import { labelOfResource, primaryResourcesOf } from '../core/resources'
import { isFreeTextSchema } from '../core/schema'
import type { IdentifierWithLabel } from './identifier-with-label'

interface ResourceSearchState {
  readonly found: readonly IdentifierWithLabel[]
  /** Why the search failed, or `''`. */
  readonly failure: string
  readonly isLoading: boolean
}

const PAUSE_IN_TYPING = 180
const SHOWN = 8

/** Searches resources of a type by their text attributes. `undefined`: searches nothing yet. */
export function useResourceSearch(
  text: string | undefined,
  target: string,
  model: ExplorerApiModel,
): ResourceSearchState {
  const [search, setSearch] = useState<Result & { readonly text?: string }>(NOTHING)
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    const timer = setTimeout(
      async () => {
        const result = await find(text, target, model)
        if (isCurrent) setSearch({ text, ...result })
      },
      text === '' ? 0 : PAUSE_IN_TYPING,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, target, model])
  return { found: search.found, failure: search.failure, isLoading: search.text !== text }
}

type Result = Pick<ResourceSearchState, 'found' | 'failure'>

const NOTHING: Result = { found: [], failure: '' }

async function find(text: string, target: string, model: ExplorerApiModel): Promise<Result> {
  const operation = model.operation('get', target)
  if (operation === undefined) return NOTHING
  const parameters = model.parametersOf(operation)
  const filter = parameters.has('filter') ? searchFilter(text, target, model) : ''
  const page: Record<string, string> = parameters.has('page') ? { size: String(SHOWN) } : {}
  const query = { filter, sort: [], include: [], fields: {}, page, others: [] }
  const response = await send({ method: 'GET', url: joinApiPath(target) + toQueryString(query) })
  if (!hasSuccessStatus(response)) return { found: [], failure: `The search failed: ${formatStatus(response)}.` }
  const found = primaryResourcesOf(response.document).map((resource) => ({
    identifier: { type: resource.type, id: resource.id },
    label: labelOfResource(resource, model),
  }))
  return { found, failure: '' }
}

/** The most attributes that a search compares. */
const COMPARED = 3

function searchFilter(text: string, target: string, model: ExplorerApiModel): string {
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
