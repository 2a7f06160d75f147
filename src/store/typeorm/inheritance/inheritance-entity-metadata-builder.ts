import { type DataSource, type EntityMetadata, getMetadataArgsStorage } from 'typeorm'
import { EntityListenerMetadata } from 'typeorm/metadata/EntityListenerMetadata'
import type { JoinTableMetadataArgs } from 'typeorm/metadata-args/JoinTableMetadataArgs'
import { EntityMetadataBuilder } from 'typeorm/metadata-builder/EntityMetadataBuilder'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { isDeclaredNullable } from '../metadata/declared-columns'
import type { RelationMetadata, TableMetadataArgs } from '../metadata/typeorm-metadata'
import { type HierarchyClass, hierarchyClassesFromRoot, type MultiTableHierarchy } from './find-multi-table-hierarchies'
import { createInheritedKeyColumnMetadata } from './joined-table-keys'

/** Adds hierarchies with several tables to TypeORM's builder. With joined tables, a subclass gets only its own declarations and the key. */
export class InheritanceEntityMetadataBuilder extends EntityMetadataBuilder {
  private readonly classes = new Map<unknown, { hierarchy: MultiTableHierarchy; own: HierarchyClass }>()
  private readonly built = new Map<unknown, EntityMetadata>()
  private readonly junctions = new Map<RelationMetadata, EntityMetadata>()

  constructor(dataSource: DataSource, hierarchies: readonly MultiTableHierarchy[]) {
    super(dataSource, getMetadataArgsStorage())
    for (const hierarchy of hierarchies) {
      for (const own of hierarchy.classes) this.classes.set(own.target, { hierarchy, own })
    }
    const { junctionEntityMetadataBuilder: builder } = this
    const build = (relation: RelationMetadata, joinTable: JoinTableMetadataArgs) => {
      const declared = this.declaredRelation(relation)
      const junction = this.junctions.get(declared) ?? builder.build(declared, joinTable)
      this.junctions.set(declared, junction)
      return junction
    }
    this.junctionEntityMetadataBuilder = Object.assign(Object.create(builder), { build })
  }

  override build(targets: Function[]): EntityMetadata[] {
    // Removes duplicates: each of several classes adds the junction table that they share.
    return [...new Set(super.build(targets))]
  }

  protected override createEntityMetadata(args: TableMetadataArgs): EntityMetadata {
    const metadata = super.createEntityMetadata(args)
    const mapped = this.classes.get(metadata.target)
    if (mapped?.hierarchy.strategy === 'joined' && mapped.own.base !== undefined) {
      metadata.inheritanceTree = [...mapped.own.ownClasses]
    }
    this.built.set(metadata.target, metadata)
    return metadata
  }

  protected override computeEntityMetadataStep1(all: EntityMetadata[], metadata: EntityMetadata): void {
    super.computeEntityMetadataStep1(all, metadata)
    const mapped = this.classes.get(metadata.target)
    if (mapped === undefined) return
    // Otherwise TypeORM would add the columns of relations of base classes to the children.
    metadata.childEntityMetadatas = []
    if (mapped.hierarchy.strategy === 'joined') completeJoinedTable(metadata, mapped.own)
    else renameInherited(metadata, mapped.own)
  }

  protected override computeInverseProperties(metadata: EntityMetadata, all: EntityMetadata[]): void {
    super.computeInverseProperties(metadata, all)
    for (const relation of metadata.relations) {
      if (relation.inverseRelation === undefined) this.findInverseInBaseClasses(relation)
    }
  }

  /** Finds the inverse of a relation that a base class of the related class declares. */
  private findInverseInBaseClasses(relation: RelationMetadata): void {
    const mapped = this.classes.get(relation.inverseEntityMetadata.target)
    if (mapped?.hierarchy.strategy !== 'joined') return
    const inverseSide = relation.givenInverseSidePropertyFactory
    for (const { target } of [...hierarchyClassesFromRoot(mapped.own)].reverse()) {
      const base = this.built.get(target)
      const path = typeof inverseSide === 'function' ? inverseSide(base?.propertiesMap) : inverseSide
      const inverse = base?.relations.find(({ propertyPath }) => propertyPath === path)
      if (inverse === undefined) continue
      relation.inverseSidePropertyPath = inverse.propertyPath
      relation.inverseRelation = inverse
      return
    }
  }

  /** Returns the relation of the declaring class. With one table per concrete class, each class has copies of inherited relations. */
  private declaredRelation(relation: RelationMetadata): RelationMetadata {
    const mapped = this.classes.get(relation.entityMetadata.target)
    if (mapped === undefined) return relation
    const candidates = hierarchyClassesFromRoot(mapped.own).flatMap(({ target }) => {
      const { relations = [] } = this.built.get(target) ?? {}
      return relations.filter(({ propertyPath }) => propertyPath === relation.propertyPath)
    })
    return candidates.find(({ target }) => target === relation.target) ?? relation
  }
}

/** Adds the key and the listeners, which get the whole row, to a subclass of joined tables. */
function completeJoinedTable(metadata: EntityMetadata, { target, base }: HierarchyClass): void {
  if (base === undefined) {
    // TypeORM makes all columns of embedded objects nullable for rows of other classes, which this table does not have.
    for (const { columns } of metadata.embeddeds) {
      for (const column of columns) column.isNullable = isDeclaredNullable(column)
    }
    return
  }
  metadata.ownColumns.unshift(...createInheritedKeyColumnMetadata(metadata, target))
  metadata.ownListeners = getMetadataArgsStorage()
    .filterListeners([...selfAndSuperclasses(target)])
    .map((args) => new EntityListenerMetadata({ entityMetadata: metadata, args }))
}

/** Names of indexes and keys must be unique, so inherited ones get generated names. */
function renameInherited({ ownIndices, ownUniques, ownColumns }: EntityMetadata, { ownClasses }: HierarchyClass): void {
  const isInherited = ({ target }: { target?: unknown }) => !ownClasses.some((ownClass) => ownClass === target)
  for (const index of [...ownIndices, ...ownUniques].filter(isInherited)) delete index.givenName
  for (const column of ownColumns.filter(isInherited)) delete column.primaryKeyConstraintName
}
