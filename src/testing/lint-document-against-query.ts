import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, isObject, type UnknownObject } from './json'
import type { ParsedExchange } from './parsed-exchange'
import {
  type LocatedResource,
  relationshipObjectEntries,
  resourceKeyOf,
  resourceKeysInData,
  resourceObjectsInDocument,
} from './resources'

/** Checks that a document matches its query string. */
export function lintDocumentAgainstQuery(document: UnknownObject, context: ParsedExchange): readonly Finding[] {
  if (context.status >= 300) return []
  const fieldsets = fieldsetsOf(context)
  return [...lintFieldsets(document, fieldsets), ...lintInclusion(document, context, fieldsets)]
}

/** Field names by type. */
type FieldNamesByType = ReadonlyMap<string, ReadonlySet<string>>

function fieldsetsOf({ parameters }: ParsedExchange): FieldNamesByType {
  const types = [...parameters.keys()].flatMap((name) => /^fields\[([^[\]]+)\]$/.exec(name)?.[1] ?? [])
  return new Map(types.map((type) => [type, new Set(parameters.getAll(`fields[${type}]`).flatMap(splitList))]))
}

function splitList(text: string): readonly string[] {
  return text.split(',')
}

/** https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets */
function lintFieldsets(document: UnknownObject, fieldsets: FieldNamesByType): readonly Finding[] {
  if (fieldsets.size === 0) return []
  return resourceObjectsInDocument(document).flatMap(({ object, pointer, location }) => {
    const fields = fieldsets.get(String(object.type))
    if (fields === undefined) return []
    return (['attributes', 'relationships'] as const).flatMap((kind) => {
      const requirement = location === 'included' ? 'SF-5' : kind === 'attributes' ? 'SF-1' : 'SF-2'
      return namesOf(object[kind])
        .filter((name) => !fields.has(name))
        .flatMap((name) =>
          createListWithOneFindingAtPointer(
            appendToPointer(pointer, kind, name),
            requirement,
            `Expected ${[...fields].join(', ')}, found '${name}'.`,
          ),
        )
    })
  })
}

function namesOf(fields: unknown): readonly string[] {
  return isObject(fields) ? Object.keys(fields).filter((name) => !/^@|:/.test(name)) : []
}

/** https://jsonapi.org/format/1.1/#fetching-includes */
function lintInclusion(
  document: UnknownObject,
  context: ParsedExchange,
  fieldsets: FieldNamesByType,
): readonly Finding[] {
  const { data, included } = document
  const includes = context.parameters.getAll('include')
  if (includes.length === 0 || data === undefined) return []
  if (included === undefined)
    return createListWithOneFindingAtPointer('', 'IN-4', "Expected a member 'included', found none.")
  const paths = includes.flatMap(splitList).filter((path) => path !== '')
  // Fieldsets may hide the relationship that leads to a resource, and servers may support more in a path than names.
  if (fieldsets.size > 0 || !paths.every(isPlain)) return []
  return lintPaths(resourceObjectsInDocument(document), paths, context)
}

function isPlain(path: string): boolean {
  return /^[^\s!-,/:-@[\\\]^`{-~]+$/.test(path)
}

function lintPaths(
  resources: readonly LocatedResource[],
  paths: readonly string[],
  { path }: ParsedExchange,
): readonly Finding[] {
  const byKey = new Map(resources.map((each) => [resourceKeyOf(each.object), each]))
  const roots = resources.filter(({ location }) => location === 'primary').map(({ object }) => object)
  const [, relationship] = /\/relationships\/([^/]+)\/?$/.exec(path) ?? []
  const reached = new Set(paths.flatMap((each) => keysAlongPath(each.split('.'), { roots, byKey, relationship })))
  return resources
    .filter(({ object, location }) => location === 'included' && !reached.has(resourceKeyOf(object)))
    .flatMap(({ object, pointer }) =>
      createListWithOneFindingAtPointer(
        pointer,
        'IN-5',
        `Expected what ${paths.join(', ') || 'an empty include'} leads to, found ${resourceKeyOf(object)}.`,
      ),
    )
}

interface PathStartingPoint {
  readonly roots: readonly UnknownObject[]
  readonly byKey: ReadonlyMap<string, LocatedResource>
  /** The relationship of a relationship endpoint, with which paths start. */
  readonly relationship: string | undefined
}

/** Returns all resources along a path. */
function keysAlongPath(steps: readonly string[], { roots, byKey, relationship }: PathStartingPoint): readonly string[] {
  const [first = '', ...others] = steps
  const isOwn = relationship === first || relationship === encodeURIComponent(first)
  const resolve = (keys: readonly string[]) => keys.map((key) => byKey.get(key)?.object).filter(isObject)
  const reached = isOwn ? roots.map(resourceKeyOf) : []
  let from = isOwn ? resolve(reached) : roots
  for (const step of isOwn ? others : steps) {
    const keys = [...new Set(from.flatMap((each) => linkedKeys(each, step)))]
    reached.push(...keys)
    from = resolve(keys)
  }
  return reached
}

function linkedKeys(resource: UnknownObject, name: string): readonly string[] {
  return relationshipObjectEntries(resource).flatMap(([each, relationship]) =>
    each === name ? resourceKeysInData(relationship.data) : [],
  )
}
