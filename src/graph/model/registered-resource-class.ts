import {
  type FieldDeclaration,
  ownDeclarationsOf,
  type ResourceNameAndOptions,
} from '../../declarations/class-declarations'
import type { PageOptions } from '../../declarations/field-options'
import { givenOptions } from '../../declarations/given-options'
import type { EntityDescription } from './entity-description'
import type { ResourceClass } from './resource-graph'
import { classNameForMessages, selfAndSuperclasses } from './superclasses'

/** A registered class, with its decorators and the description of its entity. Not checked yet. */
export interface RegisteredResourceClass {
  readonly resourceClass: ResourceClass
  readonly resource: ResourceNameAndOptions | undefined
  readonly description: EntityDescription | undefined
  /** The nearest base class that is registered. */
  readonly base: RegisteredResourceClass | undefined
  /** The class and the classes between it and the base. Their fields are the type's own. */
  readonly ownClasses: readonly ResourceClass[]
  /** Without those of the base; the fields of the topmost class come first. */
  readonly fields: readonly DeclaredField[]
}

export interface DeclaredField {
  /** The public name. */
  readonly name: string
  readonly declaredBy: ResourceClass
  readonly declaration: FieldDeclaration
}

/** A type that passed the checks. */
export interface CheckedResourceClass extends RegisteredResourceClass {
  readonly resource: ResourceNameAndOptions
  readonly description: EntityDescription
}

export type FindEntityDescription = (resourceClass: ResourceClass) => EntityDescription | undefined

/** Returns one type per class, in the order of the classes. */
export function collectDeclarationsOfResourceClasses(
  resources: readonly ResourceClass[],
  describe: FindEntityDescription,
  namingStrategy: (property: string) => string,
): readonly RegisteredResourceClass[] {
  const registered = new Set(resources)
  const types = new Map<ResourceClass, RegisteredResourceClass>()
  const typeOf = (resourceClass: ResourceClass): RegisteredResourceClass => {
    const known = types.get(resourceClass)
    if (known !== undefined) return known
    const type = collectType(resourceClass)
    types.set(resourceClass, type)
    return type
  }
  const collectType = (resourceClass: ResourceClass): RegisteredResourceClass => {
    const [, ...rest] = selfAndSuperclasses(resourceClass)
    const baseClass = rest.find((each) => registered.has(each))
    const ownClasses = [resourceClass, ...rest.slice(0, baseClass && rest.indexOf(baseClass))]
    return {
      resourceClass,
      resource: ownDeclarationsOf(resourceClass).resource,
      description: describe(resourceClass),
      base: baseClass && typeOf(baseClass),
      ownClasses,
      fields: ownClasses.toReversed().flatMap((each) => declaredFields(each, namingStrategy)),
    }
  }
  return [...registered].map(typeOf)
}

export function hasDecoratorAndEntity(type: RegisteredResourceClass): type is CheckedResourceClass {
  return type.resource !== undefined && type.description !== undefined
}

/** Returns the types above this one, the nearest first. */
export function registeredAncestors(type: RegisteredResourceClass): readonly RegisteredResourceClass[] {
  return type.base === undefined ? [] : [type.base, ...registeredAncestors(type.base)]
}

/** Returns the page options of a type: its own take precedence over those of its base, then over the general ones. */
export function effectivePageOptions({ resource, base }: RegisteredResourceClass, general: PageOptions): PageOptions {
  return {
    ...(base === undefined ? general : effectivePageOptions(base, general)),
    ...givenOptions(resource?.options.page),
  }
}

/** Returns the location of a field for messages: `Man.wife`. */
export function formatFieldLocation({ declaredBy, declaration }: DeclaredField): string {
  return `${classNameForMessages(declaredBy)}.${declaration.property}`
}

function declaredFields(declaredBy: ResourceClass, namingStrategy: unknown): readonly DeclaredField[] {
  const toName = typeof namingStrategy === 'function' ? namingStrategy : (property: string) => property
  return ownDeclarationsOf(declaredBy).fields.map((declaration) => ({
    name: declaration.options.name ?? String(toName(declaration.property)),
    declaredBy,
    declaration,
  }))
}
