import { isUrlSafeMemberName, RESERVED_FIELD_NAMES } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { EntityDescription } from '../model/entity-description'
import {
  type DeclaredField,
  effectivePageOptions,
  formatFieldLocation,
  type RegisteredResourceClass,
  registeredAncestors,
} from '../model/registered-resource-class'
import type { ResourceClass } from '../model/resource-graph'
import { classNameForMessages } from '../model/superclasses'
import type { ValueConstraints } from '../model/value-type'
import type { ResolvedApiOptions } from '../options/options'
import { findFieldOptionValueIssues } from './check-choices'
import { findPageOptionIssues } from './check-page-options'
import { createSingleConfigurationIssueList, formatOptionValue } from './option-checks'

/** All registered types, and the general options. */
interface CheckContext {
  readonly registered: readonly RegisteredResourceClass[]
  readonly options: ResolvedApiOptions
}

/** Checks the fields that a type declares itself. */
export function findDeclaredFieldIssues(type: RegisteredResourceClass, context: CheckContext): ConfigurationIssue[] {
  const { fields, description } = type
  return [
    ...fields.flatMap(findFieldNameIssues),
    ...findAllClashIssues(type),
    ...(description === undefined ? [] : fields.flatMap((field) => findMappingIssues(field, description))),
    ...(description === undefined ? [] : fields.flatMap((field) => findTargetIssues(field, description, context))),
    ...(description === undefined ? [] : fields.flatMap((field) => findRequiredIssues(field, description))),
    ...fields.flatMap((field) => findFieldOptionValueIssues(formatFieldLocation(field), field.declaration)),
    ...fields.flatMap((field) => findRelationshipPageIssues(field, type, context)),
  ]
}

function findFieldNameIssues(field: DeclaredField): ConfigurationIssue[] {
  const location = formatFieldLocation(field)
  const { name } = field
  if (typeof name !== 'string' || !isUrlSafeMemberName(name)) {
    return createSingleConfigurationIssueList(
      location,
      `its public name ${formatOptionValue(name)} is invalid.`,
      "Name it with letters and digits, and '-' and '_' only in between: { name: '...' }.",
    )
  }
  if (!RESERVED_FIELD_NAMES.includes(name)) return []
  const remedy =
    name === 'id' ? 'Remove the decorator: every resource shows its id.' : "Give it another name: { name: '...' }."
  return createSingleConfigurationIssueList(location, `its public name '${name}' is reserved.`, remedy)
}

/** Checks that names are unique. Attributes and relationships, inherited or not, share one set of names. */
function findAllClashIssues(type: RegisteredResourceClass): ConfigurationIssue[] {
  const inherited = registeredAncestors(type).flatMap(({ fields }) => fields)
  const own = type.ownClasses
    .toReversed()
    .flatMap((each) => type.fields.filter(({ declaredBy }) => declaredBy === each))
  return own.flatMap((field, index) => findClashIssues(field, [...inherited, ...own.slice(0, index)]))
}

function findClashIssues(field: DeclaredField, others: readonly DeclaredField[]): ConfigurationIssue[] {
  const location = formatFieldLocation(field)
  const sameProperty = others.find(({ declaration }) => declaration.property === field.declaration.property)
  if (sameProperty?.declaredBy === field.declaredBy) {
    return createSingleConfigurationIssueList(
      location,
      'it is declared as a field more than once.',
      'Keep one of the decorators.',
    )
  }
  if (sameProperty !== undefined) {
    return createSingleConfigurationIssueList(
      location,
      `it is a field of ${classNameForMessages(sameProperty.declaredBy)} already, and inherited: it can't be hidden or renamed.`,
      'Remove the decorator here.',
    )
  }
  const sameName = others.find(({ name }) => name === field.name)
  if (sameName === undefined) return []
  return createSingleConfigurationIssueList(
    location,
    `its public name ${formatOptionValue(field.name)} is that of ${formatFieldLocation(sameName)} too.`,
    "Give one of them another name: { name: '...' }.",
  )
}

/** Checks that TypeORM maps the property as the decorator says. */
function findMappingIssues(field: DeclaredField, description: EntityDescription): ConfigurationIssue[] {
  const location = formatFieldLocation(field)
  const { kind, property } = field.declaration
  const relation = description.relations.get(property)
  if (kind === 'attribute') return findColumnIssues(field, description)
  if (relation === undefined) {
    return createSingleConfigurationIssueList(
      location,
      'it is a relationship, but the property has no relation.',
      description.columns.has(property)
        ? 'Use @Attribute for a column.'
        : `Put ${kind === 'toOne' ? '@ManyToOne or @OneToOne' : '@OneToMany or @ManyToMany'} of TypeORM on the property.`,
    )
  }
  if (relation.kind === kind)
    return relation.refersTo === 'ids' ? [] : [{ location, ...KEY_PROBLEMS[relation.refersTo] }]
  return [
    relation.kind === 'toOne'
      ? { location, message: 'it is a to-many relationship, but its relation is to one.', remedy: 'Use @ToOne.' }
      : { location, message: 'it is a to-one relationship, but its relation is to many.', remedy: 'Use @ToMany.' },
  ]
}

const KEY_PROBLEMS = {
  others: {
    message: 'its foreign key does not refer to the primary key.',
    remedy:
      'Leave `referencedColumnName` out, or name each column of the primary key once, in a @JoinColumn of its own.',
  },
  nothing: {
    message: 'neither side of its relation has a key.',
    remedy: 'Put @JoinTable on one side of a @ManyToMany, and @JoinColumn on one side of a @OneToOne.',
  },
}

function findColumnIssues(field: DeclaredField, description: EntityDescription): ConfigurationIssue[] {
  const location = formatFieldLocation(field)
  const { property } = field.declaration
  const relation = description.relations.get(property)
  if (relation !== undefined) {
    const remedy = `Use ${relation.kind === 'toOne' ? '@ToOne' : '@ToMany'}.`
    return createSingleConfigurationIssueList(location, 'it is an attribute, but the property has a relation.', remedy)
  }
  const column = description.columns.get(property)
  if (column === undefined) {
    return createSingleConfigurationIssueList(
      location,
      'it is an attribute, but the property has no column of its own.',
      'Put @Column on the property. The discriminator column cannot be an attribute.',
    )
  }
  if (hasNoColumns(column.constraints)) {
    return createSingleConfigurationIssueList(
      location,
      'it is an attribute, but its embedded object has no columns.',
      'Remove the decorator, or add a column to the embedded class.',
    )
  }
  // A column of a composite key is not the id, so it may be an attribute.
  if (description.primaryKey.includes(property) && description.primaryKey.length === 1) {
    if (RESERVED_FIELD_NAMES.includes(field.name)) return []
    return createSingleConfigurationIssueList(
      location,
      'it is an attribute, but also the primary key.',
      'Remove the decorator: every resource shows its id.',
    )
  }
  if (!column.isForeignKey) return []
  return createSingleConfigurationIssueList(
    location,
    'it is an attribute, but holds the key of a related resource.',
    'Remove the decorator, and put @ToOne on the property with the relation. Or replace the relation by @ForeignKey on this column.',
  )
}

function hasNoColumns({ shape }: ValueConstraints): boolean {
  return shape !== undefined && [...shape.values()].every(({ constraints }) => hasNoColumns(constraints))
}

function findTargetIssues(
  field: DeclaredField,
  description: EntityDescription,
  { registered }: CheckContext,
): ConfigurationIssue[] {
  const target = findTarget(field, description)
  if (target === undefined || registered.some(({ resourceClass }) => resourceClass === target)) return []
  return createSingleConfigurationIssueList(
    formatFieldLocation(field),
    `its target ${classNameForMessages(target)} is not registered.`,
    `Add ${classNameForMessages(target)} to the resources of createJsonApi.`,
  )
}

/** Checks that the row has the key of a required relationship, and that no deletion clears it. */
function findRequiredIssues(field: DeclaredField, { relations }: EntityDescription): ConfigurationIssue[] {
  const { declaration } = field
  const relation = relations.get(declaration.property)
  if (declaration.kind !== 'toOne' || declaration.options.required !== true || relation?.kind !== 'toOne') return []
  const location = formatFieldLocation(field)
  if (!relation.holdsKey) {
    return createSingleConfigurationIssueList(
      location,
      'it is required, but the related row has the foreign key.',
      'Remove required, or set it on the side with @JoinColumn.',
    )
  }
  if (!relation.isClearedOnDelete) return []
  return createSingleConfigurationIssueList(
    location,
    "it is required, but onDelete: 'SET NULL' clears it with the deletion of the related resource.",
    "Remove onDelete to refuse such deletions, or set onDelete: 'CASCADE'.",
  )
}

function findTarget({ declaration }: DeclaredField, description: EntityDescription): ResourceClass | undefined {
  return declaration.kind === 'attribute' ? undefined : description.relations.get(declaration.property)?.target
}

function findRelationshipPageIssues(
  field: DeclaredField,
  owner: RegisteredResourceClass,
  { registered, options }: CheckContext,
): ConfigurationIssue[] {
  const { declaration } = field
  if (declaration.kind !== 'toMany') return []
  const { page } = declaration.options
  if (page === undefined || page === false) return []
  const target = owner.description && findTarget(field, owner.description)
  const type = registered.find(({ resourceClass }) => resourceClass === target)
  return findPageOptionIssues(
    formatFieldLocation(field),
    page,
    type === undefined ? options.page : effectivePageOptions(type, options.page),
  )
}
