import type { Filter, Include, Listing, Operand, Place, Query, Step } from './ast'

/** Prints the URL of a query. */
export function printUrl(query: Query): string {
  const pairs = printParameters(query)
  const text = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return `${printPath(query.place)}${text === '' ? '' : `?${text}`}`
}

export function printPath(place: Place): string {
  if (place.kind === 'collection') return `/${place.type}`
  const resource = `/${place.type}/${encodeURIComponent(place.id)}`
  if (place.kind === 'resource') return resource
  return place.kind === 'related' ? `${resource}/${place.field}` : `${resource}/relationships/${place.field}`
}

/** Names and values before escaping. */
export function printParameters({ place, listing, includes, fields }: Query): readonly (readonly [string, string])[] {
  // At a relationship endpoint, include paths start with its own name, and scopes follow it.
  const start: readonly string[] = place.kind === 'linkage' ? [place.field] : []
  const scoped = includes === undefined ? [] : scopesOf(includes, [])
  const listings = [{ path: '', listing }, ...scoped]
  const paths = includes === undefined ? undefined : pathsOf(includes, start)
  return [
    ...listings.flatMap((each) =>
      each.listing.filters.map((filter) => [named('filter', each.path), printFilter(filter)] as const),
    ),
    ...listings.flatMap(({ path, listing: { sort } }) =>
      sort.length === 0
        ? []
        : [
            [
              named('sort', path),
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
  listings: readonly { path: string; listing: Listing }[],
): readonly (readonly [string, string])[] {
  const parts = listings.flatMap(({ path, listing }) => {
    const value = listing[member]
    return value === undefined ? [] : [path === '' ? String(value) : `${path}:${value}`]
  })
  return parts.length === 0 ? [] : [[`page[${member}]`, parts.join()]]
}

function named(family: string, path: string): string {
  return path === '' ? family : `${family}[${path}]`
}

function pathsOf(includes: readonly Include[], above: readonly string[]): readonly string[] {
  const own = above.length > 0 && includes.length === 0 ? [above.join('.')] : []
  return [
    ...own,
    ...includes.flatMap(({ step, below }) => {
      const path = [...above, printStep(step)]
      return below.length === 0 ? [path.join('.')] : pathsOf(below, path)
    }),
  ]
}

function scopesOf(
  includes: readonly Include[],
  above: readonly string[],
): readonly { path: string; listing: Listing }[] {
  return includes.flatMap(({ step, listing, below }) => {
    const path = [...above, printStep(step)]
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
    case 'all':
      return `and(${filter.terms.map(printFilter).join()})`
    case 'some':
      return `or(${filter.terms.map(printFilter).join()})`
    case 'not':
      return `not(${printFilter(filter.term)})`
    case 'has':
      return `has(${printSteps([...filter.steps, filter.end])}${nested(filter.filter)})`
    case 'isType':
      return `isType(${printSteps(filter.steps)},${filter.type}${nested(filter.filter)})`
  }
}

function nested(filter: Filter | undefined): string {
  return filter === undefined ? '' : `,${printFilter(filter)}`
}

function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'literal':
      return quote(operand.text)
    case 'truth':
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
