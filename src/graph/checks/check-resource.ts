import { ownDeclarationsOf } from '../../declarations/class-declarations'
import { READ_ENDPOINTS } from '../../declarations/field-options'
import { isUrlSafeMemberName } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { EntityDescription } from '../model/entity-description'
import {
  effectivePageOptions,
  type RegisteredResourceClass,
  registeredAncestors,
} from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import type { ResolvedApiOptions } from '../options/options'
import { findResourceOptionValueIssues } from './check-choices'
import { findPageOptionIssues } from './check-page-options'
import { createSingleConfigurationIssueList, formatOptionValue, formatOptionValues } from './option-checks'

/** Checks the mapping and the options of one type, except those of its fields. */
export function findResourceClassIssues(
  type: RegisteredResourceClass,
  options: ResolvedApiOptions,
): ConfigurationIssue[] {
  const { resourceClass, resource } = type
  return [
    ...findMappedClassIssues(type),
    ...findAbstractClassIssues(type),
    ...findNameIssues(type),
    ...findResourcePageIssues(type, options),
    ...findSchemaIssues(type),
    ...findTreeIssues(type, options),
    ...findResourceOptionValueIssues(classNameForMessages(resourceClass), resource?.options ?? {}),
  ]
}

function findMappedClassIssues({
  resourceClass,
  resource,
  description,
}: RegisteredResourceClass): ConfigurationIssue[] {
  const location = classNameForMessages(resourceClass)
  const issues = description === undefined ? [{ location, ...NOT_MAPPED }] : findPrimaryKeyIssues(location, description)
  // A wrong use of `@Resource` is reported by the decorator itself.
  const isDeclared =
    resource !== undefined || ownDeclarationsOf(resourceClass).issues.some(({ property }) => property === undefined)
  return isDeclared ? issues : [{ location, ...NOT_DECLARED }, ...issues]
}

const NOT_DECLARED = {
  message: 'it is registered, but has no @Resource.',
  remedy: 'Put @Resource with its public name on the class.',
}

const NOT_MAPPED = {
  message: 'it is registered, but not mapped by the DataSource.',
  remedy:
    'Put @Entity or @ChildEntity on the class, or make it the target of an EntitySchema, and add it to the entities of the DataSource.',
}

function findPrimaryKeyIssues(location: string, { primaryKey, columns }: EntityDescription): ConfigurationIssue[] {
  if (primaryKey.length === 0) {
    return createSingleConfigurationIssueList(
      location,
      'it has no primary key.',
      'Give it a primary column: its value is the id.',
    )
  }
  return primaryKey
    .filter((property) => !columns.has(property))
    .flatMap((property) =>
      createSingleConfigurationIssueList(
        location,
        `its primary key ${property} is not a column of its own.`,
        'Put @PrimaryColumn on a property of the class: its value is the id.',
      ),
    )
}

function findAbstractClassIssues({ resourceClass, resource }: RegisteredResourceClass): ConfigurationIssue[] {
  const abstract: unknown = resource?.options.abstract
  if (abstract === undefined || typeof abstract === 'boolean') return []
  const message = `its abstract is ${formatOptionValue(abstract)}.`
  return createSingleConfigurationIssueList(classNameForMessages(resourceClass), message, 'Give true, or leave it out.')
}

function findNameIssues({ resourceClass, resource }: RegisteredResourceClass): ConfigurationIssue[] {
  if (resource === undefined || isUrlSafeMemberName(resource.name)) return []
  const message = `its public name '${resource.name}' is invalid.`
  return createSingleConfigurationIssueList(
    classNameForMessages(resourceClass),
    message,
    "Use letters and digits, with '-' and '_' only in between.",
  )
}

/** Checks the page options of the type itself. Inherited ones are checked at its base. */
function findResourcePageIssues(
  { resourceClass, resource, base }: RegisteredResourceClass,
  { page }: ResolvedApiOptions,
): ConfigurationIssue[] {
  const own = resource?.options.page
  if (own === undefined) return []
  return findPageOptionIssues(
    classNameForMessages(resourceClass),
    own,
    base === undefined ? page : effectivePageOptions(base, page),
  )
}

function findSchemaIssues({ resourceClass, resource }: RegisteredResourceClass): ConfigurationIssue[] {
  const schema: unknown = resource?.options.schema
  if (schema === undefined || isStandardSchema(schema)) return []
  const message = 'its schema does not follow Standard Schema, version 1.'
  return createSingleConfigurationIssueList(
    classNameForMessages(resourceClass),
    message,
    'Give a schema of Zod, Valibot, ArkType or the like.',
  )
}

function isStandardSchema(schema: unknown): boolean {
  const standard = memberOf(schema, '~standard')
  return memberOf(standard, 'version') === 1 && typeof memberOf(standard, 'validate') === 'function'
}

/** Returns a member of an object or a function: schemas may be functions. */
function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/**
 * Reports writable types with a tree that TypeORM keeps in columns or tables of its own. Our writes would not update these, so such types
 * must be read-only.
 */
function findTreeIssues(
  type: RegisteredResourceClass,
  { endpoints: general }: ResolvedApiOptions,
): ConfigurationIssue[] {
  const { resourceClass, description } = type
  if (description?.tree === undefined) return []
  const declared = [type, ...registeredAncestors(type)].map(({ resource }) => resource?.options.endpoints)
  const endpoints = declared.find((each) => each !== undefined) ?? general
  // A value that is not a list is reported with the options.
  if (!Array.isArray(endpoints) || endpoints.every((each) => READ_ENDPOINTS.includes(each))) return []
  return createSingleConfigurationIssueList(
    classNameForMessages(resourceClass),
    `it is a tree of the kind ${description.tree}, whose own columns or tables only TypeORM's save updates: writes of the API would corrupt the tree.`,
    `Make it @Tree('adjacency-list'), or make it read-only: { endpoints: [${formatOptionValues(READ_ENDPOINTS)}] }.`,
  )
}
