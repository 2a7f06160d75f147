import type { DataSource, QueryRunner } from 'typeorm'
import { JsonApiError, type Problem } from '../../../../src/errors/json-api-error'
import { buildGraph } from '../../../../src/graph/build-graph'
import { DEFAULT_OPTIONS } from '../../../../src/graph/options'
import type { Attribute, ResourceClass, ResourceGraph, StoredType } from '../../../../src/graph/resource-graph'
import type { LinkChange, RightEnd, WritePlan } from '../../../../src/plan/write-plan'
import { applyWrite } from '../../../../src/store/typeorm/apply-write'
import { buildMapping } from '../../../../src/store/typeorm/build-mapping'
import { describeEntities } from '../../../../src/store/typeorm/describe-entities'
import { dialectOf } from '../../../../src/store/typeorm/dialect-of'
import type { Mapping } from '../../../../src/store/typeorm/mapping'
import { createRunStatement } from '../../../../src/store/typeorm/run-statement'
import { runTransaction } from '../../../../src/store/typeorm/run-transaction'
import { printSql } from '../../../../src/store/typeorm/sql'
import { openDatabase } from '../../../support/database'

/** A database whose rows are written with plans, and looked at with TypeORM. */
export interface TestStore {
  readonly dataSource: DataSource
  readonly mapping: Mapping
  typeOf(name: string): StoredType
  attribute(typeName: string, name: string): Attribute
  create(typeName: string, values?: Values, links?: Links, id?: string): Promise<string>
  update(typeName: string, id: string, values?: Values, links?: Links): Promise<string>
  remove(typeName: string, id: string): Promise<string>
  write(plan: WritePlan): Promise<string>
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>
  close(): Promise<void>
}

type Values = Readonly<Record<string, unknown>>
/** By relationship; type and id with a space between: `{ set: ['men 1'] }`. */
type Links = Readonly<Record<string, Partial<Record<LinkChange['mode'], readonly string[]>>>>

export async function openStore(entities: readonly ResourceClass[], resources = entities): Promise<TestStore> {
  const database = await openDatabase(entities)
  const { dataSource } = database
  const { graph, mapping } = await build(dataSource, resources).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  const typeOf = (name: string): StoredType => {
    const type = graph.types.get(name)
    const stored = type?.concreteTypes.find((each) => each === type)
    if (stored === undefined) throw new Error(`No stored type ${name}.`)
    return stored
  }
  const attribute = (typeName: string, name: string): Attribute => {
    const field = typeOf(typeName).fields.get(name)
    if (field?.kind !== 'attribute') throw new Error(`No attribute ${name}.`)
    return field
  }
  const toRight = (right: string): RightEnd => {
    const [typeName = ''] = right.split(' ', 1)
    const id = right.slice(typeName.length + 1)
    return right === 'itself' ? right : { type: typeOf(typeName), id }
  }
  const toLinks = (type: StoredType, links: Links): readonly LinkChange[] =>
    Object.entries(links).flatMap(([name, changes]) => {
      const relationship = type.relationships.find((each) => each.name === name)
      if (relationship === undefined) throw new Error(`No relationship ${name}.`)
      return Object.entries(changes).map(([mode, rights]) => ({
        relationship,
        mode: mode as LinkChange['mode'],
        rights: rights.map(toRight),
      }))
    })
  const toValues = (typeName: string, values: Values): ReadonlyMap<Attribute, unknown> =>
    new Map(Object.entries(values).map(([name, held]) => [attribute(typeName, name), held]))
  const run = createRunStatement(mapping)
  const write = (plan: WritePlan): Promise<string> =>
    runTransaction(dataSource, (queryRunner: QueryRunner) =>
      applyWrite(plan, { mapping, queryRunner, run: (sql) => run(queryRunner, printSql(sql, mapping.dialect)) }),
    )

  return {
    ...database,
    mapping,
    typeOf,
    attribute,
    write,
    create: (typeName, values = {}, links = {}, id = undefined) => {
      const type = typeOf(typeName)
      return write({ kind: 'create', type, id, values: toValues(typeName, values), links: toLinks(type, links) })
    },
    update: (typeName, id, values = {}, links = {}) => {
      const type = typeOf(typeName)
      return write({ kind: 'update', type, id, values: toValues(typeName, values), links: toLinks(type, links) })
    },
    remove: (typeName, id) => write({ kind: 'delete', type: typeOf(typeName), id }),
  }
}

async function build(
  dataSource: DataSource,
  resources: readonly ResourceClass[],
): Promise<{ graph: ResourceGraph; mapping: Mapping }> {
  const graph = buildGraph({ resources, describe: describeEntities(dataSource), options: DEFAULT_OPTIONS })
  return { graph, mapping: buildMapping(dataSource, dialectOf(dataSource), graph) }
}

/** The only problem of the error that the work ends with. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof JsonApiError)) throw error ?? new Error('Nothing was thrown.')
  const [problem] = error.problems
  if (problem === undefined || error.problems.length > 1) throw error
  return problem
}
