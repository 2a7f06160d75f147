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
  | 'moment'
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
  readonly parts?: Readonly<Record<string, AttributeModel>>
  /** Compared by the database's default collation, so nothing is sorted by it. */
  readonly unordered?: true
  readonly default?: string | number | boolean
  readonly unique?: true
  readonly capabilities?: readonly AttributeCapability[]
}

export interface RelationshipModel {
  /** `belongsTo`: the row has the foreign key. `has`: the related row has it. `pairs`: a junction table has both. */
  readonly kind: 'belongsTo' | 'hasMany' | 'ownsOne' | 'hasOne' | 'pairs' | 'pairsOfOther'
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

const WHOLE: AttributeModel = { kind: 'integer' }
const TEXT: AttributeModel = { kind: 'text' }
const UUID: AttributeModel = { kind: 'uuid' }

/** Lookups in a model. */
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

  /** The type itself first, the topmost type last. */
  readonly chain = remember((type: string): readonly string[] => {
    const { base } = this.get(type)
    return base === undefined ? [type] : [type, ...this.chain(base)]
  })

  rootOf(type: string): string {
    return this.chain(type).at(-1) as string
  }

  isA(type: string, base: string): boolean {
    return this.chain(type).includes(base)
  }

  /** Includes the type itself. */
  readonly descendants = remember((type: string) => this.names.filter((each) => this.isA(each, type)))

  /** The stored types of a type. */
  readonly stored = remember((type: string) => this.descendants(type).filter((each) => !this.get(each).abstract))

  /** Includes inherited fields. */
  readonly attributes = remember((type: string): ReadonlyMap<string, AttributeModel> => {
    return new Map(
      this.chain(type)
        .toReversed()
        .flatMap((each) => Object.entries(this.get(each).attributes ?? {})),
    )
  })

  readonly relationships = remember((type: string): ReadonlyMap<string, RelationshipModel> => {
    return new Map(
      this.chain(type)
        .toReversed()
        .flatMap((each) => Object.entries(this.get(each).relationships ?? {})),
    )
  })

  idModel(type: string): AttributeModel {
    const { id } = this.get(this.rootOf(type))
    if (typeof id === 'object') return { kind: 'key', parts: id }
    return id === 'text' ? TEXT : id === 'uuid' ? UUID : WHOLE
  }

  /** The columns of a key. */
  keyNames(type: string): readonly string[] {
    return Object.keys(this.idModel(type).parts ?? { id: WHOLE })
  }

  isHierarchy(type: string): boolean {
    return this.descendants(this.rootOf(type)).length > 1
  }

  /** The type that declares a field. */
  declaring(type: string, field: string): string {
    const found = this.chain(type).find((each) => {
      const { attributes = {}, relationships = {} } = this.get(each)
      return Object.hasOwn(attributes, field) || Object.hasOwn(relationships, field)
    })
    if (found === undefined) throw new Error(`The type '${type}' has no field '${field}'.`)
    return found
  }
}

export function isToMany({ kind }: RelationshipModel): boolean {
  return kind === 'hasMany' || kind === 'pairs' || kind === 'pairsOfOther'
}

function remember<Value>(work: (type: string) => Value): (type: string) => Value {
  const known = new Map<string, Value>()
  return (type) => {
    const found = known.get(type) ?? work(type)
    known.set(type, found)
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

export function pairTableOf(type: string, relationship: string): string {
  return `${type}_${relationship}`
}

export interface Setting {
  readonly database: DatabaseName
  readonly layout: Layout
}

/** Creates new classes by type, bases first. */
export function makeClasses(types: Types, setting: Setting): ReadonlyMap<string, ResourceClass> {
  const classes = new Map<string, ResourceClass>()
  for (const type of types.names) classes.set(type, makeClass(types, type, setting, classes))
  return classes
}

type Decorator = (prototype: object, property: string) => void

function makeClass(
  types: Types,
  type: string,
  { database, layout }: Setting,
  classes: ReadonlyMap<string, ResourceClass>,
): ResourceClass {
  const { base, abstract, version, id, attributes = {}, relationships = {} } = types.get(type)
  const name = classNameOf(type)
  const Base = base === undefined ? Object : (classes.get(base) as new () => object)
  const Made = { [name]: class extends Base {} }[name] as new () => object
  const decorate = (property: string, ...decorators: readonly unknown[]) => {
    for (const each of decorators) (each as Decorator)(Made.prototype, property)
  }
  if (base === undefined && typeof id !== 'object') decorate('id', idColumn(id, database))
  const parts = typeof id === 'object' ? id : {}
  for (const [part, each] of Object.entries(parts)) {
    decorate(part, PrimaryColumn(columnOf(each, database) as PrimaryColumnOptions))
  }
  if (version) decorate('version', VersionColumn())
  for (const [field, each] of Object.entries(attributes)) {
    const { capabilities, property = field } = each
    const options = { ...(property === field ? {} : { name: field }), ...(capabilities && { capabilities }) }
    if (!Object.hasOwn(parts, field)) decorate(property, Column(columnOf(each, database)))
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
  for (const each of decorators) (each as (target: object) => void)(Made)
  return Made
}

function relationOf(types: Types, type: string, field: string, each: RelationshipModel): readonly unknown[] {
  const { kind, to, inverse, required, onDelete } = each
  const ends = [classNameOf(to), ...(inverse === undefined ? [] : [inverse])] as [string, string]
  const options = { nullable: required === undefined, ...(onDelete && { onDelete }) }
  const keyTo = (end: string, name: string) => {
    const names = types.keyNames(end)
    const columns = keyColumnsOf(name, names)
    return names.map((part, at) => ({ name: columns[at] as string, referencedColumnName: part }))
  }
  const key = JoinColumn(keyTo(to, field))
  switch (kind) {
    case 'belongsTo':
      return [relate(ManyToOne, ends, options), key]
    case 'ownsOne':
      return [relate(OneToOne, ends, options), key]
    case 'hasOne':
      return [OneToOne(...ends)]
    case 'hasMany':
      return [OneToMany(...ends)]
    case 'pairs':
      return [
        relate(ManyToMany, ends, {}),
        JoinTable({
          name: pairTableOf(type, field),
          joinColumns: keyTo(type, 'left'),
          inverseJoinColumns: keyTo(to, 'right'),
        }),
      ]
    case 'pairsOfOther':
      return [ManyToMany(...ends)]
  }
}

/** TypeORM accepts the options in place of a missing inverse. */
function relate(
  decorator: (...given: [string, string, object]) => PropertyDecorator,
  [to, inverse]: readonly string[],
  options: object,
): PropertyDecorator {
  const given = inverse === undefined ? [to, options] : [to, inverse, options]
  return decorator(...(given as [string, string, object]))
}

function idColumn(id: 'text' | 'uuid' | 'generated' | undefined, database: DatabaseName): PropertyDecorator {
  if (id === 'generated') return PrimaryGeneratedColumn()
  if (id === 'uuid') return PrimaryColumn({ type: 'uuid' })
  return id === 'text' ? PrimaryColumn(exactText(database, 40)) : PrimaryColumn({ type: 'int' })
}

const EXACT = { sqlite: {}, postgres: { collation: 'C' }, mariadb: { collation: 'utf8mb4_nopad_bin' } }

function exactText(database: DatabaseName, length: number) {
  return { type: 'varchar', length, ...EXACT[database] } as const
}

function columnOf(attribute: AttributeModel, database: DatabaseName): ColumnOptions {
  const { kind, nullable = false, values = [], unordered, default: initial, unique = false } = attribute
  const shared = { nullable, unique, ...(initial === undefined ? {} : { default: initial }) }
  switch (kind) {
    case 'text':
      return { ...(unordered ? looseText(database) : exactText(database, 120)), ...shared }
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
    case 'moment':
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
      throw new Error('A key is several columns.')
  }
}

/** Compares case-insensitively, if the database supports it. */
function looseText(database: DatabaseName): ColumnOptions {
  return { type: 'varchar', length: 120, ...(database === 'mariadb' && { collation: 'utf8mb4_general_ci' }) }
}
