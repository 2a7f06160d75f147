import type { FilterExpression } from './filter'
import type { SortKey } from './query'

/** Any query, untyped. */
export interface UntypedClientQuery extends AnyNode {
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>
}

interface AnyNode {
  readonly include?: Readonly<Record<string, true | AnyNode | undefined>>
  readonly filter?: FilterExpression
  readonly sort?: readonly SortKey[]
  readonly page?: { readonly size?: number; readonly number?: number; readonly after?: string }
}

/** The layers of a query by path: `''` is the primary data, `children.wife` the included resources. */
type Layers = readonly (readonly [path: string, node: AnyNode])[]

type UrlParameter = [name: string, value: string]

/** Returns a query string such as `?include=wife&page%5Bsize%5D=2`, or an empty string. */
export function toQueryString(query: UntypedClientQuery): string {
  const layers = layersOf('', query)
  const parameters: UrlParameter[] = [
    ...includeOf(layers),
    ...Object.entries(query.fields ?? {}).flatMap(([type, fields]) =>
      fields === undefined ? [] : [parameter(`fields[${type}]`, fields.join(','))],
    ),
    ...layers.flatMap(([path, { filter }]) =>
      filter === undefined ? [] : [parameter(scoped('filter', path), filter.text)],
    ),
    ...layers.flatMap(([path, { sort }]) =>
      sort === undefined ? [] : [parameter(scoped('sort', path), keysOf(sort))],
    ),
    ...pagesOf(layers),
  ]
  const text = String(new URLSearchParams(parameters))
  return text === '' ? '' : `?${text}`
}

function layersOf(path: string, node: AnyNode): Layers {
  const includedLayers = Object.entries(node.include ?? {}).flatMap(([name, each]) => {
    if (each === undefined) return []
    return layersOf(path === '' ? name : `${path}.${name}`, each === true ? {} : each)
  })
  return [[path, node], ...includedLayers]
}

function includeOf(layers: Layers): UrlParameter[] {
  const paths = layers.slice(1).map(([path]) => path)
  return paths.length === 0 ? [] : [parameter('include', paths.join(','))]
}

function parameter(name: string, value: string): UrlParameter {
  return [name, value]
}

function scoped(parameter: string, path: string): string {
  return path === '' ? parameter : `${parameter}[${path}]`
}

function keysOf(sort: readonly SortKey[]): string {
  return sort.map(({ key }) => key).join(',')
}

function pagesOf(layers: Layers): UrlParameter[] {
  const after = layers[0]?.[1].page?.after ?? 'start'
  return [
    ...(['size', 'number'] as const).flatMap((part) => {
      const parts = layers.flatMap(([path, { page }]) => partOf(path, page?.[part]))
      return parts.length === 0 ? [] : [parameter(`page[${part}]`, parts.join(','))]
    }),
    ...(after === 'start' ? [] : [parameter('page[after]', after)]),
  ]
}

function partOf(path: string, value: number | undefined): string[] {
  if (value === undefined) return []
  return [path === '' ? String(value) : `${path}:${value}`]
}
