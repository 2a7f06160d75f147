import type { Response } from 'supertest'
import type { DataSource } from 'typeorm'
import { createRandom } from '../../../exams/shared/random'
import { buildResourceGraph } from '../../../src/graph/build-graph'
import { rootTypeOf } from '../../../src/graph/model/inheritance'
import type { StoredType } from '../../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { createTypeOrmStoreFactory } from '../../../src/store/typeorm/create-typeorm-store-factory'
import { operateWith, toOperation } from '../../support/operate'
import type { ServerOptions, TestServer } from '../../support/server'
import { TEAMS, VESSELS } from '../../support/writing-models'
import { Box } from './boxes'
import { storedTypesOf, type Tables, tableFactsOf } from './ends'
import { causesFailure, createRules, Trace } from './fates'
import { applyChange, type Change, type ModelRow, type ModelState } from './model'
import { EFFORT, SEED } from './random'
import { drawRequest, type RandomRequest } from './random-writes'
import { printState, readState } from './read-state'

// Sends random writes to a server, and applies them to a model. Some are invalid; in some, rules or statements fail. Writes are sent in
// rounds: all writes of a round in parallel, and the next round after all responses. Then the database must equal the model after the
// successful writes in some order, which shows that they are serializable.
//
// The commit order is unknown, so that the test tries all orders of a round. It tries the order of the responses first, which is nearly
// always right. A round of one write has only one order; then the model also predicts whether the write is rejected.

const RESOURCES = [...TEAMS, ...VESSELS, Box]
export const RANDOM_WRITE_ENTITIES = [...RESOURCES, Trace]

export function randomWriteServer(dataSource: DataSource): ServerOptions {
  const { types } = createWriteModel(dataSource)
  return {
    dataSource,
    resources: RESOURCES,
    definitions: [...new Set(types.map(rootTypeOf))].map(({ resourceClass }) => createRules(resourceClass)),
    context: (request) => JSON.parse(request.get('x-behaviour') ?? '{}'),
    onError: () => undefined,
  }
}

type WriteModel = Readonly<{ types: readonly StoredType[]; tables: Tables }>

function createWriteModel(dataSource: DataSource): WriteModel {
  const { describe } = createTypeOrmStoreFactory(dataSource)
  const graph = buildResourceGraph({ resources: RESOURCES, describe, options: DEFAULT_API_OPTIONS })
  return { types: storedTypesOf(graph), tables: tableFactsOf(dataSource, graph) }
}

/** `count` writes in rounds of `size`. */
export interface Rounds {
  readonly size: number
  readonly count: number
}

export async function testRandomWrites(
  server: TestServer,
  dataSource: DataSource,
  { size, count }: Rounds,
): Promise<void> {
  const { types, tables } = createWriteModel(dataSource)
  const random = createRandom(SEED * 100 + size)
  const tokens: number[] = []
  const deletedRows: ModelRow[] = []
  let state: ModelState = new Map()
  for (let token = 0; token < count * EFFORT; token += size) {
    const draw = (_: unknown, index: number) => drawRequest({ random, types, state, deletedRows, token: token + index })
    const round = await sendAll(Array.from({ length: size }, draw), server)
    const after = await readState(dataSource, types, tables)
    if (size === 1) expectPredicted(round, state, tables)
    expectExplained(round, [state, after], tables)
    for (const [key, row] of state) if (!after.has(key)) deletedRows.push(row)
    deletedRows.splice(0, deletedRows.length - 10)
    tokens.push(...round.filter(isDone).flatMap(({ request }) => request.writes.map(() => request.behaviour.token)))
    state = after
  }
  expect(await tracesOf(dataSource)).toEqual(
    tokens.toSorted((one, other) => one - other).flatMap((token) => [token, token]),
  )
  expect(tokens.length).toBeGreaterThan((count * EFFORT) / 4)
}

type SentRequest = Readonly<{ request: RandomRequest; response: Response }>

/** Sends the requests in parallel, and returns them in the order of the responses. */
async function sendAll(round: readonly RandomRequest[], server: TestServer): Promise<readonly SentRequest[]> {
  const answered: SentRequest[] = []
  await Promise.all(round.map(async (request) => answered.push({ request, response: await send(request, server) })))
  return answered
}

function send({ format, writes, behaviour }: RandomRequest, server: TestServer): Promise<Response> {
  const headers = { 'x-behaviour': JSON.stringify(behaviour) }
  const [first] = writes
  if (format === 'request' && first !== undefined) {
    const { method, path, body } = first
    return server.request(method, path, { body, headers })
  }
  const target = format === 'href' ? format : 'ref'
  return operateWith(
    server,
    headers,
    ...writes.map(({ method, path, body }) => toOperation(method, path, body, target)),
  )
}

function expectPredicted(round: readonly SentRequest[], state: ModelState, tables: Tables): void {
  for (const { request, response } of round) {
    if (request.behaviour.failure?.kind === 'swallowed' && hasFailure(request)) continue
    const changes = request.writes.map(({ change }, index) => withId(change, `new ${index}`))
    const isRefused = isFaulty(request) || hasFailure(request) || applyAll(state, changes, tables) === 'rejected'
    const description = describeExchange({ request, response })
    expect({ description, isRefused: response.status >= 400 }).toEqual({ description, isRefused })
  }
}

function expectExplained(
  round: readonly SentRequest[],
  [state, after]: readonly [ModelState, ModelState],
  tables: Tables,
): void {
  // Only failures of the server return 500.
  const failed = round.filter(({ request, response }) => response.status >= 500 && !causesServerError(request))
  expect(failed.map(describeExchange)).toEqual([])
  const wrong = round.filter((each) => isDone(each) && isFaulty(each.request))
  expect(wrong.map(describeExchange)).toEqual([])
  const done = round.filter(isDone).map(changesOf)
  const lines = printState(after)
  if (isExplained(state, done, lines.join('\n'), tables)) return
  const expected = done.reduce<ModelState>((before, changes) => {
    const next = applyAll(before, changes, tables)
    return next === 'rejected' ? before : next
  }, state)
  const [found, expectedLines] = [printState(after), printState(expected)]
  const differences = [
    ...found.filter((line) => !expectedLines.includes(line)).map((line) => `+ ${line}`),
    ...expectedLines.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
  ]
  const description = [...printState(state), '', ...round.map(describeExchange), '', ...differences]
  throw new Error(`STEMMA_SEED=${SEED}: no order of the writes leads to the stored rows.\n${description.join('\n')}`)
}

function applyAll(state: ModelState, changes: readonly Change[], tables: Tables): ModelState | 'rejected' {
  return changes.reduce<ModelState | 'rejected'>(
    (before, change) => (before === 'rejected' ? before : applyChange(before, change, tables)),
    state,
  )
}

/** Returns true if the requests lead from one state to the other in some order. */
function isExplained(state: ModelState, done: readonly (readonly Change[])[], after: string, tables: Tables): boolean {
  const failed = new Set<string>()
  const leadsToAfter = (from: ModelState, remaining: readonly (readonly Change[])[]): boolean => {
    if (remaining.length === 0) return printState(from).join('\n') === after
    return remaining.some((changes) => {
      const next = applyAll(from, changes, tables)
      if (next === 'rejected') return false
      const others = remaining.filter((each) => each !== changes)
      const stateKey = () => `${others.map((each) => done.indexOf(each))} ${printState(next).join('\n')}`
      if (failed.size > 0 && failed.has(stateKey())) return false
      if (leadsToAfter(next, others)) return true
      failed.add(stateKey())
      return false
    })
  }
  return leadsToAfter(state, done)
}

function isDone({ response }: SentRequest): boolean {
  return response.status < 300
}

/** Returns the changes, with the ids that the server generated. */
function changesOf({ request: { writes }, response: { body } }: SentRequest): readonly Change[] {
  const results = body?.['atomic:results'] ?? [body]
  return writes.map(({ change }, index) => withId(change, results[index]?.data?.id))
}

function withId(change: Change, id: string): Change {
  return change.kind === 'create' ? { ...change, id: change.id ?? id } : change
}

function isFaulty({ writes }: RandomRequest): boolean {
  return writes.some((write) => write.isInvalid)
}

function hasFailure({ writes, behaviour }: RandomRequest): boolean {
  return writes.some(({ change }) => causesFailure(behaviour, change))
}

function causesServerError(request: RandomRequest): boolean {
  return request.behaviour.failure !== undefined && request.behaviour.failure.kind !== 'problem' && hasFailure(request)
}

function describeExchange({ request: { format, writes, behaviour }, response }: SentRequest): string {
  const description = writes.map(({ method, path, body }) => [method, path, JSON.stringify(body) ?? ''].join(' '))
  const parts = [format, ...description, JSON.stringify(behaviour)]
  return `${parts.join(' ')} -> ${response.status} ${response.status < 400 ? '' : response.text}`
}

async function tracesOf(dataSource: DataSource): Promise<readonly number[]> {
  const traces = await dataSource.getRepository(Trace).find({ order: { token: 'asc' } })
  return traces.map(({ token }) => token)
}
