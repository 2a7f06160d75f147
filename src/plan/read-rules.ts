import type { Definitions } from '../definitions/definitions'
import { assertSynchronous, checkFieldNames, type HookWithResult } from '../definitions/hook-results'
import { overrides } from '../definitions/overrides'
import { RECORD_HOOKS, type RecordHooks } from '../definitions/record-hooks'
import type { ResourceDefinition } from '../definitions/resource-definition'
import { InvariantError } from '../errors/invariant'
import { type IsHidden, isViewable, NOTHING_HIDDEN } from '../graph/model/capabilities'
import { hasField, isA, selfAndAncestors } from '../graph/model/inheritance'
import type { Field, Relationship, ResourceGraph, ResourceType, StoredType } from '../graph/model/resource-graph'
import { parseFilterOfRule } from '../query/parsing/parse-filter'
import { parseSortOfRule } from '../query/parsing/parse-sort'
import { QuerySyntaxError } from '../query/parsing/query-syntax-error'
import type { Filter, SortKey } from '../query/tree/ast'

/**
 * What all definitions say about reading to who is asking, each asked at most once for a request. Where rows of a layer can be of several
 * stored types, the rules of each hold for its own rows.
 */
export interface ReadRules {
  /** What rows of a declared type must fulfil to be seen; `undefined` where there is no rule. */
  ruleOf(type: ResourceType): Filter | undefined
  /** Whether there can be such a rule, for any type and whoever asks. */
  readonly hasFilters: boolean
  /** Whether a field of rows of this type can be seen. */
  isVisible(type: StoredType, field: Field): boolean
  /** What the rules of all stored types below a type hide: to the client it is as if it did not exist. */
  isHidden: IsHidden
  /** What is said of each record of this type that is shown. */
  hooksOf(type: StoredType): RecordHooks | undefined
  /** Whether what documents show of rows of this type is not the same for everybody. */
  hasSerializationHooks(type: StoredType): boolean
  /** The order of rows for which the client names none. */
  sortOf(type: ResourceType): readonly SortKey[]
  /** The largest page that is given; `undefined` where there is no rule. */
  pageSizeOf(type: ResourceType): number | undefined
  /** The relationships to be included from rows of this type, given those that the client asked for. */
  includesOf(type: StoredType, asked: RequestedIncludes): readonly Relationship[]
}

/** `notSent`: the client has not said anything of includes. */
export type RequestedIncludes = 'notSent' | readonly Relationship[]

/** For who is asking. */
type EvaluateRules<Rules> = (context: unknown) => Rules

/** At start-up. Rules that no definition has a say in are the same for everybody, and made once. */
export function buildReadRules(definitions: Definitions, graph: ResourceGraph): EvaluateRules<ReadRules> {
  const onceUnless = <Rules>(
    hooks: readonly (keyof ResourceDefinition)[],
    ask: EvaluateRules<Rules>,
  ): EvaluateRules<Rules> => {
    if (definitions.overridesAny(hooks)) return ask
    const rules = ask(undefined)
    return () => rules
  }
  const asked = <Said>(type: StoredType, hook: HookWithResult, ask: (definition: ResourceDefinition) => Said): Said => {
    const definition = definitions.of(type)
    return assertSynchronous(ask(definition), hook, definition, type)
  }
  const hasFilters = definitions.overridesAny(['filter'])
  const askRules = onceUnless(['filter'], (context) => {
    const filterOf = memoize((type: StoredType) => asked(type, 'filter', (definition) => definition.filter(context)))
    return memoize((type: ResourceType) => joinFilters(type, filterOf, graph))
  })
  const askSort = onceUnless(['sort'], (context) => {
    const sortOf = memoize((type: StoredType) => asked(type, 'sort', (definition) => definition.sort(context)))
    return memoize((type: ResourceType) => commonSort(type, sortOf, graph))
  })
  const askPage = onceUnless(['page'], (context) => {
    const pageOf = memoize((type: StoredType) => asked(type, 'page', (definition) => definition.page(context)))
    return memoize((type: ResourceType) => smallestPage(type, pageOf))
  })
  const askNamed = onceUnless(['fields'], (context) => evaluateFieldsHook(definitions, context))
  const askIncluded = onceUnless(['include'], (context) => evaluateIncludeHook(definitions, context))
  return onceUnless(READ_HOOKS, (context) => ({
    ruleOf: askRules(context),
    hasFilters,
    ...visibilityBy(askNamed(context), definitions),
    hooksOf: (type) => definitions.hooksOf(type, context),
    hasSerializationHooks: definitions.hasSerializationHooks,
    sortOf: askSort(context),
    pageSizeOf: askPage(context),
    includesOf: askIncluded(context),
  }))
}

const READ_HOOKS = ['filter', 'sort', 'page', 'fields', 'include', ...RECORD_HOOKS] as const

type HookResultOf<Name extends 'filter' | 'sort' | 'page'> = (type: StoredType) => ReturnType<ResourceDefinition[Name]>

/** The rule of a type holds for rows that are stored as exactly that type. */
function joinFilters(type: ResourceType, filterOf: HookResultOf<'filter'>, graph: ResourceGraph): Filter | undefined {
  const texts = new Set(type.concreteTypes.flatMap((concrete) => filterOf(concrete) ?? []))
  if (texts.size === 0) return undefined
  const ruled = [...texts].flatMap((text) => {
    const types = type.concreteTypes.filter((concrete) => filterOf(concrete) === text)
    const common = readAtBase(text, types, graph)
    if (common !== undefined) return [ofTypes(types, common)]
    return types.map((each) => {
      return ofTypes(
        [each],
        readRule('filter', text, each, () => parseFilterOfRule(text, each, graph)),
      )
    })
  })
  const free = type.concreteTypes.filter((concrete) => filterOf(concrete) === undefined)
  const terms: readonly Filter[] = free.length === 0 ? ruled : [{ kind: 'isExactly', types: free }, ...ruled]
  return terms.length === 1 ? terms[0] : { kind: 'logical', operator: 'or', terms }
}

function ofTypes(types: readonly StoredType[], filter: Filter): Filter {
  return { kind: 'logical', operator: 'and', terms: [{ kind: 'isExactly', types }, filter] }
}

/**
 * What types have from the definition of a base, read once for all of them: a statement would else have it as often as there are types, and a
 * rule about related rows of the same hierarchy that many times for each. `undefined`: its names stand for a field of each type.
 */
function readAtBase(text: string, types: readonly StoredType[], graph: ResourceGraph): Filter | undefined {
  const [first, ...others] = types
  if (first === undefined || others.length === 0) return undefined
  const base = selfAndAncestors(first).find((each) => others.every((other) => isA(other, each)))
  if (base === undefined || !types.every((each) => [...base.fields.values()].every((field) => hasField(each, field))))
    return undefined
  try {
    return parseFilterOfRule(text, base, graph)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}

/** Whether the rule of a type names a field: it may be one without the capability to be seen. */
type IsNamed = (type: StoredType, field: Field) => boolean

function evaluateFieldsHook(definitions: Definitions, context: unknown): IsNamed {
  const shownOf = memoize((type: StoredType): ReadonlySet<string> | undefined => {
    const definition = definitions.of(type)
    if (!overrides(definition, 'fields')) return undefined
    return checkFieldNames(definition.fields(new Set(type.fields.keys()), context), 'fields', definition, type)
  })
  return (type, field) => field === type.id || (shownOf(type)?.has(field.name) ?? true)
}

function visibilityBy(isNamed: IsNamed, definitions: Definitions): Pick<ReadRules, 'isVisible' | 'isHidden'> {
  const isHidden: IsHidden = (type, field) => {
    const stored = type.concreteTypes.filter((each) => field === each.id || hasField(each, field))
    return stored.length > 0 && stored.every((each) => !isNamed(each, field))
  }
  return {
    isVisible: (type, field) => field === type.id || (isViewable(field) && isNamed(type, field)),
    isHidden: definitions.hasFieldsHook ? isHidden : NOTHING_HIDDEN,
  }
}

/** Rows of several types are one list: its order is that on which all of them agree. */
function commonSort(type: ResourceType, sortOf: HookResultOf<'sort'>, graph: ResourceGraph): readonly SortKey[] {
  const texts = new Set(type.concreteTypes.map(sortOf))
  const [text] = texts
  if (text === undefined || texts.size > 1) return []
  const isSort = (at: ResourceType) => isSortOf(text, at, graph)
  // Right for each of them alone, its names stand for another field in each.
  if (type.concreteTypes.length > 1 && !isSort(type) && type.concreteTypes.every(isSort)) return []
  return readRule('sort', text, type, () => parseSortOfRule(text, type, graph))
}

function isSortOf(text: string, type: ResourceType, graph: ResourceGraph): boolean {
  try {
    parseSortOfRule(text, type, graph)
    return true
  } catch (error) {
    if (error instanceof QuerySyntaxError) return false
    throw error
  }
}

/** What a rule says depends on who is asking: a mistake in it can't be found before. */
function readRule<Tree>(hook: 'filter' | 'sort', text: string, type: ResourceType, parse: () => Tree): Tree {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    const place = `The ${hook} of the definition of ${type.resourceClass.name}, '${type.name}',`
    throw new InvariantError(`${place} is: ${text}. ${error.message} ${REMEDY}`, { cause: error })
  }
}

const REMEDY =
  'Rules name fields: a property is one where @Attribute says so, and its capabilities say what clients see.'

function smallestPage(type: ResourceType, pageOf: HookResultOf<'page'>): number | undefined {
  const sizes = type.concreteTypes.flatMap((concrete) => pageOf(concrete)?.size ?? [])
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

function evaluateIncludeHook(definitions: Definitions, context: unknown): ReadRules['includesOf'] {
  const answersOf = memoize((_type: StoredType) => new Map<string, readonly Relationship[]>())
  return (type, asked) => {
    const definition = definitions.of(type)
    if (!overrides(definition, 'include')) return asked === 'notSent' ? [] : asked
    // Every relationship of a layer has the same question, for the names of all of them.
    const question = asked === 'notSent' ? asked : JSON.stringify(namesOf(asked))
    const answer = answersOf(type).get(question) ?? callIncludeHook(type, asked, { definition, context })
    answersOf(type).set(question, answer)
    return answer
  }
}

interface IncludeHookContext {
  readonly definition: ResourceDefinition
  readonly context: unknown
}

function callIncludeHook(
  type: StoredType,
  asked: RequestedIncludes,
  { definition, context }: IncludeHookContext,
): readonly Relationship[] {
  const given = asked === 'notSent' ? [] : asked
  const client = asked === 'notSent' ? 'notSent' : 'sent'
  const names = checkFieldNames(definition.include(namesOf(given), client, context), 'include', definition, type)
  if (names === undefined) return given
  const allowed = asked === 'notSent' ? type.relationships.filter(isViewable) : given
  return [...names].flatMap((name) => allowed.find((each) => each.name === name) ?? checkKnown(name, type))
}

function namesOf(relationships: readonly Relationship[]): readonly string[] {
  return relationships.map(({ name }) => name)
}

/** What the client did not ask for is left out; what does not exist is a mistake of the rule. */
function checkKnown(name: string, type: StoredType): readonly Relationship[] {
  if (type.relationships.some((relationship) => relationship.name === name)) return []
  throw new InvariantError(`The include rule of ${type.name} names '${name}', which is no relationship of it.`)
}

function memoize<Key extends object, Value>(ask: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.has(key) ? (known.get(key) as Value) : ask(key)
    known.set(key, value)
    return value
  }
}
