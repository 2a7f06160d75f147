import type { Endpoint, Filter, Include, ListQuery, Operand, Query, Step } from './ast'

/** Prints the URL of a query. */
export function printUrl(query: Query): string {
  const parameters = printParameters(query)
  const text = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return `${printPath(query.endpoint)}${text === '' ? '' : `?${text}`}`
}

export function printPath(endpoint: Endpoint): string {
  if (endpoint.kind === 'collection') return `/${endpoint.type}`
  const resource = `/${endpoint.type}/${encodeURIComponent(endpoint.id)}`
  if (endpoint.kind === 'resource') return resource
  return endpoint.kind === 'related' ? `${resource}/${endpoint.field}` : `${resource}/relationships/${endpoint.field}`
}

/** Names and values before escaping. */
export function printParameters({
  endpoint,
  listing,
  includes,
  fields,
}: Query): readonly (readonly [string, string])[] {
  // At a relationship endpoint, include paths start with its own name, and scopes follow it.
  const start: readonly string[] = endpoint.kind === 'linkage' ? [endpoint.field] : []
  const scoped = includes === undefined ? [] : scopesOf(includes, [])
  const listings = [{ path: '', listing }, ...scoped]
  const paths = includes === undefined ? undefined : pathsOf(includes, start)
  return [
    ...listings.flatMap((each) =>
      each.listing.filters.map((filter) => [parameterName('filter', each.path), printFilter(filter)] as const),
    ),
    ...listings.flatMap(({ path, listing: { sort } }) =>
      sort.length === 0
        ? []
        : [
            [
              parameterName('sort', path),
              sort.map(({ isDescending, by }) => `${isDescending ? '-' : ''}${printOperand(by)}`).join(),
            ] as const,
          ],
    ),
    ...(paths === undefined ? [] : [['include', paths.join()] as const]),
    ...[...fields].map(([type, names]) => [`fields[${type}]`, names.join()] as const),
    ...pagePart('size', listings),
    ...pagePart('number', listings),
  ]
}

function pagePart(
  member: 'size' | 'number',
  listings: readonly { path: string; listing: ListQuery }[],
): readonly (readonly [string, string])[] {
  const parts = listings.flatMap(({ path, listing }) => {
    const value = listing[member]
    return value === undefined ? [] : [path === '' ? String(value) : `${path}:${value}`]
  })
  return parts.length === 0 ? [] : [[`page[${member}]`, parts.join()]]
}

function parameterName(family: string, path: string): string {
  return path === '' ? family : `${family}[${path}]`
}

function pathsOf(includes: readonly Include[], parentPath: readonly string[]): readonly string[] {
  const ownPath = parentPath.length > 0 && includes.length === 0 ? [parentPath.join('.')] : []
  return [
    ...ownPath,
    ...includes.flatMap(({ step, below }) => {
      const path = [...parentPath, printStep(step)]
      return below.length === 0 ? [path.join('.')] : pathsOf(below, path)
    }),
  ]
}

function scopesOf(
  includes: readonly Include[],
  parentPath: readonly string[],
): readonly { path: string; listing: ListQuery }[] {
  return includes.flatMap(({ step, listing, below }) => {
    const path = [...parentPath, printStep(step)]
    return [{ path: path.join('.'), listing }, ...scopesOf(below, path)]
  })
}

function printStep({ prefix, field }: Step): string {
  return prefix === undefined ? field : `${prefix}:${field}`
}

function printSteps(steps: readonly Step[]): string {
  return steps.map(printStep).join('.')
}

export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${filter.by}(${printOperand(filter.left)},${printOperand(filter.right)})`
    case 'isNull':
      return `equals(${printOperand(filter.operand)},null)`
    case 'isEmpty':
      return `equals(${printSteps(filter.steps)},null)`
    case 'match':
      return `${filter.by}(${printOperand(filter.left)},${quote(filter.text)})`
    case 'any':
      return `any(${[filter.left, ...filter.values].map(printOperand).join()})`
    case 'and':
      return `and(${filter.terms.map(printFilter).join()})`
    case 'or':
      return `or(${filter.terms.map(printFilter).join()})`
    case 'not':
      return `not(${printFilter(filter.term)})`
    case 'has':
      return `has(${printSteps([...filter.steps, filter.end])}${printNested(filter.filter)})`
    case 'isType':
      return `isType(${printSteps(filter.steps)},${filter.type}${printNested(filter.filter)})`
  }
}

function printNested(filter: Filter | undefined): string {
  return filter === undefined ? '' : `,${printFilter(filter)}`
}

function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'literal':
      return quote(operand.text)
    case 'filter':
      return printFilter(operand.filter)
    case 'count':
      return `count(${printSteps([...operand.steps, operand.end])})`
    case 'attribute':
      return printSteps([...operand.steps, operand.end])
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
