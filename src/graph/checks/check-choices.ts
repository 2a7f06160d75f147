import {
  ATTRIBUTE_CAPABILITIES,
  CLIENT_ID_OPTIONS,
  ENDPOINTS,
  FIELD_FILTERS_OPTIONS,
  INCLUDED_PAGINATION_OPTIONS,
  LINKAGE_OPTIONS,
  PAGINATIONS,
  PARAMETERS,
  type ResourceOptions,
  TO_MANY_CAPABILITIES,
  TO_ONE_CAPABILITIES,
  UNKNOWN_FIELDS_OPTIONS,
  UPDATES_OPTIONS,
} from '../../declarations/field-options'
import type { FieldDeclaration } from '../../declarations/record'
import { isReservedParameter } from '../../document/parameter-name'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { assertNever } from '../../errors/invariant'
import { suggestName } from '../../errors/nearest-name'
import { DEFAULT_OPTIONS, EXPLAIN_OPTIONS, type Options } from '../options/options'
import { checkTotals } from './check-totals'
import { showChoice } from './show-choice'

/** What is given by another name is no option, and would be missed in silence. */
export function checkOptionNames(options: Options): ConfigurationIssue[] {
  const known = Object.keys(DEFAULT_OPTIONS)
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  return unknown.map((name) => ({
    location: GENERAL,
    message: `it has no option '${name}'.${suggestName(name, [...known, ...BESIDE])}`,
    remedy: 'Correct the name, or leave it out.',
  }))
}

/** The options of `createJsonApi` that say nothing of types. */
const BESIDE = ['dataSource', 'resources', 'definitions', 'context', 'onError', 'startupLog', 'idempotency']

/** What one field says of documents. */
export function checkFieldChoices(at: string, { kind, options }: FieldDeclaration): ConfigurationIssue[] {
  const capabilities = checkCapabilities({ at, option: 'capabilities', ...ALL[kind] }, options.capabilities)
  switch (kind) {
    case 'attribute':
      return capabilities
    case 'toOne':
      return [...capabilities, ...checkOne({ at, option: 'linkage', known: LINKAGE_OPTIONS }, options.linkage)]
    case 'toMany':
      return [
        ...capabilities,
        ...checkOne(
          { at, option: 'includedPagination', known: INCLUDED_PAGINATION_OPTIONS },
          options.includedPagination,
        ),
        ...checkOne({ at, option: 'pagination', known: PAGINATIONS }, options.pagination),
        ...checkTotals(at, options.totals),
      ]
    default:
      return assertNever(kind)
  }
}

function checkOne({ at, option, known }: Choice, chosen: unknown): ConfigurationIssue[] {
  if (chosen === undefined || known.some((each) => each === chosen)) return []
  return [
    { location: at, message: `its ${option} is ${showChoice(chosen)}.`, remedy: `Give one of ${showNames(known)}.` },
  ]
}

/** The general lists of `createJsonApi`. */
export function checkGeneralChoices({
  capabilities,
  endpoints,
  parameters,
  unknownParameters,
  unknownFields,
  toOneLinkage,
  includedPagination,
  totals,
  pagination,
  clientGeneratedIds,
  explain,
  updates,
  fieldFilters,
}: Options): ConfigurationIssue[] {
  return [
    ...checkOne({ at: GENERAL, option: 'toOneLinkage', known: LINKAGE_OPTIONS }, toOneLinkage),
    ...checkOne({ at: GENERAL, option: 'includedPagination', known: INCLUDED_PAGINATION_OPTIONS }, includedPagination),
    ...checkOne({ at: GENERAL, option: 'explain', known: EXPLAIN_OPTIONS }, explain),
    ...checkOne({ at: GENERAL, option: 'fieldFilters', known: FIELD_FILTERS_OPTIONS }, fieldFilters),
    ...checkOne({ at: GENERAL, option: 'updates', known: UPDATES_OPTIONS }, updates),
    ...checkKinds(capabilities),
    ...checkCapabilities({ at: GENERAL, option: 'capabilities.attribute', ...ALL.attribute }, capabilities.attribute),
    ...checkCapabilities({ at: GENERAL, option: 'capabilities.toOne', ...ALL.toOne }, capabilities.toOne),
    ...checkCapabilities({ at: GENERAL, option: 'capabilities.toMany', ...ALL.toMany }, capabilities.toMany),
    ...checkResourceChoices(GENERAL, { endpoints, parameters, unknownFields, totals, pagination, clientGeneratedIds }),
    ...checkUnknownParameters(unknownParameters),
  ]
}

/** Of a text the letters are members. What is given by another name would be allowed in silence. */
function checkKinds(capabilities: object): ConfigurationIssue[] {
  const known = Object.keys(ALL)
  const unknown = Object.keys(capabilities).filter((name) => !known.includes(name))
  const [first] = unknown
  if (first === undefined) return []
  const message = `its capabilities have no '${unknown.join("', '")}'.${suggestName(first, known)}`
  return [{ location: GENERAL, message, remedy: `Give some of ${known.join(', ')}.` }]
}

/** The lists of one type. */
export function checkResourceChoices(
  at: string,
  { endpoints, parameters, unknownFields, totals, pagination, clientGeneratedIds }: ResourceChoices,
): ConfigurationIssue[] {
  return [
    ...checkChoice({ at, option: 'endpoints', known: ENDPOINTS }, endpoints),
    ...checkChoice({ at, option: 'parameters', known: PARAMETERS }, parameters),
    ...checkOne({ at, option: 'unknownFields', known: UNKNOWN_FIELDS_OPTIONS }, unknownFields),
    ...checkOne({ at, option: 'pagination', known: PAGINATIONS }, pagination),
    ...checkOne({ at, option: 'clientGeneratedIds', known: CLIENT_ID_OPTIONS }, clientGeneratedIds),
    ...checkTotals(at, totals),
  ]
}

type ResourceChoices = Pick<
  ResourceOptions,
  'endpoints' | 'parameters' | 'unknownFields' | 'totals' | 'pagination' | 'clientGeneratedIds'
>

interface Choice {
  readonly at: string
  readonly option: string
  /** What can be chosen. */
  readonly known: readonly (string | boolean)[]
}

const GENERAL = 'createJsonApi'

const ALL = {
  attribute: { known: ATTRIBUTE_CAPABILITIES },
  toOne: { known: TO_ONE_CAPABILITIES },
  toMany: { known: TO_MANY_CAPABILITIES },
} as const satisfies Record<FieldDeclaration['kind'], Pick<Choice, 'known'>>

/** What can't be seen can't be asked for either, and has no endpoints: a list without `view` would promise what does not hold. */
function checkCapabilities(choice: Choice, chosen: readonly string[] | undefined): ConfigurationIssue[] {
  const problems = checkChoice(choice, chosen)
  const useless = NEEDING_VIEW.filter((capability) => chosen?.includes(capability))
  if (chosen === undefined || problems.length > 0 || chosen.includes('view') || useless.length === 0) return problems
  return [
    {
      location: choice.at,
      message: `its ${choice.option} have ${showNames(useless)}, but not 'view': what can't be seen can't be asked for, and has no endpoints.`,
      remedy: "Add 'view', or leave the others out.",
    },
  ]
}

/** The code may be JavaScript: any value can be here. */
function checkChoice({ at, option, known }: Choice, chosen: unknown): ConfigurationIssue[] {
  if (chosen === undefined) return []
  const remedy = `Choose from ${showNames(known)}.`
  if (!Array.isArray(chosen))
    return [{ location: at, message: `its ${option} are no list.`, remedy: `${remedy} Give an array.` }]
  return chosen.flatMap((each: unknown, index): ConfigurationIssue[] => {
    const name = String(each)
    if (!known.includes(name)) {
      return [
        {
          location: at,
          message: `its ${option} have '${name}', which is none.${suggestName(name, known.map(String))}`,
          remedy,
        },
      ]
    }
    if (chosen.indexOf(each) === index) return []
    return [{ location: at, message: `its ${option} have '${name}' more than once.`, remedy: 'Name it once.' }]
  })
}

function checkUnknownParameters(option: unknown): ConfigurationIssue[] {
  if (option === 'reject' || option === 'ignore') return []
  if (!Array.isArray(option)) {
    const message = `its unknownParameters are '${String(option)}'.`
    return [{ location: GENERAL, message, remedy: "Give 'reject', 'ignore' or a list of names." }]
  }
  return option.flatMap((name: unknown): ConfigurationIssue[] => {
    if (typeof name !== 'string' || name === '') {
      return [{ location: GENERAL, message: 'its unknownParameters have an empty name.', remedy: 'Leave it out.' }]
    }
    if (!isReservedParameter(name)) return []
    const message = `its unknownParameters have '${name}', and JSON:API keeps names of small letters for itself.`
    return [{ location: GENERAL, message, remedy: "Give it a capital letter, '-' or '_': 'myName'." }]
  })
}

function showNames(names: readonly (string | boolean)[]): string {
  return names.map(showChoice).join(', ')
}

/** What is done with parameters of queries, and at relationship endpoints. */
const NEEDING_VIEW = ['filter', 'sort', 'include', 'add', 'remove'] as const
