import type { Response } from 'supertest'
import type { DataSource } from 'typeorm'
import { createRandom } from '../../../exams/shared/random'
import { buildGraph } from '../../../src/graph/build-graph'
import { rootOf } from '../../../src/graph/model/inheritance'
import type { StoredType } from '../../../src/graph/model/resource-graph'
import { DEFAULT_OPTIONS } from '../../../src/graph/options/options'
import { inspectDataSource } from '../../../src/store/typeorm/inspect-data-source'
import { operateWith, toOperation } from '../../support/operate'
import type { ServerOptions, TestServer } from '../../support/server'
import { TEAMS, VESSELS } from '../../support/writing-models'
import { Box } from './boxes'
import { type Ends, endsOf, storedTypesOf } from './ends'
import { fatesOf, isMet, Trace } from './fates'
import { applyChange, type Change, type ModelRow, type ModelState } from './model'
import { EFFORT, SEED } from './random'
import { drawSent, type Sent } from './random-writes'
import { printState, readState } from './read-state'

// Random writes to a server, and to a model of it. Some are wrong, some meet rules that throw or statements that fail. Writes are sent in
// rounds: all of a round at once, and the next when each of them is answered. Then the database must be what the model becomes by those
// writes that were answered with success, one after the other: that is what it means that each is kept as if it had run alone.
//
// In which order they were committed is not asked of the database: a number that is taken within a transaction orders only those that
// wait for each other, and a write can stand before another one without either waiting. Any order will do that explains all of the state,
// since all writes of a round were under way at the same time. The order in which they were answered is tried first, and is the right one
// nearly always. When writes come one by one there is only one order; then the model also foretells which of them are refused.

const RESOURCES = [...TEAMS, ...VESSELS, Box]

/** The tables that a server for random writes needs. */
export const WRITTEN_TABLES = [...RESOURCES, Trace]

/** A server for random writes, over a database with those tables. */
export function writtenServer(dataSource: DataSource): ServerOptions {
  const { types } = fieldOf(dataSource)
  return {
    dataSource,
    resources: RESOURCES,
    definitions: [...new Set(types.map(rootOf))].map(({ resourceClass }) => fatesOf(resourceClass)),
    context: (request) => JSON.parse(request.get('x-fate') ?? '{}'),
    onError: () => undefined,
  }
}

/** Sends requests. */
export type Sender = Pick<TestServer, 'post' | 'request'>

/** The types and relationships of random writes. */
interface Field {
  readonly types: readonly StoredType[]
  readonly ends: Ends
}

function fieldOf(dataSource: DataSource): Field {
  const { describe } = inspectDataSource(dataSource)
  const graph = buildGraph({ resources: RESOURCES, describe, options: DEFAULT_OPTIONS })
  return { types: storedTypesOf(graph), ends: endsOf(dataSource, graph) }
}

/** So many writes, so many of them at a time. */
export interface Rounds {
  readonly size: number
  readonly count: number
}

export async function playWrites(server: Sender, dataSource: DataSource, { size, count }: Rounds): Promise<void> {
  const { types, ends } = fieldOf(dataSource)
  const random = createRandom(SEED * 100 + size)
  const kept: number[] = []
  const gone: ModelRow[] = []
  let state: ModelState = new Map()
  for (let token = 0; token < count * EFFORT; token += size) {
    const draw = (_: unknown, index: number) => drawSent({ random, types, state, gone, token: token + index })
    const round = await sendAll(Array.from({ length: size }, draw), server)
    const after = await readState(dataSource, types, ends)
    if (size === 1) expectForetold(round, state, ends)
    expectExplained(round, [state, after], ends)
    for (const [key, row] of state) if (!after.has(key)) gone.push(row)
    gone.splice(0, gone.length - 10)
    kept.push(...round.filter(isDone).flatMap(({ sent }) => sent.writes.map(() => sent.fate.token)))
    state = after
  }
  expect(await tracesOf(dataSource)).toEqual(
    kept.toSorted((one, other) => one - other).flatMap((token) => [token, token]),
  )
  expect(kept.length).toBeGreaterThan((count * EFFORT) / 4)
}

interface Answered {
  readonly sent: Sent
  readonly answer: Response
}

/** In the order of the answers. */
async function sendAll(round: readonly Sent[], server: Sender): Promise<readonly Answered[]> {
  const answered: Answered[] = []
  await Promise.all(round.map(async (sent) => answered.push({ sent, answer: await send(sent, server) })))
  return answered
}

function send({ manner, writes, fate }: Sent, server: Sender): Promise<Response> {
  const headers = { 'x-fate': JSON.stringify(fate) }
  const [first] = writes
  if (manner === 'request' && first !== undefined) {
    const { method, path, body } = first
    return server.request(method, path, { body, headers })
  }
  const target = manner === 'href' ? manner : 'ref'
  return operateWith(
    server,
    headers,
    ...writes.map(({ method, path, body }) => toOperation(method, path, body, target)),
  )
}

function expectForetold(round: readonly Answered[], state: ModelState, ends: Ends): void {
  for (const { sent, answer } of round) {
    if (sent.fate.mishap?.kind === 'swallowed' && isStruck(sent)) continue
    const changes = sent.writes.map(({ change }, index) => withId(change, `new ${index}`))
    const isRefused = isFaulty(sent) || isStruck(sent) || applyAll(state, changes, ends) === 'refused'
    const told = describeAnswer({ sent, answer })
    expect({ told, isRefused: answer.status >= 400 }).toEqual({ told, isRefused })
  }
}

function expectExplained(
  round: readonly Answered[],
  [state, after]: readonly [ModelState, ModelState],
  ends: Ends,
): void {
  // What was not the client's fault is answered with 500, and nothing else is.
  const failed = round.filter(({ sent, answer }) => answer.status >= 500 && !isToFail(sent))
  expect(failed.map(describeAnswer)).toEqual([])
  const wrong = round.filter((each) => isDone(each) && isFaulty(each.sent))
  expect(wrong.map(describeAnswer)).toEqual([])
  const done = round.filter(isDone).map(changesOf)
  const lines = printState(after)
  if (isExplained(state, done, lines.join('\n'), ends)) return
  const expected = done.reduce<ModelState>((before, changes) => {
    const next = applyAll(before, changes, ends)
    return next === 'refused' ? before : next
  }, state)
  const [found, meant] = [printState(after), printState(expected)]
  const differences = [
    ...found.filter((line) => !meant.includes(line)).map((line) => `+ ${line}`),
    ...meant.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
  ]
  const told = [...printState(state), '', ...round.map(describeAnswer), '', ...differences]
  throw new Error(`STEMMA_SEED=${SEED}: no order of the writes explains what is stored.\n${told.join('\n')}`)
}

/** All changes of a request, or none. */
function applyAll(state: ModelState, changes: readonly Change[], ends: Ends): ModelState | 'refused' {
  return changes.reduce<ModelState | 'refused'>(
    (before, change) => (before === 'refused' ? before : applyChange(before, change, ends)),
    state,
  )
}

/** Whether the requests, in some order, lead from the one state to the other. */
function isExplained(state: ModelState, done: readonly (readonly Change[])[], after: string, ends: Ends): boolean {
  const failed = new Set<string>()
  const leads = (from: ModelState, left: readonly (readonly Change[])[]): boolean => {
    if (left.length === 0) return printState(from).join('\n') === after
    return left.some((changes) => {
      const next = applyAll(from, changes, ends)
      if (next === 'refused') return false
      const others = left.filter((each) => each !== changes)
      const place = () => `${others.map((each) => done.indexOf(each))} ${printState(next).join('\n')}`
      if (failed.size > 0 && failed.has(place())) return false
      if (leads(next, others)) return true
      failed.add(place())
      return false
    })
  }
  return leads(state, done)
}

function isDone({ answer }: Answered): boolean {
  return answer.status < 300
}

/** With the ids that the server gave. */
function changesOf({ sent: { writes }, answer: { body } }: Answered): readonly Change[] {
  const results = body?.['atomic:results'] ?? [body]
  return writes.map(({ change }, index) => withId(change, results[index]?.data?.id))
}

function withId(change: Change, id: string): Change {
  return change.kind === 'create' ? { ...change, id: change.id ?? id } : change
}

function isFaulty({ writes }: Sent): boolean {
  return writes.some((write) => write.isFaulty)
}

function isStruck({ writes, fate }: Sent): boolean {
  return writes.some(({ change }) => isMet(fate, change))
}

function isToFail(sent: Sent): boolean {
  return sent.fate.mishap !== undefined && sent.fate.mishap.kind !== 'problem' && isStruck(sent)
}

function describeAnswer({ sent: { manner, writes, fate }, answer }: Answered): string {
  const told = writes.map(({ method, path, body }) => [method, path, JSON.stringify(body) ?? ''].join(' '))
  const words = [manner, ...told, JSON.stringify(fate)]
  return `${words.join(' ')} -> ${answer.status} ${answer.status < 400 ? '' : answer.text}`
}

async function tracesOf(dataSource: DataSource): Promise<readonly number[]> {
  const traces = await dataSource.getRepository(Trace).find({ order: { token: 'asc' } })
  return traces.map(({ token }) => token)
}
