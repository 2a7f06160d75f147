import type { ResourceClass, ResourceDefinition } from 'stemma'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { buildGraph } from '../../../src/graph/build-graph'
import { DEFAULT_OPTIONS, type Options } from '../../../src/graph/options'
import type { ResourceGraph } from '../../../src/graph/resource-graph'
import { openStore } from '../../../src/store/typeorm/open-store'
import { apiOver, type TestApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { quoted } from '../../support/row-tables'
import { type ServerOptions, startServer } from '../../support/server'
import { ORDERS_BY_CODE_POINT, TEXT_IDS, TEXTS, UUIDS } from './pools'
import type { Row } from './rows'
import { saveRows } from './stored-rows'

export interface Known {
  readonly graph: ResourceGraph
  readonly rows: readonly Row[]
  readonly order: Order
}

/** A running API over rows that are known. */
export interface World extends TestApi, Known {}

export interface WorldOptions {
  readonly resources: readonly ResourceClass[]
  readonly makeRows: (dataSource: DataSource, graph: ResourceGraph) => readonly Row[]
  readonly definitions?: (parts: Known) => readonly ResourceDefinition[]
  /** Of the API, besides. */
  readonly options?: Partial<ServerOptions>
}

/** In which order the database has texts. */
export interface Order {
  compareTexts(one: string, other: string): number
  compareUuids(one: string, other: string): number
}

@Entity()
class Word {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'varchar', length: 80 }) word: string
}

@Entity()
class Token {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'uuid' }) word: string
}

/** What requests are made up of here can cost anything. */
export const UNLIMITED: Options = { ...DEFAULT_OPTIONS, limits: { ...DEFAULT_OPTIONS.limits, cost: null } }

export async function openWorld({ resources, makeRows, definitions, options }: WorldOptions): Promise<World> {
  const database = await openDatabase([...resources, Word, Token])
  const { dataSource } = database
  const { describe } = openStore(dataSource)
  const graph = buildGraph({ resources, describe, options: DEFAULT_OPTIONS })
  const rows = makeRows(dataSource, graph)
  await saveRows(dataSource, rows)
  const order = ORDERS_BY_CODE_POINT ? BY_CODE_POINT : await askOrder(dataSource, rows)
  const rules = definitions?.({ graph, rows, order }) ?? []
  const server = await startServer({ dataSource, resources, definitions: rules, limits: { cost: null }, ...options })
  return { ...apiOver(database, server), graph, rows, order }
}

const BY_CODE_POINT: Order = { compareTexts: compareBytes, compareUuids: compareBytes }

export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

/**
 * The order of texts is that of the collation of their column, and some take two texts for one; MariaDB has one of its own for uuids too.
 * All texts that there are, are asked for at once.
 */
async function askOrder(dataSource: DataSource, rows: readonly Row[]): Promise<Order> {
  const ids = rows.flatMap(({ id, type, values }) => [id, ...[values.get(type.id)].flat().map(String)])
  const words = await askRanks(dataSource, Word, [...TEXTS, ...TEXT_IDS, ...ids.filter((id) => id.length <= 40)])
  const uuids = await askRanks(dataSource, Token, [...UUIDS, ...ids.filter((id) => /^[\da-f-]{36}$/.test(id))])
  const compareIn = (ranks: ReadonlyMap<string, number>) => (one: string, other: string) =>
    rankOf(ranks, one) - rankOf(ranks, other)
  return { compareTexts: compareIn(words), compareUuids: compareIn(uuids) }
}

async function askRanks(
  dataSource: DataSource,
  entity: typeof Word | typeof Token,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const given = [...new Set(words)].map((word) => ({ word }))
  await dataSource.createQueryBuilder().insert().into(entity).values(given).execute()
  const table = quoted(dataSource, dataSource.getMetadata(entity))
  const found: readonly { word: string; place: unknown }[] = await dataSource.query(
    `select word, dense_rank() over (order by word) as place from ${table}`,
  )
  return new Map(found.map(({ word, place }) => [word, Number(place)]))
}

function rankOf(ranks: ReadonlyMap<string, number>, word: string): number {
  const rank = ranks.get(word)
  if (rank === undefined) throw new Error(`The order of '${word}' was not asked for.`)
  return rank
}
