import { ConfigurationError, type ConfigurationIssue } from '../../errors/configuration-error'
import type { RegisteredResourceClass } from '../model/registered-resource-class'
import type { ResourceClass } from '../model/resource-graph'
import { classNameOf } from '../model/superclasses'
import type { ResolvedApiOptions } from '../options/options'
import { checkGeneralOptionAllowedValues } from './check-choices'
import { checkDecorators, checkOptionNames } from './check-decorators'
import { checkDeclaredFields } from './check-fields'
import { checkHierarchy } from './check-hierarchy'
import { checkIdCodec } from './check-id-codec'
import { checkLimitOptions, checkLoadSheddingOptions } from './check-limits'
import { checkDescriptionsAndDeprecations, checkOpenApiOptions } from './check-open-api'
import { checkOperationsOptions } from './check-operations-options'
import { checkPageOptions } from './check-page-options'
import { checkQueryFunctions } from './check-query-functions'
import { checkResourceClass } from './check-resource'
import { checkResourceLinkOptions, checkResponseOptions } from './check-response-options'
import { checkResourceIfMatchOption, checkWritingOptions } from './check-writing-options'
import { findDuplicates, oneConfigurationIssue } from './option-checks'

interface Configuration {
  readonly resources: readonly ResourceClass[]
  readonly registered: readonly RegisteredResourceClass[]
  readonly options: ResolvedApiOptions
}

/** Throws one `ConfigurationError` with the mistakes of all options and classes. */
export function assertValidConfiguration({ resources, registered, options }: Configuration): void {
  const issues = [
    ...checkOptionNames(options),
    ...checkPageOptions('createJsonApi', options.page, options.page),
    ...checkGeneralOptionAllowedValues(options),
    ...checkLimitOptions(options.limits),
    ...checkLoadSheddingOptions(options.loadShedding),
    ...checkResponseOptions(options),
    ...checkWritingOptions(options),
    ...checkQueryFunctions(options.functions),
    ...checkOpenApiOptions(options.openApi),
    ...checkRegisteredOnce(resources),
    ...registered.flatMap(checkDecorators),
    ...registered.flatMap((type) => checkResourceClass(type, options)),
    ...checkUniqueNames(registered),
    ...checkOperationsOptions(options.operations, registered),
    ...registered.flatMap(checkResourceLinkOptions),
    ...registered.flatMap(checkDescriptionsAndDeprecations),
    ...registered.flatMap((type) => checkResourceIfMatchOption(type, options)),
    ...registered.flatMap(checkIdCodec),
    ...registered.flatMap((type) => checkDeclaredFields(type, { registered, options })),
    ...checkHierarchy(registered),
  ]
  if (issues.length > 0) throw new ConfigurationError(withoutDuplicates(issues))
}

function checkRegisteredOnce(resources: readonly ResourceClass[]): ConfigurationIssue[] {
  const remedy = 'Name it once in the resources of createJsonApi.'
  return findDuplicates(resources).flatMap((each) =>
    oneConfigurationIssue(classNameOf(each), 'it is registered more than once.', remedy),
  )
}

function checkUniqueNames(registered: readonly RegisteredResourceClass[]): ConfigurationIssue[] {
  return registered.flatMap(({ resourceClass, resource }) => {
    const owner = registered.find((each) => each.resource !== undefined && each.resource.name === resource?.name)
    if (owner === undefined || owner.resourceClass === resourceClass) return []
    const message = `its public name '${owner.resource?.name}' is that of ${classNameOf(owner.resourceClass)} too.`
    return oneConfigurationIssue(classNameOf(resourceClass), message, 'Give one of them another name in @Resource.')
  })
}

/** Removes repeated issues. Several derived types report the issues of a common base class. */
function withoutDuplicates(issues: readonly ConfigurationIssue[]): readonly ConfigurationIssue[] {
  return [...new Map(issues.map((each) => [`${each.location}: ${each.message}`, each] as const)).values()]
}
