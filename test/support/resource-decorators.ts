import { Resource } from 'stemma'
import { ChildEntity, Entity, TableInheritance } from 'typeorm'
import type { ResourceOptions } from '../../src/declarations/field-options'

// Declare a resource type and its entity together. Tests of these decorators themselves use those of the library and of TypeORM.

type StoredOptions = ResourceOptions & { readonly table?: string }

/** Declares a resource type with its own table, which is named like the type by default. */
export function StoredResource(name: string, { table = name, ...options }: StoredOptions = {}): ClassDecorator {
  return (target) => {
    Entity(table)(target)
    Resource(name, options)(target)
  }
}

/** Declares the root of a hierarchy in a single table, whose column `kind` is the discriminator. */
export function HierarchyRoot(name: string, options?: StoredOptions): ClassDecorator {
  return (target) => {
    TableInheritance({ column: { type: 'varchar', name: 'kind' } })(target)
    StoredResource(name, options)(target)
  }
}

/** Declares a type that is derived from another one of its hierarchy. */
export function DerivedResource(name: string, options?: ResourceOptions): ClassDecorator {
  return (target) => {
    ChildEntity()(target)
    Resource(name, options)(target)
  }
}
