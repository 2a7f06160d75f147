import { buildGraph } from '../../src/graph/build-graph'
import { rootOf } from '../../src/graph/inheritance'
import { DEFAULT_OPTIONS } from '../../src/graph/options'
import type { StoredType } from '../../src/graph/resource-graph'
import { openStore } from '../../src/store/typeorm/open-store'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../support/database'
import { operateWith, toOperation } from '../support/operate'
import { type Answer, startServer, type TestServer } from '../support/server'
import { TEAMS, VESSELS } from '../support/writing-models'
import { type Ends, endsOf } from './support/ends'
import { FateDefinition, isMet, Trace } from './support/fates'
import { applyChange, type Change, type ModelRow, type ModelState } from './support/model'
import { EFFORT, randomOf, SEED, TIME_LIMIT } from './support/random'
import { drawWrite, type Write } from './support/random-writes'
import { printState, readState } from './support/read-state'
import { storedTypesOf } from './support/rows'

// Random writes to a server, and to a model of it. Some are wrong, some meet rules that throw or statements that fail. Writes are sent in
// rounds: all of a round at once, and the next when each of them is answered. Then the database must be what the model becomes by those
// writes that were answered with success, one after the other: that is what it means that each is kept as if it had run alone.
//
// In which order they were committed is not asked of the database: a number that is taken within a transaction orders only those that
// wait for each other, and a write can stand before another one without either waiting. Any order will do that explains all of the state,
// since all writes of a round were under way at the same time. The order in which they were answered is tried first, and is the right one
// nearly always. When writes come one by one there is only one order; then the model also foretells which of them are refused.

const RESOURCES = [...TEAMS, ...VESSELS]

const DATABASES: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  [`a database of ${DATABASE}`, () => openDatabase([...RESOURCES, Trace])],
  ...(DATABASE === 'sqlite' ? [['a file of sqlite', () => openFile([...RESOURCES, Trace])] as const] : []),
]

interface Answered {
  readonly write: Write
  readonly answer: Answer
}

jest.setTimeout(TIME_LIMIT * 3)

describe.each(DATABASES)('in %s', (_name, open) => {
  let database: TestDatabase
  let server: TestServer
  let ends: Ends
  let types: readonly StoredType[]

  beforeEach(async () => {
    database = await open()
    const { dataSource } = database
    const graph = buildGraph({
      resources: RESOURCES,
      describe: openStore(dataSource).describe,
      options: DEFAULT_OPTIONS,
    })
    ends = endsOf(dataSource, graph)
    types = storedTypesOf(graph)
    server = await startServer({
      dataSource,
      resources: RESOURCES,
      definitions: [...new Set(types.map(rootOf))].map(({ resourceClass }) => new FateDefinition(resourceClass)),
      context: (request) => JSON.parse(request.get('x-fate') ?? ''),
      report: () => undefined,
    })
  })
  afterEach(async () => {
    await server.close()
    await database.close()
  })

  it.each([
    ['one by one', 1, 100],
    ['eight at a time', 8, 280],
  ])('writes that are sent %s end as in the model', async (_manner, size, count) => {
    const random = randomOf(SEED * 100 + size)
    const kept: number[] = []
    const gone: ModelRow[] = []
    let state: ModelState = new Map()
    for (let token = 0; token < count * EFFORT; token += size) {
      const draw = (_: unknown, index: number) => drawWrite({ random, types, state, gone, token: token + index })
      const round = await sendAll(Array.from({ length: size }, draw))
      const after = await readState(database.dataSource, types, ends)
      if (size === 1) expectForetold(round, state)
      expectExplained(round, state, after)
      for (const [key, row] of state) if (!after.has(key)) gone.push(row)
      gone.splice(0, gone.length - 10)
      kept.push(...round.filter(isDone).map(({ write }) => write.fate.token))
      state = after
    }
    expect(await tracesOf(database)).toEqual(
      kept.toSorted((one, other) => one - other).flatMap((token) => [token, token]),
    )
    expect(kept.length).toBeGreaterThan((count * EFFORT) / 4)
  })

  /** In the order of the answers. */
  async function sendAll(writes: readonly Write[]): Promise<readonly Answered[]> {
    const answered: Answered[] = []
    const sendOne = async (write: Write) => {
      const { method, path, body, fate, manner } = write
      const headers = { 'x-fate': JSON.stringify(fate) }
      const sending =
        manner === 'request'
          ? server.send(method, path, { ...(body !== undefined && { body }), headers })
          : operateWith(server, headers, toOperation(method, path, body, manner))
      answered.push({ write, answer: await sending })
    }
    await Promise.all(writes.map(sendOne))
    return answered
  }

  function expectForetold(round: readonly Answered[], state: ModelState): void {
    for (const { write, answer } of round) {
      if (write.fate.mishap?.kind === 'swallowed' && isMet(write.fate, write.change)) continue
      const isRefused =
        write.isFaulty ||
        isMet(write.fate, write.change) ||
        applyChange(state, withId(write.change, '0'), ends) === 'refused'
      const told = toldOf({ write, answer })
      expect({ told, isRefused: answer.status >= 400 }).toEqual({ told, isRefused })
    }
  }

  function expectExplained(round: readonly Answered[], state: ModelState, after: ModelState): void {
    // What was not the client's fault is answered with 500, and nothing else is.
    const failed = round.filter(({ write, answer }) => answer.status >= 500 && !isToFail(write))
    expect(failed.map(toldOf)).toEqual([])
    const wrong = round.filter((each) => isDone(each) && each.write.isFaulty)
    expect(wrong.map(toldOf)).toEqual([])
    const changes = round.filter(isDone).map(changeOf)
    const lines = printState(after)
    if (isExplained(state, changes, lines.join('\n'), ends)) return
    const expected = changes.reduce<ModelState>((before, change) => {
      const next = applyChange(before, change, ends)
      return next === 'refused' ? before : next
    }, state)
    const [found, meant] = [printState(after), printState(expected)]
    const differences = [
      ...found.filter((line) => !meant.includes(line)).map((line) => `+ ${line}`),
      ...meant.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
    ]
    const told = [...printState(state), '', ...round.map(toldOf), '', ...differences]
    throw new Error(`STEMMA_SEED=${SEED}: no order of the writes explains what is stored.\n${told.join('\n')}`)
  }
})

/** Whether the changes, in some order, lead from the one state to the other. */
function isExplained(state: ModelState, changes: readonly Change[], after: string, ends: Ends): boolean {
  const failed = new Set<string>()
  const leads = (from: ModelState, left: readonly Change[]): boolean => {
    if (left.length === 0) return printState(from).join('\n') === after
    return left.some((change) => {
      const next = applyChange(from, change, ends)
      if (next === 'refused') return false
      const others = left.filter((each) => each !== change)
      const place = () => `${others.map((each) => changes.indexOf(each))} ${printState(next).join('\n')}`
      if (failed.size > 0 && failed.has(place())) return false
      if (leads(next, others)) return true
      failed.add(place())
      return false
    })
  }
  return leads(state, changes)
}

function isDone({ answer }: Answered): boolean {
  return answer.status < 300
}

/** With the id that the server gave. */
function changeOf({ write: { change }, answer: { document } }: Answered): Change {
  const { data } = document?.['atomic:results']?.[0] ?? document ?? {}
  return withId(change, data?.id)
}

function withId(change: Change, id: string): Change {
  return change.kind === 'create' ? { ...change, id: change.id ?? id } : change
}

function isToFail({ fate, change }: Write): boolean {
  return fate.mishap !== undefined && fate.mishap.kind !== 'problem' && isMet(fate, change)
}

function toldOf({ write: { manner, method, path, body, fate }, answer }: Answered): string {
  const sent = [manner, method, path, JSON.stringify(body) ?? '', JSON.stringify(fate)]
  return `${sent.join(' ')} -> ${answer.status} ${answer.status < 400 ? '' : answer.text}`
}

async function tracesOf({ dataSource }: TestDatabase): Promise<readonly number[]> {
  const traces = await dataSource.getRepository(Trace).find({ order: { token: 'asc' } })
  return traces.map(({ token }) => token)
}
