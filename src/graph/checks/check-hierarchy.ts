import { isDeepStrictEqual } from 'node:util'
import { ownDeclarationsOf } from '../../declarations/class-declarations'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { ColumnDescription, EntityDescription, EntityRelationDescription } from '../model/entity-description'
import { type RegisteredResourceClass, registeredAncestors } from '../model/registered-resource-class'
import type { ResourceClass } from '../model/resource-graph'
import { classNameForMessages, selfAndSuperclasses } from '../model/superclasses'
import type { ValueConstraints } from '../model/value-type'
import { createSingleConfigurationIssueList } from './option-checks'

/** Checks the classes of a hierarchy against each other. */
export function findHierarchyIssues(registered: readonly RegisteredResourceClass[]): ConfigurationIssue[] {
  const classes = new Set(registered.map(({ resourceClass }) => resourceClass))
  return [
    ...registered.flatMap((type) => findDescendantIssues(type, classes)),
    ...registered.flatMap(findClassesBelowBaseIssues),
    ...registered.flatMap(findRowsAmongBaseIssues),
    ...registered.flatMap(findDiscriminatorValueIssues),
    ...registered.flatMap((type) => findConcreteClassIssues(type, registered)),
    ...registered.flatMap(findReplacedRelationIssues),
    ...findSharedColumnIssues(registered),
    ...findSharedForeignKeyIssues(registered),
  ]
}

/** Checks that all mapped descendants are registered. A row of an unregistered class would have no resource type. */
function findDescendantIssues(
  { description }: RegisteredResourceClass,
  classes: ReadonlySet<ResourceClass>,
): ConfigurationIssue[] {
  return (description?.descendants ?? [])
    .filter((descendant) => !classes.has(descendant))
    .map((descendant) => {
      const base = selfAndSuperclasses(descendant).find((each) => classes.has(each))
      return {
        location: classNameForMessages(descendant),
        message: `it derives from ${classNameForMessages(base ?? descendant)} and is mapped, but not registered: its rows would have no resource type.`,
        remedy:
          'Put @Resource on the class (abstract: true if it has no rows of its own), and add it to the resources of createJsonApi.',
      }
    })
}

/** Reports classes between two registered types that declare columns or fields but are not mapped: TypeORM ignores their columns. */
function findClassesBelowBaseIssues({
  resourceClass,
  base,
  ownClasses,
  description,
}: RegisteredResourceClass): ConfigurationIssue[] {
  const mapped = base?.description?.descendants ?? []
  if (base === undefined) return []
  return ownClasses
    .slice(1)
    .filter((each) => !mapped.includes(each) && declaresColumnsOrFields(each, description))
    .flatMap((each) =>
      createSingleConfigurationIssueList(
        classNameForMessages(each),
        `it is between ${classNameForMessages(resourceClass)} and ${classNameForMessages(base.resourceClass)} and declares columns or fields, but is not mapped.`,
        `Put ${description?.hasOwnTable ? '@Entity' : '@ChildEntity'} and @Resource on the class (abstract: true if it has no rows of its own), and add it to the entities and resources.`,
      ),
    )
}

function declaresColumnsOrFields(plainClass: ResourceClass, description: EntityDescription | undefined): boolean {
  const { resource, fields } = ownDeclarationsOf(plainClass)
  const described = [...(description?.columns.values() ?? []), ...(description?.relations.values() ?? [])]
  if (description?.hasOwnTable) return resource !== undefined
  return resource !== undefined || fields.length > 0 || described.some(({ declaredBy }) => declaredBy === plainClass)
}

/** Reports derived types whose rows are not in the table of their base. A read of the base would miss these rows. */
function findRowsAmongBaseIssues({ resourceClass, base, description }: RegisteredResourceClass): ConfigurationIssue[] {
  if (base?.description === undefined || description === undefined) return []
  if (base.description.descendants.includes(resourceClass)) return []
  const baseName = classNameForMessages(base.resourceClass)
  return createSingleConfigurationIssueList(
    classNameForMessages(resourceClass),
    `it derives from ${baseName}, but its rows are not in the table of ${baseName}.`,
    `Put @TableInheritance on the topmost class and @ChildEntity on this one, call enableMultiTableInheritance(dataSource) for separate tables of decorated classes, or do not register ${baseName}.`,
  )
}

/** Reports an object as discriminator value. TypeORM would store `[object Object]` for every such class. */
function findDiscriminatorValueIssues({ resourceClass, description }: RegisteredResourceClass): ConfigurationIssue[] {
  const value = description?.discriminatorValue
  if (typeof value !== 'object' || value === null) return []
  const remedy = "Give @ChildEntity the value itself, @ChildEntity('man'), or nothing for the name of the class."
  return createSingleConfigurationIssueList(
    classNameForMessages(resourceClass),
    'its @ChildEntity has an object.',
    remedy,
  )
}

function findConcreteClassIssues(
  type: RegisteredResourceClass,
  registered: readonly RegisteredResourceClass[],
): ConfigurationIssue[] {
  if (!isAbstract(type)) return []
  if (registered.some((each) => !isAbstract(each) && registeredAncestors(each).includes(type))) return []
  return createSingleConfigurationIssueList(
    classNameForMessages(type.resourceClass),
    'it is abstract, but no concrete type derives from it.',
    'Register the classes that derive from it, or remove abstract: true.',
  )
}

function isAbstract({ resource }: RegisteredResourceClass): boolean {
  return resource?.options.abstract === true
}

/** Reports relations that TypeORM ignores: for each property name and table, it uses only the relation of the class that it finds first. */
function findReplacedRelationIssues({ ownClasses, description }: RegisteredResourceClass): ConfigurationIssue[] {
  return [...(description?.relations.values() ?? [])].flatMap(({ property, declaredBy, replacedBy }) => {
    if (replacedBy === undefined || !ownClasses.includes(declaredBy)) return []
    return {
      location: `${classNameForMessages(declaredBy)}.${property}`,
      message: `${classNameForMessages(replacedBy)} has a relation of the same property name, which TypeORM uses for both: results would be wrong.`,
      remedy: `Give the two properties different names, and the same public name with { name: '${property}' }.`,
    }
  })
}

interface OwnColumn {
  readonly type: RegisteredResourceClass
  readonly column: ColumnDescription
}

/** Reports derived types that share a column but declare it differently. */
function findSharedColumnIssues(registered: readonly RegisteredResourceClass[]): ConfigurationIssue[] {
  const first = new Map<string, OwnColumn>()
  return registered.flatMap(ownColumns).flatMap((own) => {
    const { column, type } = own
    const other = first.get(column.columnPath)
    first.set(column.columnPath, other ?? own)
    if (
      other === undefined ||
      areInSameLineage(type, other.type) ||
      (describeColumn(column) === describeColumn(other.column) &&
        isDeepStrictEqual(column.conversions, other.column.conversions))
    )
      return []
    const name = ({ column: { declaredBy, property } }: OwnColumn) => `${classNameForMessages(declaredBy)}.${property}`
    return {
      location: name(own),
      message: `it shares ${column.columnPath} with ${name(other)}, which declares the column differently.`,
      remedy: `Declare both alike, or give them different property names and the same public name with { name: '${column.property}' }.`,
    }
  })
}

function ownColumns(type: RegisteredResourceClass): OwnColumn[] {
  return [...(type.description?.columns.values() ?? [])]
    .filter(({ declaredBy }) => type.ownClasses.includes(declaredBy))
    .map((column) => ({ type, column }))
}

interface OwnForeignKey {
  readonly type: RegisteredResourceClass
  readonly relation: EntityRelationDescription
}

/**
 * Reports one-to-one relations of siblings with the same foreign key. The column is unique, so a link of one type would take the related resource from
 * a row of the other type without asking the rules of its relationship. Also reports a required relationship whose key another one could clear.
 */
function findSharedForeignKeyIssues(registered: readonly RegisteredResourceClass[]): ConfigurationIssue[] {
  const first = new Map<string | undefined, OwnForeignKey>()
  return registered.flatMap(ownForeignKeys).flatMap((own) => {
    const { relation, type } = own
    const other = first.get(relation.foreignKeyPath)
    first.set(relation.foreignKeyPath, other ?? own)
    if (other === undefined) return []
    const name = ({ relation: { declaredBy, property } }: OwnForeignKey) =>
      `${classNameForMessages(declaredBy)}.${property}`
    const isInSameTable = areInSameLineage(type, other.type) || type.description?.hasOwnTable === false
    const hasOption = hasRequiredOption(own) || hasRequiredOption(other)
    if (isInSameTable && hasOption && mustBeSet(own) !== mustBeSet(other)) {
      return {
        location: name(own),
        message: `it has the same foreign key as ${name(other)}, and only one of them is required.`,
        remedy: 'Set required at both, or give each @JoinColumn its own name.',
      }
    }
    if (!areSiblings(type, other.type) || (!relation.isExclusive && !other.relation.isExclusive)) return []
    return {
      location: name(own),
      message: `it has the same foreign key as ${name(other)}, and a one-to-one relation makes its values unique in the table.`,
      remedy: 'Give each @JoinColumn its own name, or declare the relation once in the common base class.',
    }
  })
}

function ownForeignKeys(type: RegisteredResourceClass): OwnForeignKey[] {
  return [...(type.description?.relations.values() ?? [])]
    .filter(({ foreignKeyPath, isInverseSide }) => foreignKeyPath !== undefined && !isInverseSide)
    .filter(({ declaredBy }) => type.ownClasses.includes(declaredBy))
    .map((relation) => ({ type, relation }))
}

function mustBeSet(key: OwnForeignKey): boolean {
  return !key.relation.isNullable || hasRequiredOption(key)
}

function hasRequiredOption({ type, relation: { property } }: OwnForeignKey): boolean {
  const declaration = type.fields.find((field) => field.declaration.property === property)?.declaration
  return declaration?.kind === 'toOne' && declaration.options.required === true
}

function areSiblings(one: RegisteredResourceClass, other: RegisteredResourceClass): boolean {
  const bases = registeredAncestors(other)
  return !areInSameLineage(one, other) && registeredAncestors(one).some((base) => bases.includes(base))
}

function areInSameLineage(one: RegisteredResourceClass, other: RegisteredResourceClass): boolean {
  return one === other || registeredAncestors(one).includes(other) || registeredAncestors(other).includes(one)
}

/** Describes a column for comparison. Leaves nullability out, because TypeORM makes every column of a derived class nullable. */
function describeColumn({
  constraints,
  hasDefault,
  defaultValue,
  valueOrigin,
  isTransformed,
}: ColumnDescription): string {
  return [describeConstraints(constraints), hasDefault, defaultValue, valueOrigin, isTransformed].join('|')
}

function describeConstraints(constraints: ValueConstraints): string {
  const { valueType, maximumLength, precision, scale, minimum, maximum, enumValues, shape = [] } = constraints
  const members = [...shape].map(([name, member]) => `${name}: ${describeConstraints(member.constraints)}`)
  return [valueType, maximumLength, precision, scale, minimum, maximum, enumValues, ...members].join('|')
}
