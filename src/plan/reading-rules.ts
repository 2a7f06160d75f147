import type { Definitions } from '../definitions/definitions'
import { overrides } from '../definitions/overrides'
import type { RecordHooks } from '../definitions/record-hooks'
import { InvariantError } from '../errors/invariant'
import { isViewable } from '../graph/capabilities'
import type { Field, Relationship, ResourceGraph, ResourceType, StoredType } from '../graph/resource-graph'
import type { Filter, SortKey } from '../query/ast'
import { parseFilterOfRule } from '../query/parse-filter'
import { parseSortOfRule } from '../query/parse-sort'

/**
 * What all definitions say about reading, each asked at most once: made anew for every request. Where rows of a layer can be of several
 * stored types, the rules of each hold for its own rows.
 */
export interface ReadingRules {
  /** What rows of a declared type must fulfil to be seen; `undefined` where there is no rule. */
  ruleOf(type: ResourceType): Filter | undefined
  /** Whether a field of rows of this type can be seen. */
  shows(type: StoredType, field: Field): boolean
  /** What is said of each record of this type that is shown. */
  hooksOf(type: StoredType): RecordHooks | undefined
  /** The order of rows for which the client names none. */
  sortOf(type: ResourceType): readonly SortKey[]
  /** The largest page that is given; `undefined` where there is no rule. */
  pageSizeOf(type: ResourceType): number | undefined
  /** The relationships to be included from rows of this type, given those that the client asked for. */
  includesOf(type: StoredType, asked: AskedIncludes): readonly Relationship[]
}

/** `notSent`: the client has not said anything of includes. */
export type AskedIncludes = 'notSent' | readonly Relationship[]

export function askReadingRules(definitions: Definitions, graph: ResourceGraph, context: unknown): ReadingRules {
  const asking: Asking = { definitions, graph, context }
  return {
    ruleOf: remember((type) => joinFilters(type, asking)),
    shows: askFields(asking),
    hooksOf: (type) => definitions.hooksOf(type, context),
    sortOf: remember((type) => commonSort(type, asking)),
    pageSizeOf: remember((type) => smallestPage(type, asking)),
    includesOf: (type, asked) => askIncludes(type, asked, asking),
  }
}

/** Who is asking, and who is asked. */
interface Asking {
  readonly definitions: Definitions
  readonly graph: ResourceGraph
  readonly context: unknown
}

/** The rule of a type holds for rows that are stored as exactly that type. */
function joinFilters(type: ResourceType, { definitions, graph, context }: Asking): Filter | undefined {
  const textOf = remember((concrete: StoredType) => definitions.of(concrete).filter(context))
  const ruled = type.concreteTypes.flatMap((concrete): readonly Filter[] => {
    const text = textOf(concrete)
    if (text === undefined) return []
    const exactly: Filter = { kind: 'isExactly', types: [concrete] }
    return [{ kind: 'logical', operator: 'and', terms: [exactly, parseFilterOfRule(text, concrete, graph)] }]
  })
  if (ruled.length === 0) return undefined
  const free = type.concreteTypes.filter((concrete) => textOf(concrete) === undefined)
  const terms: readonly Filter[] = free.length === 0 ? ruled : [{ kind: 'isExactly', types: free }, ...ruled]
  return terms.length === 1 ? terms[0] : { kind: 'logical', operator: 'or', terms }
}

function askFields({ definitions, context }: Asking): ReadingRules['shows'] {
  const namesOf = remember((type: StoredType): ReadonlySet<string> | undefined => {
    const definition = definitions.of(type)
    return overrides(definition, 'fields') ? definition.fields(new Set(type.fields.keys()), context) : undefined
  })
  return (type, field) => field === type.id || (isViewable(field) && (namesOf(type)?.has(field.name) ?? true))
}

/** Rows of several types are one list: its order is that on which all of them agree. */
function commonSort(type: ResourceType, { definitions, graph, context }: Asking): readonly SortKey[] {
  const texts = new Set(type.concreteTypes.map((concrete) => definitions.of(concrete).sort(context)))
  const [text] = texts
  return text === undefined || texts.size > 1 ? [] : parseSortOfRule(text, type, graph)
}

function smallestPage(type: ResourceType, { definitions, context }: Asking): number | undefined {
  const sizes = type.concreteTypes.flatMap((concrete) => definitions.of(concrete).page(context)?.size ?? [])
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

function askIncludes(
  type: StoredType,
  asked: AskedIncludes,
  { definitions, context }: Asking,
): readonly Relationship[] {
  const definition = definitions.of(type)
  const given = asked === 'notSent' ? [] : asked
  if (!overrides(definition, 'include')) return given
  const names = definition.include(
    given.map(({ name }) => name),
    asked === 'notSent' ? 'notSent' : 'sent',
    context,
  )
  if (names === undefined) return given
  const allowed = asked === 'notSent' ? type.relationships.filter(isViewable) : given
  return [...new Set(names)].flatMap((name) => allowed.find((each) => each.name === name) ?? checkKnown(name, type))
}

/** What the client did not ask for is left out; what does not exist is a mistake of the rule. */
function checkKnown(name: string, type: StoredType): readonly Relationship[] {
  if (type.relationships.some((relationship) => relationship.name === name)) return []
  throw new InvariantError(`The include rule of ${type.name} names '${name}', which is no relationship of it.`)
}

function remember<Key extends object, Value>(ask: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.has(key) ? (known.get(key) as Value) : ask(key)
    known.set(key, value)
    return value
  }
}
