import type { FieldDeclaration } from '../../declarations/class-declarations'
import {
  ATTRIBUTE_CAPABILITIES,
  CLIENT_GENERATED_ID_OPTIONS,
  ENDPOINT_NAMES,
  LINKAGE_OPTIONS,
  PAGINATION_KINDS,
  QUERY_PARAMETER_NAMES,
  type ResourceOptions,
  TO_MANY_CAPABILITIES,
  TO_ONE_CAPABILITIES,
  TOTAL_OPTIONS,
  UNKNOWN_FIELDS_OPTIONS,
  UPDATE_RESPONSE_MODES,
} from '../../declarations/field-options'
import { isReservedParameter } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { assertNever } from '../../errors/invariant'
import { didYouMean } from '../../errors/nearest-name'
import { EXPLAIN_AVAILABILITY_VALUES, type ResolvedApiOptions } from '../options/options'
import {
  BOOLEAN_CONFIGURATION_VALUES,
  createSingleConfigurationIssueList,
  findUnknownOptionNameIssues,
  findUnknownOptionValueIssues,
  formatOptionValue,
  formatOptionValues,
  isPositiveInteger,
} from './option-checks'

/** Checks the options of one field that are chosen from lists. */
export function findFieldOptionValueIssues(
  location: string,
  { kind, options }: FieldDeclaration,
): ConfigurationIssue[] {
  const capabilities = findCapabilityIssues({ location, option: 'capabilities', known: CAPABILITIES[kind] }, options)
  switch (kind) {
    case 'attribute':
      return capabilities
    case 'toOne':
      return [
        ...capabilities,
        ...findChoiceIssues(location, 'linkage', options.linkage, LINKAGE_OPTIONS),
        ...findChoiceIssues(location, 'required', options.required, BOOLEAN_CONFIGURATION_VALUES),
      ]
    case 'toMany':
      return [
        ...capabilities,
        ...findChoiceIssues(location, 'includedPagination', options.includedPagination, BOOLEAN_CONFIGURATION_VALUES),
        ...findChoiceIssues(location, 'pagination', options.pagination, PAGINATION_KINDS),
        ...findTotalsIssues(location, options.totals),
      ]
    default:
      return assertNever(kind)
  }
}

/** Checks the options of `createJsonApi` that are chosen from lists. */
export function findGeneralOptionValueIssues(options: ResolvedApiOptions): ConfigurationIssue[] {
  const { capabilities } = options
  return [
    ...findGeneralOptionIssues('toOneLinkage', options, LINKAGE_OPTIONS),
    ...findGeneralOptionIssues('includedPagination', options, BOOLEAN_CONFIGURATION_VALUES),
    ...findGeneralOptionIssues('explain', options, EXPLAIN_AVAILABILITY_VALUES),
    ...findGeneralOptionIssues('fieldFilters', options, BOOLEAN_CONFIGURATION_VALUES),
    ...findGeneralOptionIssues('updates', options, UPDATE_RESPONSE_MODES),
    ...findUnknownOptionNameIssues(
      { location: GENERAL, messageStart: 'its capabilities have' },
      capabilities,
      KINDS,
      KINDS_REMEDY,
    ),
    ...KINDS.flatMap((kind) =>
      findCapabilityIssues(
        { location: GENERAL, option: `capabilities.${kind}`, known: CAPABILITIES[kind] },
        { capabilities: capabilities[kind] },
      ),
    ),
    ...findResourceOptionValueIssues(GENERAL, options),
    ...findUnknownParameterIssues(options.unknownParameters),
  ]
}

function findGeneralOptionIssues(
  name: keyof ResolvedApiOptions,
  options: ResolvedApiOptions,
  known: AllowedValues,
): ConfigurationIssue[] {
  return findChoiceIssues(GENERAL, name, options[name], known)
}

/** Checks the options of one type that are chosen from lists. */
export function findResourceOptionValueIssues(location: string, options: ResourceChoices): ConfigurationIssue[] {
  return [
    ...findListIssues({ location, option: 'endpoints', known: ENDPOINT_NAMES }, options.endpoints),
    ...findListIssues({ location, option: 'parameters', known: QUERY_PARAMETER_NAMES }, options.parameters),
    ...findChoiceIssues(location, 'unknownFields', options.unknownFields, UNKNOWN_FIELDS_OPTIONS),
    ...findChoiceIssues(location, 'pagination', options.pagination, PAGINATION_KINDS),
    ...findChoiceIssues(location, 'clientGeneratedIds', options.clientGeneratedIds, CLIENT_GENERATED_ID_OPTIONS),
    ...findTotalsIssues(location, options.totals),
  ]
}

type ResourceChoices = Pick<
  ResourceOptions,
  'endpoints' | 'parameters' | 'unknownFields' | 'totals' | 'pagination' | 'clientGeneratedIds'
>

type AllowedValues = readonly (string | boolean)[]

/** An option whose value is a list of known names. */
interface ListOption {
  readonly location: string
  readonly option: string
  readonly known: readonly string[]
}

const GENERAL = 'createJsonApi'

const KINDS = ['attribute', 'toOne', 'toMany'] as const satisfies readonly FieldDeclaration['kind'][]
const KINDS_REMEDY = `Give some of ${KINDS.join(', ')}.`

const CAPABILITIES = {
  attribute: ATTRIBUTE_CAPABILITIES,
  toOne: TO_ONE_CAPABILITIES,
  toMany: TO_MANY_CAPABILITIES,
} as const satisfies Record<FieldDeclaration['kind'], readonly string[]>

function findChoiceIssues(
  location: string,
  option: string,
  value: unknown,
  known: AllowedValues,
): ConfigurationIssue[] {
  return value === undefined
    ? []
    : findUnknownOptionValueIssues({ location, messageStart: `its ${option} is` }, value, known)
}

/** Checks capabilities. A field that can't be viewed can't be used in parameters either, and has no relationship endpoint. */
function findCapabilityIssues(
  list: ListOption,
  { capabilities }: { readonly capabilities?: readonly string[] },
): ConfigurationIssue[] {
  const issues = findListIssues(list, capabilities)
  if (issues.length > 0) return issues
  const unusable = NEED_VIEW.filter((capability) => capabilities?.includes(capability))
  if (unusable.length === 0 || capabilities?.includes('view')) return []
  return createSingleConfigurationIssueList(
    list.location,
    `its ${list.option} have ${formatOptionValues(unusable)}, but not 'view': a field that can't be viewed can't be used in parameters and has no endpoints.`,
    "Add 'view', or leave the others out.",
  )
}

const NEED_VIEW = ['filter', 'sort', 'include', 'add', 'remove'] as const

function findListIssues({ location, option, known }: ListOption, list: unknown): ConfigurationIssue[] {
  if (list === undefined) return []
  const remedy = `Choose from ${formatOptionValues(known)}.`
  if (!Array.isArray(list)) {
    return createSingleConfigurationIssueList(location, `its ${option} are not a list.`, `${remedy} Give an array.`)
  }
  return list.flatMap((each: unknown, index): ConfigurationIssue[] => {
    const name = formatOptionValue(each)
    if (!known.some((one) => one === each)) {
      const hint = typeof each === 'string' ? didYouMean(each, known) : ''
      const message = `its ${option} have ${name}, which is unknown.${hint}`
      return createSingleConfigurationIssueList(location, message, remedy)
    }
    if (list.indexOf(each) === index) return []
    return createSingleConfigurationIssueList(location, `its ${option} have ${name} more than once.`, 'Name it once.')
  })
}

function findTotalsIssues(location: string, totals: unknown): ConfigurationIssue[] {
  if (totals === undefined || TOTAL_OPTIONS.some((each) => each === totals)) return []
  const remedy = `Give one of ${formatOptionValues(TOTAL_OPTIONS)}, or { maxCount: 1000 } with a whole number from 1 on.`
  if (typeof totals !== 'object' || totals === null) {
    return createSingleConfigurationIssueList(location, `its totals are ${formatOptionValue(totals)}.`, remedy)
  }
  const { maxCount, ...others }: { readonly maxCount?: unknown } = totals
  if (maxCount !== undefined && Object.keys(others).length > 0) {
    return findUnknownOptionNameIssues({ location, messageStart: 'its totals have' }, others, [], remedy)
  }
  return isPositiveInteger(maxCount)
    ? []
    : createSingleConfigurationIssueList(location, `its totals.maxCount is ${formatOptionValue(maxCount)}.`, remedy)
}

function findUnknownParameterIssues(option: unknown): ConfigurationIssue[] {
  if (option === 'reject' || option === 'ignore') return []
  if (!Array.isArray(option)) {
    const message = `its unknownParameters are ${formatOptionValue(option)}.`
    return createSingleConfigurationIssueList(GENERAL, message, "Give 'reject', 'ignore' or a list of names.")
  }
  return option.flatMap((name: unknown): ConfigurationIssue[] => {
    if (typeof name !== 'string' || name === '') {
      return createSingleConfigurationIssueList(GENERAL, 'its unknownParameters have an empty name.', 'Leave it out.')
    }
    if (!isReservedParameter(name)) return []
    const message = `its unknownParameters have '${name}', and JSON:API reserves names of small letters.`
    return createSingleConfigurationIssueList(GENERAL, message, "Give it a capital letter, '-' or '_': 'myName'.")
  })
}
