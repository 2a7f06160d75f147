import 'reflect-metadata'
import { Attribute, Resource, type ResourceClass, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  type ColumnOptions,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  type PrimaryColumnOptions,
  PrimaryGeneratedColumn,
  TableInheritance,
  VersionColumn,
} from 'typeorm'
import type { DatabaseName, Layout } from './databases'

// A model as plain data. The entity classes of each database and layout are generated from it, and the exams compute expected results from
// it.

export type Kind =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'time'
  | 'enum'
  | 'list'
  | 'json'
  | 'uuid'
  | 'key'

type AttributeCapability = 'view' | 'filter' | 'sort' | 'create' | 'change'
type RelationshipCapability = 'view' | 'include' | 'filter' | 'create' | 'set' | 'add' | 'remove'

export interface AttributeModel {
  readonly kind: Kind
  readonly nullable?: true
  /** The name of the property and column, if siblings have the same public name. */
  readonly property?: string
  readonly values?: readonly string[]
  /** For composite keys, by column. */
  readonly keyColumns?: Readonly<Record<string, AttributeModel>>
  /** Uses the default collation of the database, so its order is unspecified. */
  readonly unordered?: true
  readonly default?: string | number | boolean
  readonly unique?: true
  readonly capabilities?: readonly AttributeCapability[]
}

export interface RelationshipModel {
  /** `belongsTo`: the row has the foreign key. `has`: the related row has it. `manyToMany`: a junction table has both. */
  readonly kind: 'belongsTo' | 'hasMany' | 'ownsOneToOne' | 'hasOne' | 'manyToMany' | 'inverseManyToMany'
  readonly to: string
  readonly inverse?: string
  readonly required?: true
  readonly onDelete?: 'CASCADE' | 'SET NULL'
  readonly capabilities?: readonly RelationshipCapability[]
}

export interface TypeModel {
  readonly base?: string
  readonly abstract?: true
  readonly version?: true
  /**
   * The key of a topmost type. Default: an integer. Several columns make an id such as `a~7`. An attribute with the name of a key column is
   * that column.
   */
  readonly id?: 'text' | 'uuid' | 'generated' | Readonly<Record<string, AttributeModel>>
  readonly attributes?: Readonly<Record<string, AttributeModel>>
  readonly relationships?: Readonly<Record<string, RelationshipModel>>
}

export type Model = Readonly<Record<string, TypeModel>>

const INTEGER: AttributeModel = { kind: 'integer' }
const TEXT: AttributeModel = { kind: 'text' }
const UUID: AttributeModel = { kind: 'uuid' }

/** Returns facts about the types of a model. */
export class Types {
  readonly model: Model
  readonly names: readonly string[]

  constructor(model: Model) {
    this.model = model
    this.names = Object.keys(model)
  }

  get(type: string): TypeModel {
    const found = this.model[type]
    if (found === undefined) throw new Error(`The model has no type '${type}'.`)
    return found
  }

  /** Returns the type and its bases, the topmost type last. */
  readonly lineage = memoize((type: string): readonly string[] => {
    const { base } = this.get(type)
    return base === undefined ? [type] : [type, ...this.lineage(base)]
  })

  rootOf(type: string): string {
    return this.lineage(type).at(-1) as string
  }

  isSameOrDerivedType(type: string, base: string): boolean {
    return this.lineage(type).includes(base)
  }

  /** Includes the type itself. */
  readonly descendants = memoize((type: string) => this.names.filter((each) => this.isSameOrDerivedType(each, type)))

  /** The stored types of a type. */
  readonly storedTypes = memoize((type: string) => this.descendants(type).filter((each) => !this.get(each).abstract))

  /** Includes inherited fields. */
  readonly attributes = memoize((type: string): ReadonlyMap<string, AttributeModel> => {
    return new Map(
      this.lineage(type)
        .toReversed()
        .flatMap((each) => Object.entries(this.get(each).attributes ?? {})),
    )
  })

  readonly relationships = memoize((type: string): ReadonlyMap<string, RelationshipModel> => {
    return new Map(
      this.lineage(type)
        .toReversed()
        .flatMap((each) => Object.entries(this.get(each).relationships ?? {})),
    )
  })

  idModel(type: string): AttributeModel {
    const { id } = this.get(this.rootOf(type))
    if (typeof id === 'object') return { kind: 'key', keyColumns: id }
    return id === 'text' ? TEXT : id === 'uuid' ? UUID : INTEGER
  }

  /** The columns of a key. */
  keyNames(type: string): readonly string[] {
    return Object.keys(this.idModel(type).keyColumns ?? { id: INTEGER })
  }

  isHierarchy(type: string): boolean {
    return this.descendants(this.rootOf(type)).length > 1
  }

  /** The type that declares a field. */
  declaringType(type: string, field: string): string {
    const found = this.lineage(type).find((each) => {
      const { attributes = {}, relationships = {} } = this.get(each)
      return Object.hasOwn(attributes, field) || Object.hasOwn(relationships, field)
    })
    if (found === undefined) throw new Error(`The type '${type}' has no field '${field}'.`)
    return found
  }
}

export function isToMany({ kind }: RelationshipModel): boolean {
  return kind === 'hasMany' || kind === 'manyToMany' || kind === 'inverseManyToMany'
}

function memoize<Value>(compute: (type: string) => Value): (type: string) => Value {
  const cache = new Map<string, Value>()
  return (type) => {
    const found = cache.get(type) ?? compute(type)
    cache.set(type, found)
    return found
  }
}

/** `hidden-men` becomes `HiddenMen`: the name of the class and of its table, and the discriminator of its rows. */
export function classNameOf(type: string): string {
  return type.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())
}

/** The columns of a foreign key, one for each key column. */
export function keyColumnsOf(relationship: string, names: readonly string[]): readonly string[] {
  return names.length === 1 ? [`${relationship}Key`] : names.map((name) => `${relationship}Key_${name}`)
}

export function junctionTableOf(type: string, relationship: string): string {
  return `${type}_${relationship}`
}

export interface Configuration {
  readonly database: DatabaseName
  readonly layout: Layout
}

/** Creates new classes by type, bases first. */
export function createClasses(types: Types, setting: Configuration): ReadonlyMap<string, ResourceClass> {
  const classes = new Map<string, ResourceClass>()
  for (const type of types.names) classes.set(type, createClass(types, type, setting, classes))
  return classes
}

type Decorator = (prototype: object, property: string) => void

function createClass(
  types: Types,
  type: string,
  { database, layout }: Configuration,
  classes: ReadonlyMap<string, ResourceClass>,
): ResourceClass {
  const { base, abstract, version, id, attributes = {}, relationships = {} } = types.get(type)
  const name = classNameOf(type)
  const Base = base === undefined ? Object : (classes.get(base) as new () => object)
  const Class = { [name]: class extends Base {} }[name] as new () => object
  const decorate = (property: string, ...decorators: readonly unknown[]) => {
    for (const each of decorators) (each as Decorator)(Class.prototype, property)
  }
  if (base === undefined && typeof id !== 'object') decorate('id', idColumn(id, database))
  const keyColumns = typeof id === 'object' ? id : {}
  for (const [column, each] of Object.entries(keyColumns)) {
    decorate(column, PrimaryColumn(columnOf(each, database) as PrimaryColumnOptions))
  }
  if (version) decorate('version', VersionColumn())
  for (const [field, each] of Object.entries(attributes)) {
    const { capabilities, property = field } = each
    const options = { ...(property === field ? {} : { name: field }), ...(capabilities && { capabilities }) }
    if (!Object.hasOwn(keyColumns, field)) decorate(property, Column(columnOf(each, database)))
    decorate(property, Attribute(options as object))
  }
  for (const [field, each] of Object.entries(relationships)) {
    const options = each.capabilities === undefined ? {} : { capabilities: each.capabilities }
    decorate(field, ...relationOf(types, type, field, each), (isToMany(each) ? ToMany : ToOne)(options as object))
  }
  const isChild = base !== undefined
  const decorators: unknown[] = []
  if (isChild && layout === 'single') decorators.push(ChildEntity())
  else decorators.push(Entity(type))
  if (!isChild && types.isHierarchy(type) && layout !== 'concrete')
    decorators.push(TableInheritance({ column: { type: 'varchar', name: 'kind', length: 40 } }))
  decorators.push(
    Resource(type, {
      ...(abstract && { abstract }),
      ...(isChild || id === 'generated' ? {} : { clientGeneratedIds: 'required' }),
    }),
  )
  for (const each of decorators) (each as (target: object) => void)(Class)
  return Class
}

function relationOf(types: Types, type: string, field: string, each: RelationshipModel): readonly unknown[] {
  const { kind, to, inverse, required, onDelete } = each
  const targetAndInverse = [classNameOf(to), ...(inverse === undefined ? [] : [inverse])] as [string, string]
  const options = { nullable: required === undefined, ...(onDelete && { onDelete }) }
  const foreignKeyTo = (end: string, name: string) => {
    const names = types.keyNames(end)
    const columns = keyColumnsOf(name, names)
    return names.map((column, at) => ({ name: columns[at] as string, referencedColumnName: column }))
  }
  const key = JoinColumn(foreignKeyTo(to, field))
  switch (kind) {
    case 'belongsTo':
      return [createDecorator(ManyToOne, targetAndInverse, options), key]
    case 'ownsOneToOne':
      return [createDecorator(OneToOne, targetAndInverse, options), key]
    case 'hasOne':
      return [OneToOne(...targetAndInverse)]
    case 'hasMany':
      return [OneToMany(...targetAndInverse)]
    case 'manyToMany':
      return [
        createDecorator(ManyToMany, targetAndInverse, {}),
        JoinTable({
          name: junctionTableOf(type, field),
          joinColumns: foreignKeyTo(type, 'left'),
          inverseJoinColumns: foreignKeyTo(to, 'right'),
        }),
      ]
    case 'inverseManyToMany':
      return [ManyToMany(...targetAndInverse)]
  }
}

/** Without an inverse, TypeORM expects the options as the second argument. */
function createDecorator(
  decorator: (...args: [string, string, object]) => PropertyDecorator,
  [to, inverse]: readonly string[],
  options: object,
): PropertyDecorator {
  const args = inverse === undefined ? [to, options] : [to, inverse, options]
  return decorator(...(args as [string, string, object]))
}

function idColumn(id: 'text' | 'uuid' | 'generated' | undefined, database: DatabaseName): PropertyDecorator {
  if (id === 'generated') return PrimaryGeneratedColumn()
  if (id === 'uuid') return PrimaryColumn({ type: 'uuid' })
  return id === 'text' ? PrimaryColumn(binaryText(database, 40)) : PrimaryColumn({ type: 'int' })
}

const BINARY_COLLATIONS = { sqlite: {}, postgres: { collation: 'C' }, mariadb: { collation: 'utf8mb4_nopad_bin' } }

function binaryText(database: DatabaseName, length: number) {
  return { type: 'varchar', length, ...BINARY_COLLATIONS[database] } as const
}

function columnOf(attribute: AttributeModel, database: DatabaseName): ColumnOptions {
  const { kind, nullable = false, values = [], unordered, default: initial, unique = false } = attribute
  const shared = { nullable, unique, ...(initial === undefined ? {} : { default: initial }) }
  switch (kind) {
    case 'text':
      return { ...(unordered ? caseInsensitiveText(database) : binaryText(database, 120)), ...shared }
    case 'integer':
      return { type: 'int', ...shared }
    case 'bigint':
      return { type: 'bigint', ...shared }
    case 'float':
      return { type: 'double precision', ...shared }
    case 'decimal':
      return { type: 'decimal', precision: 12, scale: 2, ...shared }
    case 'boolean':
      return { type: 'boolean', ...shared }
    case 'timestamp':
      return database === 'postgres'
        ? { type: 'timestamptz', precision: 3, ...shared }
        : { type: 'datetime', ...(database === 'mariadb' && { precision: 3 }), ...shared }
    case 'date':
      return { type: 'date', ...shared }
    case 'time':
      return { type: 'time', ...shared }
    case 'enum':
      return { type: 'simple-enum', enum: [...values], ...shared }
    case 'list':
      return { type: 'simple-array', ...shared }
    case 'json':
      return { type: 'simple-json', ...shared }
    case 'uuid':
      return { type: 'uuid', ...shared }
    case 'key':
      throw new Error('A composite key has several columns.')
  }
}

/** Returns a column that MariaDB compares case-insensitively. */
function caseInsensitiveText(database: DatabaseName): ColumnOptions {
  return { type: 'varchar', length: 120, ...(database === 'mariadb' && { collation: 'utf8mb4_general_ci' }) }
}
