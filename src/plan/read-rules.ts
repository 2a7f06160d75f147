import type { ResourceDefinitionRegistry } from '../definitions/definitions'
import {
  assertFieldsHookResult,
  assertReadHookResult,
  hookResultToFieldNames,
  hookReturnedUnknownNameError,
  type ValueReturningHookName,
} from '../definitions/hook-results'
import { hooksCalledBy } from '../definitions/hooks-by-request'
import { overridesHook } from '../definitions/overrides-hook'
import type { RecordReadHooks } from '../definitions/record-read-hooks'
import type { ResourceDefinition } from '../definitions/resource-definition'
import { InvariantError } from '../errors/invariant'
import { hasViewCapability, type IsFieldHidden, NO_FIELD_HIDDEN_PREDICATE } from '../graph/model/capabilities'
import { isFieldOfType, isSameOrDerivedType, selfAndAncestors } from '../graph/model/inheritance'
import type { Field, Relationship, ResourceGraph, ResourceType, StoredType } from '../graph/model/resource-graph'
import { parseFilterOfRule } from '../query/parsing/parse-filter'
import { parseSortOfRule } from '../query/parsing/parse-sort'
import { QuerySyntaxError } from '../query/parsing/query-syntax-error'
import type { FilterNode, SortKeyNode } from '../query/tree/ast'

/**
 * The results of all read hooks for one request. Each hook runs at most once per type. If rows of a layer have several stored types, the rules
 * of each type apply to its own rows.
 */
export interface ReadRules {
  /** Whether these are the rules of all requests, because no definition has a read hook. */
  readonly areShared: boolean
  /** Returns the filter of visible rows of a declared type; `undefined` without a rule. */
  visibilityFilterOf(type: ResourceType): FilterNode | undefined
  /** Whether any definition has a `filter` hook. */
  readonly hasFilters: boolean
  /** Whether a field of rows of this type is visible. */
  isVisible(type: StoredType, field: Field): boolean
  /** Whether the rules of all stored types of a type hide a field, as if it did not exist. */
  isHidden: IsFieldHidden
  /** Returns the record hooks of a type. */
  hooksOf(type: StoredType): RecordReadHooks | undefined
  /** Whether documents with rows of this type depend on the context. */
  hasSerializationHooks(type: StoredType): boolean
  /** Whether a `serialize` hook may replace values of rows of this type. */
  hasSerializeHook(type: StoredType): boolean
  /** Returns the order of rows without the parameter `sort`. */
  sortOf(type: ResourceType): readonly SortKeyNode[]
  /** Returns the maximum page size; `undefined` without a rule. */
  pageSizeOf(type: ResourceType): number | undefined
  /** Returns the relationships to include from rows of this type, given the requested ones. */
  includesOf(type: StoredType, requested: RequestedIncludes): readonly Relationship[]
}

/** `notSent`: without the parameter `include`. */
type RequestedIncludes = 'notSent' | readonly Relationship[]

/** Evaluates rules for the context of a request. */
type EvaluateRules<Rules> = (context: unknown) => Rules

/** Returns a function that evaluates the rules of a request. Rules without hooks are the same for all requests, and made once. */
export function createReadRulesFactory(
  definitions: ResourceDefinitionRegistry,
  graph: ResourceGraph,
): EvaluateRules<ReadRules> {
  const onceUnless = <Rules>(
    hooks: readonly (keyof ResourceDefinition)[],
    evaluate: EvaluateRules<Rules>,
  ): EvaluateRules<Rules> => {
    if (definitions.overridesAny(hooks)) return evaluate
    const rules = evaluate(undefined)
    return () => rules
  }
  const callHook = <Result>(
    type: StoredType,
    hook: ValueReturningHookName,
    call: (definition: ResourceDefinition) => Result,
  ): Result => {
    const definition = definitions.of(type)
    return assertReadHookResult(call(definition), hook, definition, type)
  }
  const hasFilters = definitions.overridesAny(['filter'])
  const evaluateFilters = onceUnless(['filter'], (context) => {
    const filterOf = memoize((type: StoredType) => callHook(type, 'filter', (definition) => definition.filter(context)))
    return memoize((type: ResourceType) => joinFilters(type, filterOf, graph))
  })
  const evaluateSort = onceUnless(['sort'], (context) => {
    const sortOf = memoize((type: StoredType) => callHook(type, 'sort', (definition) => definition.sort(context)))
    return memoize((type: ResourceType) => commonSort(type, sortOf, graph))
  })
  const evaluatePage = onceUnless(['page'], (context) => {
    const pageOf = memoize((type: StoredType) => callHook(type, 'page', (definition) => definition.page(context)))
    return memoize((type: ResourceType) => smallestPage(type, pageOf))
  })
  const evaluateFields = onceUnless(['fields'], (context) => evaluateFieldsHook(definitions, context))
  const evaluateIncludes = onceUnless(['include'], (context) => evaluateIncludeHook(definitions, context))
  const areShared = !definitions.overridesAny(READ_HOOKS)
  return onceUnless(READ_HOOKS, (context) => ({
    areShared,
    visibilityFilterOf: evaluateFilters(context),
    hasFilters,
    ...visibilityBy(evaluateFields(context), definitions),
    hooksOf: (type) => definitions.hooksOf(type, context),
    hasSerializationHooks: definitions.hasSerializationHooks,
    hasSerializeHook: definitions.hasSerializeHook,
    sortOf: evaluateSort(context),
    pageSizeOf: evaluatePage(context),
    includesOf: evaluateIncludes(context),
  }))
}

const READ_HOOKS = hooksCalledBy('read')

type HookResultOf<Name extends 'filter' | 'sort' | 'page'> = (type: StoredType) => ReturnType<ResourceDefinition[Name]>

/** Joins the `filter` hooks of the stored types. Each applies only to rows of exactly its type. */
function joinFilters(
  type: ResourceType,
  filterOf: HookResultOf<'filter'>,
  graph: ResourceGraph,
): FilterNode | undefined {
  const texts = new Set(type.concreteTypes.flatMap((concrete) => filterOf(concrete) ?? []))
  if (texts.size === 0) return undefined
  const ruleTerms = [...texts].flatMap((text) => {
    const types = type.concreteTypes.filter((concrete) => filterOf(concrete) === text)
    const common = readAtBase(text, types, graph)
    if (common !== undefined) return [filterOfTypes(types, common)]
    return types.map((each) => {
      return filterOfTypes(
        [each],
        readRule('filter', text, each, () => parseFilterOfRule(text, each, graph)),
      )
    })
  })
  const unfilteredTypes = type.concreteTypes.filter((concrete) => filterOf(concrete) === undefined)
  const terms: readonly FilterNode[] =
    unfilteredTypes.length === 0 ? ruleTerms : [{ kind: 'isExactly', types: unfilteredTypes }, ...ruleTerms]
  return terms.length === 1 ? terms[0] : { kind: 'logical', operator: 'or', terms }
}

function filterOfTypes(types: readonly StoredType[], filter: FilterNode): FilterNode {
  return { kind: 'logical', operator: 'and', terms: [{ kind: 'isExactly', types }, filter] }
}

/**
 * Parses a filter that several types inherit from the definition of a base, once for all of them. Otherwise a statement would repeat it for
 * each type, and nested rules would multiply it. Returns `undefined` if its names mean different fields in each type.
 */
function readAtBase(text: string, types: readonly StoredType[], graph: ResourceGraph): FilterNode | undefined {
  const [first, ...others] = types
  if (first === undefined || others.length === 0) return undefined
  const base = selfAndAncestors(first).find((each) => others.every((other) => isSameOrDerivedType(other, each)))
  if (
    base === undefined ||
    !types.every((each) => [...base.fields.values()].every((field) => isFieldOfType(each, field)))
  )
    return undefined
  try {
    return parseFilterOfRule(text, base, graph)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}

/** Returns true if the `fields` hook of a type does not leave out a field. Ignores the capability `view`. */
type IsShown = (type: StoredType, field: Field) => boolean

function evaluateFieldsHook(definitions: ResourceDefinitionRegistry, context: unknown): IsShown {
  const shownFieldsOf = memoize((type: StoredType): ReadonlySet<string> | undefined => {
    const definition = definitions.of(type)
    if (!overridesHook(definition, 'fields')) return undefined
    const result = definition.fields(new Set(type.fields.keys()), context)
    const names = hookResultToFieldNames(result, 'fields', definition, type)
    return names && assertFieldsHookResult(names, type)
  })
  return (type, field) => field === type.id || (shownFieldsOf(type)?.has(field.name) ?? true)
}

function visibilityBy(
  isShown: IsShown,
  definitions: ResourceDefinitionRegistry,
): Pick<ReadRules, 'isVisible' | 'isHidden'> {
  const isHidden: IsFieldHidden = (type, field) => {
    const stored = type.concreteTypes.filter((each) => field === each.id || isFieldOfType(each, field))
    return stored.length > 0 && stored.every((each) => !isShown(each, field))
  }
  return {
    isVisible: (type, field) => field === type.id || (hasViewCapability(field) && isShown(type, field)),
    isHidden: definitions.hasFieldsHook ? isHidden : NO_FIELD_HIDDEN_PREDICATE,
  }
}

/** Returns the default order of a list: the order that the `sort` hooks of all its stored types return, or none if they differ. */
function commonSort(type: ResourceType, sortOf: HookResultOf<'sort'>, graph: ResourceGraph): readonly SortKeyNode[] {
  const texts = new Set(type.concreteTypes.map(sortOf))
  const [text] = texts
  if (text === undefined || texts.size > 1) return []
  const isSort = (at: ResourceType) => isSortOf(text, at, graph)
  // The names of the sort mean different fields in each type, so the list has no common order.
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

/** Adds the definition to syntax errors in a rule. They can't be found at startup, because rules depend on the context. */
function readRule<Tree>(hook: 'filter' | 'sort', text: string, type: ResourceType, parse: () => Tree): Tree {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    const returned = `The ${hook} hook of '${type.name}' (${type.resourceClass.name}) returned: ${text}.`
    throw new InvariantError(`${returned} ${error.message} ${REMEDY}`, { cause: error })
  }
}

const REMEDY =
  'Use the public names of fields, and values of their types. Add @Attribute, @ToOne or @ToMany to a property to make it a field; `capabilities: []` hides it from clients.'

function smallestPage(type: ResourceType, pageOf: HookResultOf<'page'>): number | undefined {
  const sizes = type.concreteTypes.flatMap((concrete) => pageOf(concrete)?.size ?? [])
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

function evaluateIncludeHook(definitions: ResourceDefinitionRegistry, context: unknown): ReadRules['includesOf'] {
  const resultsOf = memoize((_type: StoredType) => new Map<string, readonly Relationship[]>())
  return (type, requested) => {
    const definition = definitions.of(type)
    if (!overridesHook(definition, 'include')) return requested === 'notSent' ? [] : requested
    // One call per type and list of names, although the hook's result is needed for each relationship of a layer.
    const cacheKey = requested === 'notSent' ? requested : JSON.stringify(namesOf(requested))
    const included = resultsOf(type).get(cacheKey) ?? callIncludeHook(type, requested, { definition, context })
    resultsOf(type).set(cacheKey, included)
    return included
  }
}

interface IncludeHookContext {
  readonly definition: ResourceDefinition
  readonly context: unknown
}

function callIncludeHook(
  type: StoredType,
  requested: RequestedIncludes,
  { definition, context }: IncludeHookContext,
): readonly Relationship[] {
  const requestedOrNone = requested === 'notSent' ? [] : requested
  const includeParameter = requested === 'notSent' ? 'notSent' : 'sent'
  const names = hookResultToFieldNames(
    definition.include(namesOf(requestedOrNone), includeParameter, context),
    'include',
    definition,
    type,
  )
  if (names === undefined) return requestedOrNone
  const allowed = requested === 'notSent' ? type.relationships.filter(hasViewCapability) : requestedOrNone
  return [...names].flatMap((name) => allowed.find((each) => each.name === name) ?? checkKnown(name, type))
}

function namesOf(relationships: readonly Relationship[]): readonly string[] {
  return relationships.map(({ name }) => name)
}

/** Returns no relationship for a name that the client did not request. Throws for an unknown name. */
function checkKnown(name: string, type: StoredType): readonly Relationship[] {
  const known = namesOf(type.relationships)
  if (known.includes(name)) return []
  throw hookReturnedUnknownNameError(name, 'include', type, known)
}

function memoize<Key extends object, Value>(evaluate: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.has(key) ? (known.get(key) as Value) : evaluate(key)
    known.set(key, value)
    return value
  }
}
