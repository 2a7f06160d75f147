import { recordOf } from '../../declarations/record'
import { isMemberName } from '../../document/member-names'
import { ConfigurationError, type ConfigurationIssue } from '../../errors/configuration-error'
import { type DeclaredType, pageOf } from '../model/declared-type'
import type { EntityDescription } from '../model/entity-description'
import type { ResourceClass } from '../model/resource-graph'
import { nameOf } from '../model/superclasses'
import { checkLimits } from '../options/limits'
import { checkLoadShedding } from '../options/load-shedding'
import { EXPLORER_OPTIONS, type Options, PREPARED_STATEMENTS } from '../options/options'
import { checkGeneralChoices, checkOptionNames, checkResourceChoices } from './check-choices'
import { checkDeclarations } from './check-declarations'
import { checkFields } from './check-fields'
import { checkFunctions } from './check-functions'
import { checkHierarchy } from './check-hierarchy'
import { checkIdCodec } from './check-id-codec'
import { checkNotes, checkOpenApi } from './check-open-api'
import { checkOperations } from './check-operations'
import { checkPage } from './check-page'
import { checkDeclaredLinks, checkFunction, checkOneOf, checkResponseOptions } from './check-response-options'
import { checkDeclaredSchema } from './check-schema'
import { checkTree } from './check-tree'
import { checkDeclaredIfMatch, checkWritingOptions } from './check-writing-options'

export interface DeclaredGraph {
  readonly resources: readonly ResourceClass[]
  readonly declared: readonly DeclaredType[]
  readonly options: Options
}

/** Throws all mistakes of all classes together. */
export function checkGraph({ resources, declared, options }: DeclaredGraph): void {
  const problems = [
    ...checkOptionNames(options),
    ...checkPage('createJsonApi', options.page, options.page),
    ...checkGeneralChoices(options),
    ...checkLimits(options.limits),
    ...checkLoadShedding(options.loadShedding),
    ...checkResponseOptions(options),
    ...checkWritingOptions(options),
    ...checkOneOf('its preparedStatements', options.preparedStatements, PREPARED_STATEMENTS),
    ...checkOneOf('its explorer', options.explorer, EXPLORER_OPTIONS),
    ...checkFunction('its namingStrategy', options.namingStrategy),
    ...checkFunctions(options.functions),
    ...checkOpenApi(options.openApi),
    ...checkRegisteredOnce(resources),
    ...declared.flatMap(checkDeclarations),
    ...declared.flatMap(checkResource),
    ...checkTypeNames(declared),
    ...checkOperations(options.operations, declared),
    ...declared.flatMap((type) => checkResourcePage(type, options)),
    ...declared.flatMap(checkDeclaredLinks),
    ...declared.flatMap(checkDeclaredSchema),
    ...declared.flatMap(checkNotes),
    ...declared.flatMap((type) => checkDeclaredIfMatch(type, options)),
    ...declared.flatMap(checkIdCodec),
    ...declared.flatMap((type) => checkTree(type, options)),
    ...declared.flatMap(({ resourceClass, resource }) =>
      checkResourceChoices(nameOf(resourceClass), resource?.options ?? {}),
    ),
    ...declared.flatMap((type) => checkFields(type, { declared, options })),
    ...checkHierarchy(declared),
  ]
  if (problems.length > 0) throw new ConfigurationError(withoutRepetition(problems))
}

function checkRegisteredOnce(resources: readonly ResourceClass[]): ConfigurationIssue[] {
  return resources
    .filter((each, index) => resources.indexOf(each) !== index)
    .map((each) => ({
      location: nameOf(each),
      message: 'it is registered more than once.',
      remedy: 'Name it once in the resources of createJsonApi.',
    }))
}

function checkResource({ resourceClass, resource, description }: DeclaredType): ConfigurationIssue[] {
  const location = nameOf(resourceClass)
  const problems: ConfigurationIssue[] = []
  if (resource === undefined && !recordOf(resourceClass).issues.some(({ property }) => property === undefined)) {
    problems.push({
      location,
      message: 'it is registered, but has no @Resource.',
      remedy: 'Put @Resource with its public name on the class.',
    })
  }
  if (description === undefined) {
    problems.push({
      location,
      message: 'it is registered, but not mapped by the DataSource.',
      remedy: 'Put @Entity or @ChildEntity on the class, and add it to the entities of the DataSource.',
    })
  }
  const abstract: unknown = resource?.options.abstract
  if (abstract !== undefined && typeof abstract !== 'boolean') {
    problems.push({
      location,
      message: `its abstract is '${String(abstract)}'.`,
      remedy: 'Give true, or leave it out.',
    })
  }
  return description === undefined ? problems : [...problems, ...checkPrimaryKey(location, description)]
}

function checkPrimaryKey(location: string, { primaryKey, columns }: EntityDescription): ConfigurationIssue[] {
  if (primaryKey.length === 0) {
    return [{ location, message: 'it has no primary key.', remedy: 'Give it a primary column: its value is the id.' }]
  }
  return primaryKey
    .filter((property) => !columns.has(property))
    .map((property) => ({
      location: location,
      message: `its primary key ${property} is no column of its own.`,
      remedy: 'Put @PrimaryColumn on a property of the class: its value is the id.',
    }))
}

function checkTypeNames(declared: readonly DeclaredType[]): ConfigurationIssue[] {
  const owners = new Map<string, ResourceClass>()
  return declared.flatMap(({ resourceClass, resource }) => {
    if (resource === undefined) return []
    const location = nameOf(resourceClass)
    const { name } = resource
    const owner = owners.get(name)
    owners.set(name, owner ?? resourceClass)
    const problems = checkTypeName(location, name)
    if (owner === undefined) return problems
    return [
      ...problems,
      {
        location,
        message: `its public name '${name}' is that of ${nameOf(owner)} too.`,
        remedy: 'Give one of them another name in @Resource.',
      },
    ]
  })
}

function checkTypeName(location: string, name: string): ConfigurationIssue[] {
  if (isMemberName(name)) return []
  const remedy = "Use letters and digits, with '-' and '_' only in between."
  return [{ location, message: `its public name '${name}' is not a legal one.`, remedy }]
}

/** What a type says of pages; what its base says is checked there. */
function checkResourcePage({ resourceClass, resource, base }: DeclaredType, { page }: Options): ConfigurationIssue[] {
  const said = resource?.options.page
  if (said === undefined) return []
  return checkPage(nameOf(resourceClass), said, base === undefined ? page : pageOf(base, page))
}

/** Classes above several resource classes are looked at with each of them. */
function withoutRepetition(problems: readonly ConfigurationIssue[]): readonly ConfigurationIssue[] {
  const keyed = problems.map((each): [string, ConfigurationIssue] => [`${each.location}: ${each.message}`, each])
  return [...new Map(keyed).values()]
}
