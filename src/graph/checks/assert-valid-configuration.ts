import { ConfigurationError, type ConfigurationIssue } from '../../errors/configuration-error'
import type { RegisteredResourceClass } from '../model/registered-resource-class'
import type { ResourceClass } from '../model/resource-graph'
import { classNameForMessages } from '../model/superclasses'
import type { ResolvedApiOptions } from '../options/options'
import { findGeneralOptionValueIssues } from './check-choices'
import { findApiOptionNameIssues, findDecoratorIssues } from './check-decorators'
import { findDeclaredFieldIssues } from './check-fields'
import { findFilterOrSortFunctionIssues } from './check-filter-or-sort-functions'
import { findHierarchyIssues } from './check-hierarchy'
import { findIdCodecIssues } from './check-id-codec'
import { findLimitOptionIssues, findLoadSheddingOptionIssues } from './check-limits'
import { findDescriptionAndDeprecationIssues, findOpenApiOptionIssues } from './check-open-api'
import { findOperationsOptionIssues } from './check-operations-options'
import { findPageOptionIssues } from './check-page-options'
import { findResourceClassIssues } from './check-resource'
import { findResourceLinkOptionIssues, findResponseOptionIssues } from './check-response-options'
import { findApiConcurrencyOptionIssues, findResourceIfMatchOptionIssues } from './check-writing-options'
import { createSingleConfigurationIssueList, findDuplicates } from './option-checks'

interface Configuration {
  readonly resources: readonly ResourceClass[]
  readonly registered: readonly RegisteredResourceClass[]
  readonly options: ResolvedApiOptions
}

/** Throws one `ConfigurationError` with the mistakes of all options and classes. */
export function assertValidConfiguration({ resources, registered, options }: Configuration): void {
  const issues = [
    ...findApiOptionNameIssues(options),
    ...findPageOptionIssues('createJsonApi', options.page, options.page),
    ...findGeneralOptionValueIssues(options),
    ...findLimitOptionIssues(options.limits),
    ...findLoadSheddingOptionIssues(options.loadShedding),
    ...findResponseOptionIssues(options),
    ...findApiConcurrencyOptionIssues(options),
    ...findFilterOrSortFunctionIssues(options.functions, registered),
    ...findOpenApiOptionIssues(options.openApi),
    ...findRepeatedRegistrationIssues(resources),
    ...registered.flatMap(findDecoratorIssues),
    ...registered.flatMap((type) => findResourceClassIssues(type, options)),
    ...findRepeatedNameIssues(registered),
    ...findOperationsOptionIssues(options.operations, registered),
    ...registered.flatMap(findResourceLinkOptionIssues),
    ...registered.flatMap(findDescriptionAndDeprecationIssues),
    ...registered.flatMap((type) => findResourceIfMatchOptionIssues(type, options)),
    ...registered.flatMap(findIdCodecIssues),
    ...registered.flatMap((type) => findDeclaredFieldIssues(type, { registered, options })),
    ...findHierarchyIssues(registered),
  ]
  if (issues.length > 0) throw new ConfigurationError(withoutDuplicates(issues))
}

function findRepeatedRegistrationIssues(resources: readonly ResourceClass[]): ConfigurationIssue[] {
  const remedy = 'Name it once in the resources of createJsonApi.'
  return findDuplicates(resources).flatMap((each) =>
    createSingleConfigurationIssueList(classNameForMessages(each), 'it is registered more than once.', remedy),
  )
}

function findRepeatedNameIssues(registered: readonly RegisteredResourceClass[]): ConfigurationIssue[] {
  return registered.flatMap(({ resourceClass, resource }) => {
    const owner = registered.find((each) => each.resource !== undefined && each.resource.name === resource?.name)
    if (owner === undefined || owner.resourceClass === resourceClass) return []
    const message = `its public name '${owner.resource?.name}' is that of ${classNameForMessages(owner.resourceClass)} too.`
    return createSingleConfigurationIssueList(
      classNameForMessages(resourceClass),
      message,
      'Give one of them another name in @Resource.',
    )
  })
}

/** Removes repeated issues. Several derived types report the issues of a common base class. */
function withoutDuplicates(issues: readonly ConfigurationIssue[]): readonly ConfigurationIssue[] {
  return [...new Map(issues.map((each) => [`${each.location}: ${each.message}`, each] as const)).values()]
}
