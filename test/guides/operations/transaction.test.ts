import { getEntityManager, IdempotencyKey, JsonApiError, type ResourceWrite, respondAccepted } from 'stemma'
import { combineApi, define, setUp, startServerOn, useApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { toMany } from '../../support/documents'
import { errorsOf, outcomeOf } from '../../support/expectations'
import { operate, operateWith, refused, resultsOf } from '../../support/operate'
import { startServer } from '../../support/server'
import { Draft, Member, Page, Tag, TEAMS, Team } from '../../support/writing-models'

let log: string[] = []
let behaviour: (hook: string, write: ResourceWrite<Team>) => unknown = () => undefined
let reported: unknown[] = []
/** The number of calls of `filter`. */
let filtered = 0

function run(hook: string, write: ResourceWrite<Team>) {
  log.push(`${hook} ${write.kind} ${write.values.name}`)
  return behaviour(hook, write)
}

const teamRules = define(Team, {
  filter() {
    filtered += 1
    return undefined
  },
  beforeWrite: (write) => run('before', write) as undefined,
  afterWrite: async (write) => void (await run('after', write)),
  afterCommit: async (write) => void (await run('committed', write)),
})

const api = setUp(async () => {
  const database = await openDatabase([...TEAMS, IdempotencyKey])
  const server = await startServerOn(database, {
    ...{ resources: TEAMS, definitions: [teamRules], maxRetries: 2 },
    ...{ onError: (error) => reported.push(error), idempotency: { owner: () => 'everyone' } },
  })
  return combineApi(database, server)
})
let page: string

beforeAll(async () => {
  page = await api.add(Page, { title: 'First' })
})
beforeEach(() => {
  log = []
  behaviour = () => undefined
  reported = []
  filtered = 0
})

const addTeam = (name: string, rest: object = {}) => ({
  op: 'add',
  data: { type: 'teams', attributes: { name }, ...rest },
})
const titled = (title: string, meta: object = {}) => ({
  op: 'update',
  data: { type: 'pages', id: page, attributes: { title } },
  ...meta,
})
const teams = async () =>
  (await api.dataSource.getRepository(Team).find({ order: { id: 'asc' } })).map(({ name }) => name)

describe('hooks', () => {
  it('run for each operation, and afterCommit after the last one', async () => {
    await operate(api, addTeam('one', { lid: 'a' }), addTeam('two'), { op: 'remove', ref: { type: 'teams', lid: 'a' } })
    expect(log).toEqual([
      ...['before create one', 'after create one', 'before create two', 'after create two'],
      ...['before delete one', 'after delete one'],
      ...['committed create one', 'committed create two', 'committed delete one'],
    ])
  })

  it('that return a filter run once for all operations', async () => {
    await operate(api, addTeam('seven'), addTeam('eight')).expect(200)
    expect(filtered).toBe(1)
  })

  it('see the changes of earlier operations in the same transaction', async () => {
    const seen: number[] = []
    behaviour = async (hook, write) => {
      if (hook === 'after') seen.push(await getEntityManager(write).countBy(Team, { budget: 77 }))
    }
    const rich = (name: string) => addTeam(name, { attributes: { name, budget: 77 } })
    await operate(api, rich('three'), rich('four'))
    expect(seen).toEqual([1, 2])
  })

  const refusal = (init: object) => new JsonApiError({ title: 'No.', ...init })
  const at = (pointer: string) => refusal({ source: { pointer } })
  const AT = '/atomic:operations/1'

  it.each([
    ['a field that was sent', refusal({ field: 'name' }), `422 rule.rejected ${AT}/data/attributes/name`],
    ['another field', refusal({ field: 'budget' }), `422 rule.rejected ${AT}/data/attributes`],
    ['a pointer', at('/data/attributes/name'), `422 rule.rejected ${AT}/data/attributes/name`],
    ['another pointer', at('/data/attributes/x'), `422 rule.rejected ${AT}/data/attributes`],
    ['a header', refusal({ source: { header: 'X-Mood' } }), '422 rule.rejected X-Mood'],
    ['a status', refusal({ status: 403 }), `403 rule.rejected ${AT}`],
    ['an unexpected cause, which is only reported', new TypeError('secret'), '500 server.error'],
  ])('undo all operations when one throws an error with %s', async (_title, error, expected) => {
    for (const failing of ['before', 'after']) {
      behaviour = (hook, { values }) => {
        if (hook === failing && values.name === 'bad') throw error
      }
      expect(await refused(api, addTeam('good'), addTeam('bad'))).toBe(expected)
      expect(log.filter((line) => line.startsWith('committed'))).toEqual([])
    }
    expect(reported).toEqual(error instanceof JsonApiError ? [] : [error, error])
  }) // anchor: O/R-21, W/U-01, W/U-02, W/U-03, W/V-04

  it('cannot return accepted', async () => {
    behaviour = async (hook, write) => {
      if (hook !== 'before' || write.values.name !== 'later') return
      await getEntityManager(write).insert(Draft, { title: 'job' })
      return respondAccepted({ type: 'drafts', id: '1' })
    }
    const response = await api.unchanged(() => operate(api, addTeam('now'), addTeam('later')))
    expect(outcomeOf(response)).toBe('422 operation.async-not-supported /atomic:operations/1')
    expect(log.filter((line) => line.startsWith('committed'))).toEqual([])
  })
})

it('operations run again when the database reports a conflict, with their local ids', async () => {
  let runs = 0
  behaviour = (hook, { values }) => {
    if (hook === 'after' && values.name === 'part' && ++runs < 3)
      throw Object.assign(new Error('could not serialize access'), { code: '40001' })
  }
  const response = await operate(
    api,
    addTeam('whole', { lid: 'w' }),
    addTeam('part', { relationships: { whole: { data: { type: 'teams', lid: 'w' } } } }),
  )
  const [whole, part] = resultsOf(response).map(({ data }: { data: { id: string } }) => data.id)
  expect((await api.get(`/teams/${part}/relationships/whole`)).body.data).toEqual({ type: 'teams', id: whole })
  expect((await teams()).filter((name) => name === 'whole' || name === 'part')).toEqual(['whole', 'part'])
  expect(log.filter((line) => line.startsWith('before'))).toHaveLength(6)
  expect(log.filter((line) => line.startsWith('committed'))).toHaveLength(2)
})

describe('meta.version', () => {
  const version = (of: unknown) => ({ meta: { version: of } })
  const read = async () => (await api.get(`/pages/${page}`)).headers.etag ?? ''

  it('is an ETag or the version of an earlier result', async () => {
    const [first] = resultsOf(await operate(api, titled('Second', version(await read()))))
    expect(first.data.attributes.title).toBe('Second')
    const again = await operate(api, titled('Third', version(first.meta.version)))
    expect(resultsOf(again)[0].data.attributes.title).toBe('Third')
    await operate(api, titled('Fourth', version('*'))).expect(200)
    const stale = await api.unchanged(() => operate(api, titled('Fifth', version(first.meta.version))))
    expect(outcomeOf(stale)).toBe('412 operation.precondition-failed /atomic:operations/0/meta/version')
  })

  it('is compared with the version before the first write of the request', async () => {
    const before = Number(/^"v(\d+)/.exec(await read())?.[1])
    const renamed = (of: number) => operate(api, titled('One'), titled('Two', version(`v${of}`)))
    const stale = await api.unchanged(() => renamed(before + 1))
    expect(outcomeOf(stale)).toBe('412 operation.precondition-failed /atomic:operations/1/meta/version')
    await renamed(before).expect(200)
    expect(await read()).toContain(`"v${before + 2}.`)
  })

  it('does not hold for what the request has added', async () => {
    const ref = { type: 'pages', lid: 'a' }
    const added = { op: 'add', data: { ...ref, attributes: { title: 'New' } } }
    const update = (of: string) => ({ op: 'update', ref, data: { ...ref, attributes: {} }, ...version(of) })
    expect((await api.unchanged(() => operate(api, added, update('v1')))).status).toBe(412)
    await operate(api, added, update('*')).expect(200)
  })

  it('is the version of the linkage for a relationship, before the first write of the request', async () => {
    const team = await api.add(Team, { name: 'versioned' })
    for (const id of ['first', 'second']) await api.add(Tag, { id })
    const links = `/teams/${team}/relationships/tags`
    const before = (await api.get(links)).headers.etag
    const ref = { type: 'teams', id: team, relationship: 'tags' }
    const add = (id: string) => ({ op: 'add', ref, ...toMany('tags', id) })
    const adding = { ...add('second'), ...version(before) }
    const [, result] = resultsOf(await operate(api, add('first'), adding))
    expect(Object.keys(result)).toEqual(['meta'])
    expect((await api.get(links)).headers.etag).toContain(`"${result.meta.version}.`)
    const removal = { op: 'remove', ref: { type: 'teams', id: team }, ...version('old') }
    for (const outdated of [adding, removal]) {
      const outcome = await refused(api, outdated)
      expect(outcome).toBe('412 operation.precondition-failed /atomic:operations/0/meta/version')
    }
  })

  it('is in no result without ETags', async () => {
    await useApi(startServer({ dataSource: api.dataSource, resources: TEAMS, etags: false }), async (plain) => {
      const [result] = resultsOf(await operate(plain, titled('Unversioned')))
      expect(Object.keys(result)).toEqual(['data'])
    })
  })

  it('is refused for a new resource and when it is no string', async () => {
    const response = await api.unchanged(() =>
      operate(api, { ...addTeam('x'), ...version('v1') }, titled('x', version(1)), titled('x', version(null))),
    )
    expect(errorsOf(response)).toEqual([
      '412 operation.precondition-failed /atomic:operations/0/meta/version',
      '400 document.shape /atomic:operations/1/meta/version',
      '400 document.shape /atomic:operations/2/meta/version',
    ])
  })
})

describe('Prefer', () => {
  const rename = async () => ({
    op: 'update',
    data: { type: 'members', id: await api.add(Member, { name: 'Ann' }), attributes: { name: 'Anna' } },
  })

  it('return=representation returns updated resources', async () => {
    const response = await operateWith(api, { prefer: 'return=representation' }, await rename())
    const [{ data }] = resultsOf(response)
    expect([response.headers['preference-applied'], data.attributes.name]).toEqual(['return=representation', 'Anna'])
    const removal = { op: 'remove', ref: { type: 'members', id: data.id } }
    const empty = await operateWith(api, { prefer: 'return=representation' }, removal)
    expect([empty.status, resultsOf(empty)]).toEqual([200, [{}]])
  })

  it('return=minimal is applied when no result has data', async () => {
    const response = await operateWith(api, { prefer: 'return=minimal' }, await rename())
    expect([response.status, response.headers['preference-applied']]).toEqual([204, 'return=minimal'])
    const full = await operateWith(api, { prefer: 'return=minimal' }, titled('Ninth'))
    expect([full.status, full.headers['preference-applied']]).toEqual([200, undefined])
  })
})

it('operations with an Idempotency-Key run once, and the response is repeated', async () => {
  const key = { 'idempotency-key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"' }
  const removal = { op: 'remove', ref: { type: 'teams', lid: 'o' } }
  const operations = [addTeam('once', { lid: 'o' }), removal, addTeam('kept')]
  const first = await operateWith(api, key, ...operations)
  const second = await operateWith(api, key, ...operations)
  expect([second.status, second.text]).toEqual([200, first.text])
  expect((await teams()).filter((name) => name === 'kept')).toHaveLength(1)
  expect(outcomeOf(await operateWith(api, key, addTeam('another')))).toBe('422 idempotency.key-reused Idempotency-Key')
})
