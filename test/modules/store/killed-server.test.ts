import { once } from 'node:events'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { LintError } from 'stemma/testing'
import type { EntityManager } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { newResource, resource, toMany } from '../../support/documents'
import { checkedFetch } from '../../support/lint'
import { type ServerProcess, startProcess } from '../../support/processes'
import { Member, Page, Tag, TEAMS, Team } from '../../support/writing-models'

// A server is killed during writes to several tables. Each write is then found as a whole or not at all, and every successful one is found.

// Starting three programs is slow on a busy machine.
jest.setTimeout(180_000)

const PROGRAM = join(__dirname, 'support', 'slow-server.ts')
const KINDS = ['create', 'replace', 'delete'] as const
const TAGS = ['red', 'green', 'blue']

interface Planned {
  readonly kind: (typeof KINDS)[number]
  readonly name: string
  /** Undefined before it is created. */
  readonly team: string | undefined
  /** Two of the team, and two others; a create adds all of them. */
  readonly members: readonly string[]
}

/** The responses at which a server is killed. */
const COUNTS = [1, 7, 14]

let database: TestDatabase
let servers: ReadonlyMap<number, ServerProcess<number>>
const plans = new Map<number, Planned[]>()

beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile(TEAMS) : openDatabase(TEAMS))
  await database.dataSource.getRepository(Tag).insert(TAGS.map((id) => ({ id })))
  const [started] = await Promise.all([Promise.all(COUNTS.map(start)), prepareAll()])
  servers = new Map(started)
})
afterAll(async () => {
  for (const { process } of servers.values()) process.kill('SIGKILL')
  await database.close()
})

async function start(count: number): Promise<[number, ServerProcess<number>]> {
  return [count, await startProcess<number>(PROGRAM, [JSON.stringify(database.connection), String(count)])]
}

it.each(COUNTS)('finds no partial write after the server was killed at its response %s', async (count) => {
  const writes = plans.get(count) ?? []
  const { process: child, message: port } = servers.get(count) as ServerProcess<number>
  const answered = new Set<Planned>()
  const send = async (write: Planned) => {
    const [method, path, body] = requestOf(write)
    const headers = { 'content-type': 'application/vnd.api+json' }
    const sending = checkedFetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers }),
    })
    const answer = await sending.catch(cutOff)
    if (answer === 'cut off') return
    expect([201, 204]).toContain(answer.status)
    answered.add(write)
  }
  const ended = once(child, 'exit')
  await Promise.all(writes.map(send)).finally(() => child.kill('SIGKILL'))
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(answered.size).toBeLessThan(writes.length)

  const found: Traces[] = []
  await inspect(async (manager) => {
    for (const write of writes) found.push(await find(write, manager))
  })
  const isDone = (write: Planned, index: number) => isDeepStrictEqual(found[index], doneOf(write))
  const whole = writes.map((write, index) => (isDone(write, index) ? 'done' : found[index]))
  expect(whole).toEqual(writes.map((write, index) => (whole[index] === 'done' ? 'done' : undoneOf(write))))
  expect(writes.filter((write, index) => answered.has(write) && whole[index] !== 'done')).toEqual([])
})

function cutOff(error: unknown): 'cut off' {
  if (error instanceof LintError) throw error
  return 'cut off'
}

async function prepareAll(): Promise<void> {
  for (const count of COUNTS) {
    const writes: Planned[] = []
    for (let index = 0; index < 24; index += 1)
      writes.push(await prepare(KINDS[index % 3] ?? 'create', `${count}-${index}`))
    plans.set(count, writes)
  }
}

async function prepare(kind: Planned['kind'], name: string): Promise<Planned> {
  const { manager } = database.dataSource
  const idOf = (made: { identifiers: { id?: unknown }[] }) => made.identifiers.map(({ id }) => String(id))
  const [team] = kind === 'create' ? [] : idOf(await manager.insert(Team, { name }))
  const owners = [team, team, undefined, undefined]
  const rows = owners.map((id) => ({ name, team: id === undefined ? null : { id: Number(id) } }))
  const members = idOf(await manager.insert(Member, rows))
  if (team !== undefined)
    await manager.createQueryBuilder().relation(Team, 'tags').of(Number(team)).add(TAGS.slice(0, 2))
  return { kind, name, team, members }
}

function requestOf({ kind, name, team, members }: Planned): readonly [method: string, path: string, body?: object] {
  if (kind === 'delete') return ['DELETE', `/teams/${team}`]
  const added = kind === 'create' ? members : members.slice(2)
  const relationships = { members: toMany('members', ...added), tags: toMany('tags', ...TAGS.slice(1)) }
  if (kind === 'create') return ['POST', '/teams', newResource('teams', { name }, relationships)]
  return ['PATCH', `/teams/${team}`, resource('teams', team, undefined, relationships)]
}

/** The stored rows of a write. */
interface Traces {
  readonly team: boolean
  readonly tags: readonly string[]
  readonly members: readonly string[]
  readonly pages: readonly string[]
}

async function find({ name, members }: Planned, manager: EntityManager): Promise<Traces> {
  const team = await manager.findOne(Team, { where: { name }, relations: { tags: true } })
  const inTeam = await manager.find(Member, { where: { name }, relations: { team: true } })
  const pages = await manager.findBy(Page, [{ title: `before ${name}` }, { title: `after ${name}` }])
  return {
    team: team !== null,
    tags: (team?.tags ?? []).map(({ id }) => id).sort(),
    members: members.filter((id) => inTeam.some((member) => member.id === id && member.team !== null)),
    pages: pages.map(({ title }) => title).sort(),
  }
}

function doneOf({ kind, name, members }: Planned): Traces {
  const pages = [`after ${name}`, `before ${name}`]
  if (kind === 'delete') return { team: false, tags: [], members: [], pages }
  return { team: true, tags: TAGS.slice(1).sort(), members: kind === 'create' ? members : members.slice(2), pages }
}

function undoneOf({ kind, members }: Planned): Traces {
  if (kind === 'create') return { team: false, tags: [], members: [], pages: [] }
  return { team: true, tags: TAGS.slice(0, 2).sort(), members: members.slice(0, 2), pages: [] }
}

/** Reads a snapshot on a new connection: the database may still be finishing statements of the killed program. */
async function inspect(work: (manager: EntityManager) => Promise<void>): Promise<void> {
  const dataSource = await createDataSource(database.connection, TEAMS).initialize()
  await dataSource.transaction(DATABASE === 'sqlite' ? 'SERIALIZABLE' : 'REPEATABLE READ', work)
  await dataSource.destroy()
}
