import { Resource } from 'stemma'
import {
  ChildEntity,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  OneToOne,
  type RelationOptions,
  TableInheritance,
} from 'typeorm'
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

/** Declares a many-to-many relation with the table of its pairs, which TypeORM names by default. */
export function OwnerManyToMany(target: string, inverse = '', table?: string): PropertyDecorator {
  return (prototype, property) => {
    ManyToMany(target, inverse)(prototype, property)
    JoinTable(table === undefined ? {} : { name: table })(prototype, property as string)
  }
}

/** Declares a one-to-one relation whose foreign key is in the row itself. */
export function OwnerOneToOne(target: string, inverse = '', options: RelationOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    OneToOne(target, inverse, options)(prototype, property)
    JoinColumn()(prototype, property as string)
  }
}
