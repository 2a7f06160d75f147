import type { Finding } from './exchange'
import { inDocument, NOTHING } from './finding'
import { below, isObject, type JsonObject } from './json'
import type { Reading } from './reading'
import { keyOf, keysOf, type Placed, relationshipsOf, resourcesIn } from './resources'

/** Whether a document is what its query string asked for. */
export function lintParameters(document: JsonObject, reading: Reading): readonly Finding[] {
  if (reading.status >= 300) return NOTHING
  const fieldsets = fieldsetsOf(reading)
  return [...lintFieldsets(document, fieldsets), ...lintInclusion(document, reading, fieldsets)]
}

/** Names of fields by type. */
type Fieldsets = ReadonlyMap<string, ReadonlySet<string>>

function fieldsetsOf({ parameters }: Reading): Fieldsets {
  const types = [...parameters.keys()].flatMap((name) => /^fields\[([^[\]]+)\]$/.exec(name)?.[1] ?? [])
  return new Map(types.map((type) => [type, new Set(parameters.getAll(`fields[${type}]`).flatMap(splitList))]))
}

function splitList(text: string): readonly string[] {
  return text.split(',')
}

/** https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets */
function lintFieldsets(document: JsonObject, fieldsets: Fieldsets): readonly Finding[] {
  if (fieldsets.size === 0) return NOTHING
  return resourcesIn(document).flatMap(({ object, pointer, place }) => {
    const fields = fieldsets.get(String(object.type))
    if (fields === undefined) return NOTHING
    return (['attributes', 'relationships'] as const).flatMap((kind) => {
      const requirement = place === 'included' ? 'SF-5' : kind === 'attributes' ? 'SF-1' : 'SF-2'
      return namesOf(object[kind])
        .filter((name) => !fields.has(name))
        .map((name) =>
          inDocument(
            below(below(pointer, kind), name),
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
function lintInclusion(document: JsonObject, reading: Reading, fieldsets: Fieldsets): readonly Finding[] {
  const { data, included } = document
  const asked = reading.parameters.getAll('include')
  if (asked.length === 0 || data === undefined) return NOTHING
  if (included === undefined) return [inDocument('', 'IN-4', "Expected a member 'included', found none.")]
  const paths = asked.flatMap(splitList).filter((path) => path !== '')
  // Fieldsets may hide what leads to a resource, and a server may have more to say in a path than names.
  if (fieldsets.size > 0 || !paths.every(isPlain)) return NOTHING
  return lintPaths(resourcesIn(document), paths, reading)
}

function isPlain(path: string): boolean {
  return /^[^\s!-,/:-@[\\\]^`{-~]+$/.test(path)
}

function lintPaths(resources: readonly Placed[], paths: readonly string[], { path }: Reading): readonly Finding[] {
  const byKey = new Map(resources.map((each) => [keyOf(each.object), each]))
  const roots = resources.filter(({ place }) => place === 'primary').map(({ object }) => object)
  const [, relationship] = /\/relationships\/([^/]+)\/?$/.exec(path) ?? []
  const reached = new Set(paths.flatMap((each) => reachedBy(each.split('.'), { roots, byKey, relationship })))
  return resources
    .filter(({ object, place }) => place === 'included' && !reached.has(keyOf(object)))
    .map(({ object, pointer }) =>
      inDocument(
        pointer,
        'IN-5',
        `Expected what ${paths.join(', ') || 'an empty include'} leads to, found ${keyOf(object)}.`,
      ),
    )
}

interface Start {
  readonly roots: readonly JsonObject[]
  readonly byKey: ReadonlyMap<string, Placed>
  /** Of a relationship endpoint: a path starts with it. */
  readonly relationship: string | undefined
}

/** All that the steps of a path lead to, on its way too. */
function reachedBy(steps: readonly string[], { roots, byKey, relationship }: Start): readonly string[] {
  const [first = '', ...others] = steps
  const isOwn = relationship === first || relationship === encodeURIComponent(first)
  const resolve = (keys: readonly string[]) => keys.map((key) => byKey.get(key)?.object).filter(isObject)
  const reached = isOwn ? roots.map(keyOf) : []
  let from = isOwn ? resolve(reached) : roots
  for (const step of isOwn ? others : steps) {
    const keys = [...new Set(from.flatMap((each) => linkedBy(each, step)))]
    reached.push(...keys)
    from = resolve(keys)
  }
  return reached
}

function linkedBy(resource: JsonObject, name: string): readonly string[] {
  return relationshipsOf(resource).flatMap(([each, relationship]) => (each === name ? keysOf(relationship.data) : []))
}
