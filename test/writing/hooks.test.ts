import {
  entityManagerOf,
  JsonApiError,
  type ResourceClass,
  ResourceDefinition,
  type ResourceWrite,
  type StoredRecord,
  withTransaction,
} from 'stemma'
import { startApi, type TestApi } from '../support/api'
import { findRows } from '../support/find-rows'
import { tableWith } from '../support/row-tables'
import { Boat, Ferry, Harbour, Sailboat, Tug, VESSELS, Vessel } from '../support/writing-models'

// When the hooks of a definition run, what they are told, and what they can do.

type HookName = Exclude<keyof ResourceDefinition, 'resource' | 'filter'>
// biome-ignore lint/suspicious/noExplicitAny: a test returns whatever it likes from whichever hook
type Behaviour = (write: ResourceWrite<any>, ...rest: any[]) => any

interface Call {
  readonly hook: HookName
  readonly write: ResourceWrite
  readonly relationship: string | undefined
  readonly rights: unknown
}

let calls: Call[] = []
let reported: unknown[] = []
/** What a test lets a hook do. */
let behaviours: Partial<Record<HookName, Behaviour>> = {}

/** Writes down every call, then does what the test wants. */
class Recorder extends ResourceDefinition {
  readonly resource: ResourceClass

  constructor(resource: ResourceClass) {
    super()
    this.resource = resource
  }

  override prepareWrite = this.record('prepareWrite')
  override setToOne = this.record('setToOne')
  override setToMany = this.record('setToMany')
  override addToMany = this.record('addToMany')
  override removeFromMany = this.record('removeFromMany')
  override beforeWrite = this.record('beforeWrite')
  override afterWrite = this.record('afterWrite')
  override afterCommit = this.record('afterCommit')

  private record(hook: HookName): Behaviour {
    return (write, relationship, rights) => {
      expect(Object.isFrozen(write.values)).toBe(true)
      calls.push({ hook, write, relationship, rights })
      return behaviours[hook]?.(write, relationship, rights)
    }
  }
}

let api: TestApi
let ids: Readonly<Record<'boat' | 'sailboat' | 'tug' | 'ferry' | 'harbour' | 'other', string>>

beforeAll(async () => {
  api = await startApi(VESSELS, {
    // The rules of boats answer for sailboats, those of vessels for tugs and ferries.
    definitions: [new Recorder(Vessel), new Recorder(Boat), new Recorder(Harbour)],
    report: (error) => reported.push(error),
  })
})
afterAll(() => api.close())

beforeEach(async () => {
  ids = {
    boat: await api.add(Boat, { name: 'Bee', oars: 6 }),
    sailboat: await api.add(Sailboat, { name: 'Sea', masts: 3 }),
    tug: await api.add(Tug, { name: 'Tom' }),
    ferry: await api.add(Ferry, { name: 'Fay' }),
    harbour: await api.add(Harbour, { name: 'Hull' }),
    other: await api.add(Harbour, { name: 'Kiel' }),
  }
  calls = []
  reported = []
  behaviours = {}
})

const named = (right: unknown): unknown => {
  if (Array.isArray(right)) return right.map(named)
  const record = right as StoredRecord | null
  return record && `${record.type.name} ${record.id} ${record.instance.constructor.name}`
}

/** One line for each call: `setToOne update sailboats 2 harbour harbours 1 Harbour`. */
const story = (): readonly string[] =>
  calls.map(({ hook, write, relationship, rights }) =>
    [hook, write.kind, write.type.name, write.id, relationship, relationship && JSON.stringify(named(rights))]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
  )

const valuesOf = (hook: HookName): unknown => ({ ...calls.find((call) => call.hook === hook)?.write.values })
const identifier = (type: string, id: string) => ({ data: { type, id } })
const many = (...pairs: readonly (readonly [string, string])[]) => ({ data: pairs.map(([type, id]) => ({ type, id })) })

describe('the order of hooks', () => {
  it.each(['vessels', 'boats', 'sailboats'])('on create at %s', async (endpoint) => {
    const relationships = { harbour: identifier('harbours', ids.harbour), escort: identifier('boats', ids.sailboat) }
    const data = { type: 'sailboats', attributes: { name: 'New' }, relationships }
    const { body } = await api.post(`/${endpoint}`).send({ data }).expect(201)
    expect(story()).toEqual([
      'prepareWrite create sailboats',
      `setToOne create sailboats harbour "harbours ${ids.harbour} Harbour"`,
      `setToOne create sailboats escort "sailboats ${ids.sailboat} Sailboat"`,
      'beforeWrite create sailboats',
      `afterWrite create sailboats ${body.data.id}`,
      `afterCommit create sailboats ${body.data.id}`,
    ])
  })

  it.each(['vessels', 'boats', 'sailboats'])('on update at %s', async (endpoint) => {
    const relationships = { escort: identifier('boats', ids.boat), harbour: { data: null } }
    const data = { type: 'sailboats', id: ids.sailboat, attributes: { name: 'New' }, relationships }
    await api.patch(`/${endpoint}/${ids.sailboat}`).send({ data }).expect(204)
    const self = `update sailboats ${ids.sailboat}`
    expect(story()).toEqual([
      `prepareWrite ${self}`,
      `setToOne ${self} escort "boats ${ids.boat} Boat"`,
      `setToOne ${self} harbour null`,
      `beforeWrite ${self}`,
      `afterWrite ${self}`,
      `afterCommit ${self}`,
    ])
  })

  it.each(['vessels', 'boats', 'sailboats'])('on delete at %s', async (endpoint) => {
    await api.delete(`/${endpoint}/${ids.sailboat}`).expect(204)
    const self = `delete sailboats ${ids.sailboat}`
    expect(story()).toEqual([`beforeWrite ${self}`, `afterWrite ${self}`, `afterCommit ${self}`])
    expect(valuesOf('afterCommit')).toMatchObject({ name: 'Sea', masts: 3 })
  })

  it.each([
    ['PATCH', 'setRelationship', 'setToMany'],
    ['POST', 'addToRelationship', 'addToMany'],
    ['DELETE', 'removeFromRelationship', 'removeFromMany'],
  ])('on %s at the endpoint of a to-many relationship', async (method, kind, hook) => {
    const body = many(['vessels', ids.sailboat], ['boats', ids.sailboat], ['ships', ids.tug])
    await api.request(method, `/harbours/${ids.harbour}/relationships/vessels`).send(body).expect(204)
    const self = `${kind} harbours ${ids.harbour}`
    expect(story()).toEqual([
      `prepareWrite ${self}`,
      `${hook} ${self} vessels ["sailboats ${ids.sailboat} Sailboat","tugs ${ids.tug} Tug"]`,
      `beforeWrite ${self}`,
      `afterWrite ${self}`,
      `afterCommit ${self}`,
    ])
  })

  it.each(['vessels', 'sailboats'])('on PATCH at a to-one relationship of %s', async (endpoint) => {
    const body = identifier('vessels', ids.tug)
    await api.patch(`/${endpoint}/${ids.sailboat}/relationships/escort`).send(body).expect(204)
    const self = `setRelationship sailboats ${ids.sailboat}`
    expect(story().slice(0, 3)).toEqual([
      `prepareWrite ${self}`,
      `setToOne ${self} escort "tugs ${ids.tug} Tug"`,
      `beforeWrite ${self}`,
    ])
  })

  it('asks the rules of the nearest base where a type has none, and sees the stored type', async () => {
    await api.patch(`/vessels/${ids.ferry}/relationships/stops`).send(many(['harbours', ids.harbour]))
    expect(story()[1]).toBe(`setToMany setRelationship ferries ${ids.ferry} stops ["harbours ${ids.harbour} Harbour"]`)
  })

  it('runs no hook where the request is refused before', async () => {
    const id = ids.boat
    await api.patch(`/boats/${id}`).send({ data: { type: 'boats', id, attributes: { nam: 1 } } })
    await api.patch(`/boats/${id}/relationships/escort`).send(identifier('boats', '999'))
    await api.patch('/boats/999').send({ data: { type: 'boats', id: '999' } })
    expect(story()).toEqual([])
  })

  it('tells `afterCommit` only of what is kept', async () => {
    behaviours.afterWrite = () => refuse()
    expect((await api.unchanged(() => api.delete(`/boats/${ids.boat}`))).status).toBe(422)
    expect(calls.map(({ hook }) => hook)).toEqual(['beforeWrite', 'afterWrite'])
  })
})

describe('what hooks are told', () => {
  it('of an update: what is stored, then the final values, and what was sent', async () => {
    behaviours.prepareWrite = () => ({ masts: 8, oars: 8 })
    behaviours.beforeWrite = () => ({ oars: 12 })
    const relationships = { escort: identifier('boats', ids.boat), harbour: identifier('harbours', ids.harbour) }
    const data = { type: 'sailboats', id: ids.sailboat, attributes: { name: 'New', masts: 4 }, relationships }
    const { status, body } = await api.patch(`/vessels/${ids.sailboat}`).send({ data })
    expect([status, body.data.attributes]).toEqual([200, { name: 'New', oars: 12, masts: 4 }])

    expect(valuesOf('prepareWrite')).toMatchObject({ name: 'Sea', oars: 2, masts: 3 })
    expect(valuesOf('setToOne')).toMatchObject({ name: 'Sea', oars: 8, masts: 8 })
    expect(valuesOf('beforeWrite')).toMatchObject({ name: 'New', oars: 8, masts: 4 })
    expect(valuesOf('afterWrite')).toMatchObject({ name: 'New', oars: 12, masts: 4 })
    expect(valuesOf('afterCommit')).toMatchObject({ name: 'New', oars: 12, masts: 4 })
    for (const { hook, write } of calls) {
      expect(write.values).toBeInstanceOf(Sailboat)
      expect([named(write.stored), { ...write.stored?.instance }]).toEqual([
        `sailboats ${ids.sailboat} Sailboat`,
        { name: 'Sea', oars: 2, masts: 3 },
      ])
      expect([...write.sent].sort()).toEqual(['escort', 'harbour', 'masts', 'name'])
      const links = Object.fromEntries([...write.relationships].map(([name, right]) => [name, named(right)]))
      const isDecided = !['prepareWrite', 'setToOne'].includes(hook)
      expect(links).toEqual(
        isDecided ? { escort: `boats ${ids.boat} Boat`, harbour: `harbours ${ids.harbour} Harbour` } : {},
      )
    }
  })

  it('of a create: defaults, then what it prepared, then the final values', async () => {
    behaviours.prepareWrite = () => ({ name: 'Given', masts: 1 })
    const { body } = await api.post('/vessels').send({ data: { type: 'sailboats', attributes: { masts: 2 } } })
    expect(body.data.attributes).toEqual({ name: 'Given', oars: 2, masts: 2 })
    expect(valuesOf('prepareWrite')).toEqual({ oars: 2, masts: null })
    expect(valuesOf('beforeWrite')).toEqual({ name: 'Given', oars: 2, masts: 2 })
    for (const { write } of calls) expect([write.values instanceof Sailboat, write.stored]).toEqual([true, undefined])
  })

  it('of a relationship write: the stored values, and what is added or removed', async () => {
    await api.post(`/harbours/${ids.harbour}/relationships/vessels`).send(many(['tugs', ids.tug]))
    await api.delete(`/harbours/${ids.harbour}/relationships/vessels`).send(many(['boats', ids.boat], ['boats', '999']))
    expect(
      calls.filter(({ hook }) => hook === 'beforeWrite').map(({ write }) => named(write.relationships.get('vessels'))),
    ).toEqual([[`tugs ${ids.tug} Tug`], [`boats ${ids.boat} Boat`]])
    expect(valuesOf('beforeWrite')).toEqual({ name: 'Hull' })
    expect([...(calls[0]?.write.sent ?? [])]).toEqual(['vessels'])
  })
})

describe('what hooks return', () => {
  it('takes the place of what was asked of a to-one relationship', async () => {
    const path = `/boats/${ids.boat}/relationships/escort`
    behaviours.setToOne = () => ({ type: 'vessels', id: ids.tug })
    const { status, body } = await api.patch(path).send(identifier('boats', ids.sailboat))
    expect([status, body.data]).toEqual([200, { type: 'tugs', id: ids.tug }])
    expect(body.links).toEqual({ self: path, related: `/boats/${ids.boat}/escort` })
    behaviours.setToOne = () => null
    expect((await api.patch(path).send(identifier('boats', ids.sailboat))).body.data).toBeNull()
    behaviours.setToOne = (_write, _name, right) => right
    await api.patch(path).send(identifier('boats', ids.sailboat)).expect(204)
  })

  it.each([
    ['PATCH', 'setToMany'],
    ['POST', 'addToMany'],
  ] as const)('takes the place of the members that were asked for: %s', async (method, hook) => {
    const path = `/harbours/${ids.harbour}/relationships/vessels`
    behaviours[hook] = (_write, _name, rights) => [...rights, { type: 'ships', id: ids.ferry }]
    const { status, body } = await api.request(method, path).send(many(['vessels', ids.tug]))
    expect([status, body.data]).toEqual([200, many(['tugs', ids.tug], ['ferries', ids.ferry]).data])
    expect((await api.get(path)).body.data).toEqual(body.data)
    behaviours[hook] = (_write, _name, rights) => [...rights]
    await api
      .request(method, path)
      .send(many(['vessels', ids.tug]))
      .expect(204)
  })

  it('takes the place of the members that were to be removed', async () => {
    const path = `/harbours/${ids.harbour}/relationships/vessels`
    await api.patch(path).send(many(['vessels', ids.tug], ['vessels', ids.boat], ['vessels', ids.ferry]))
    behaviours.removeFromMany = (_write, _name, [first]) => [first]
    const { status, body } = await api.delete(path).send(many(['tugs', ids.tug], ['boats', ids.boat]))
    expect([status, body.data]).toEqual([200, many(['boats', ids.boat], ['ferries', ids.ferry]).data])
  })

  it('is answered with the resource, when it was an update', async () => {
    behaviours.setToOne = () => ({ type: 'tugs', id: ids.tug })
    const data = { type: 'boats', id: ids.boat, relationships: { escort: { data: null } } }
    const { status, body } = await api.patch(`/vessels/${ids.boat}`).send({ data })
    expect([status, body.data.id]).toEqual([200, ids.boat])
    expect((await api.get(`/boats/${ids.boat}/relationships/escort`)).body.data.id).toBe(ids.tug)
  })

  it('may name a resource that is not there: 404, and nothing written', async () => {
    behaviours.setToOne = () => ({ type: 'tugs', id: ids.boat })
    const sending = () => api.patch(`/boats/${ids.boat}/relationships/escort`).send({ data: null })
    const { status, body } = await api.unchanged(sending)
    expect([status, body.errors]).toMatchObject([
      404,
      [
        {
          code: 'related.not-found',
          // Which one it was is nothing that the client has said, or may know.
          detail: "What a rule chose for 'escort' is not there.",
          source: { pointer: '/data' },
        },
      ],
    ])
  })

  it('is a member once, however often it is returned', async () => {
    behaviours.addToMany = (_write, _name, rights) => [...rights, ...rights, { type: 'vessels', id: ids.tug }]
    await api
      .post(`/harbours/${ids.harbour}/relationships/vessels`)
      .send(many(['ships', ids.tug]))
      .expect(204)
    const [told] = calls.filter(({ hook }) => hook === 'beforeWrite')
    expect(named(told?.write.relationships.get('vessels'))).toEqual([`tugs ${ids.tug} Tug`])
  })

  it('is an error of the server where it is a record that can not stand there', async () => {
    behaviours.setToOne = ({ stored }) => stored
    const path = `/boats/${ids.boat}/relationships/harbour`
    expect((await api.unchanged(() => api.patch(path).send(identifier('harbours', ids.harbour)))).status).toBe(500)
    expect(reported.map(String)).toEqual([
      `InvariantError: A rule chose 'boats' with id '${ids.boat}' for 'harbour', which leads to 'harbours'.`,
    ])
  })

  it('writes attributes in a relationship write as well', async () => {
    behaviours.beforeWrite = () => ({ name: 'Moved' })
    await api.patch(`/boats/${ids.boat}/relationships/escort`).send({ data: null }).expect(204)
    expect((await api.get(`/boats/${ids.boat}`)).body.data.attributes.name).toBe('Moved')
  })

  it('has no effect where it is nothing, or undefined', async () => {
    behaviours.prepareWrite = () => ({ name: undefined })
    behaviours.beforeWrite = () => undefined
    const data = { type: 'boats', id: ids.boat, attributes: { oars: 3 } }
    await api.patch(`/boats/${ids.boat}`).send({ data }).expect(204)
    expect((await api.get(`/boats/${ids.boat}`)).body.data.attributes).toEqual({ name: 'Bee', oars: 3 })
  })

  it('is an error of the server where it is no attribute', async () => {
    behaviours.beforeWrite = () => ({ nam: 'New' })
    const data = { type: 'boats', id: ids.boat }
    expect((await api.unchanged(() => api.patch(`/boats/${ids.boat}`).send({ data }))).status).toBe(500)
    expect(String(reported[0])).toContain(
      "A rule of boats returned 'nam': no attribute. It is one where @Attribute stands on Boat.nam.",
    )
  })
})

const WRITES = {
  create: () => {
    const relationships = { escort: identifier('boats', ids.sailboat) }
    return api.post('/vessels').send({ data: { type: 'boats', attributes: { name: 'New' }, relationships } })
  },
  update: () => {
    const relationships = { vessels: many(['boats', ids.boat]), pilotBoat: identifier('boats', ids.boat) }
    return api.patch(`/harbours/${ids.harbour}`).send({ data: { type: 'harbours', id: ids.harbour, relationships } })
  },
  delete: () => api.delete(`/vessels/${ids.boat}`),
  setRelationship: () => api.patch(`/vessels/${ids.boat}/relationships/escort`).send(identifier('vessels', ids.tug)),
  setRelationshipToMany: () =>
    api.patch(`/harbours/${ids.harbour}/relationships/vessels`).send(many(['boats', ids.boat])),
  addToRelationship: () => api.post(`/harbours/${ids.harbour}/relationships/vessels`).send(many(['boats', ids.boat])),
  removeFromRelationship: () =>
    api.delete(`/harbours/${ids.harbour}/relationships/vessels`).send(many(['boats', ids.boat])),
} as const

const THROWING: readonly (readonly [hook: HookName, write: keyof typeof WRITES])[] = [
  ...(['create', 'update', 'setRelationship', 'addToRelationship', 'removeFromRelationship'] as const).map(
    (write) => ['prepareWrite', write] as const,
  ),
  ...(['create', 'update', 'setRelationship'] as const).map((write) => ['setToOne', write] as const),
  ...(['update', 'setRelationshipToMany'] as const).map((write) => ['setToMany', write] as const),
  ['addToMany', 'addToRelationship'],
  ['removeFromMany', 'removeFromRelationship'],
  ...(Object.keys(WRITES) as (keyof typeof WRITES)[]).flatMap((write) => [
    ['beforeWrite', write] as const,
    ['afterWrite', write] as const,
  ]),
]

describe.each(THROWING)('%s of a write that is a %s', (hook, write) => {
  const scribble = async (subject: ResourceWrite): Promise<void> => {
    await entityManagerOf(subject).save(Object.assign(new Harbour(), { name: 'Scribble' }))
  }

  it('undoes everything when it throws, its own statements too', async () => {
    behaviours[hook] = async (subject) => {
      await scribble(subject)
      refuse()
    }
    const { status, body } = await api.unchanged(WRITES[write])
    expect([status, body.errors]).toMatchObject([422, [{ code: 'rule.refused', title: 'No.' }]])
    expect(reported).toEqual([])
  })

  it('is 500 without detail when it fails, and nothing is written', async () => {
    behaviours[hook] = async (subject) => {
      await scribble(subject)
      throw new TypeError('secret')
    }
    const { status, body, text } = await api.unchanged(WRITES[write])
    expect([status, body.errors]).toEqual([500, [{ status: '500', code: 'server.error', title: 'The server failed.' }]])
    expect([text.includes('secret'), reported]).toEqual([false, [new TypeError('secret')]])
  })

  it('has its statements kept with the write', async () => {
    const before = await api.dataSource.getRepository(Harbour).countBy({ name: 'Scribble' })
    behaviours[hook] = async (subject) => {
      await scribble(subject)
    }
    expect((await WRITES[write]()).status).toBeLessThan(300)
    expect(await api.dataSource.getRepository(Harbour).countBy({ name: 'Scribble' })).toBe(before + 1)
  })
})

describe('a refusal', () => {
  const update = (attributes: object, type = 'sailboats') =>
    api.unchanged(() => api.patch(`/vessels/${ids.sailboat}`).send({ data: { type, id: ids.sailboat, attributes } }))

  it.each([
    ['a field that was sent', 'name', '/data/attributes/name'],
    ['a field that was not sent', 'oars', '/data/attributes'],
    ['a relationship when none was sent', 'escort', '/data'],
    ['the id', 'id', '/data/id'],
    ['no field of the type', 'nothing', '/data'],
    ['a field of a sibling', 'stops', '/data'],
  ])('that names %s points to the nearest that is in the body', async (_what, field, pointer) => {
    behaviours.beforeWrite = () => refuse({ field })
    const { body } = await update({ name: 'New' })
    expect(body.errors).toMatchObject([{ source: { pointer } }])
  })

  it('that names an unknown field does not point to the relationships', async () => {
    behaviours.beforeWrite = () => refuse({ field: 'nothing' })
    const data = { type: 'boats', id: ids.boat, relationships: { escort: { data: null } } }
    const { body } = await api.unchanged(() => api.patch(`/boats/${ids.boat}`).send({ data }))
    expect(body.errors).toMatchObject([{ source: { pointer: '/data' } }])
  })

  it('finds a field of the stored type, also where a base of it was named', async () => {
    behaviours.beforeWrite = () => refuse({ field: 'masts' })
    const { body } = await update({ name: 'New' }, 'boats')
    expect(body.errors).toMatchObject([{ source: { pointer: '/data/attributes' } }])
  })

  it('has no pointer where there is no body, and says what it likes', async () => {
    behaviours.beforeWrite = () =>
      refuse({ field: 'name', status: 403, code: 'mine', detail: 'Because.', meta: { a: 1 } })
    const { status, body } = await api.unchanged(() => api.delete(`/boats/${ids.boat}`))
    expect([status, body.errors]).toEqual([
      403,
      [{ status: '403', code: 'mine', title: 'No.', detail: 'Because.', meta: { a: 1 } }],
    ])
  })
})

describe('an error after the commit', () => {
  it.each([
    ['create', 201],
    ['setRelationship', 204],
    ['delete', 204],
  ] as const)('is reported and not answered: %s', async (write, status) => {
    behaviours.afterCommit = async () => {
      throw new TypeError('too late')
    }
    await WRITES[write]().expect(status)
    expect(reported).toEqual([new TypeError('too late')])
  })

  it('sees what was written, outside of the transaction', async () => {
    let found: number | undefined
    behaviours.afterCommit = async () => {
      found = (await findRows(api.dataSource, Boat)).filter(({ name }) => name === 'Seen').length
    }
    await api.post('/vessels').send({ data: { type: 'boats', attributes: { name: 'Seen' } } })
    expect(found).toBe(1)
  })
})

describe('statements of a rule', () => {
  const update = () =>
    api.patch(`/boats/${ids.boat}`).send({ data: { type: 'boats', id: ids.boat, attributes: { oars: 7 } } })
  const count = (name: string) => api.dataSource.getRepository(Harbour).countBy({ name })

  it('can be a part that is undone alone, when it fails and the rule goes on', async () => {
    const [gone, kept] = [await count('Gone'), await count('Kept')]
    behaviours.beforeWrite = async () => {
      const failing = withTransaction(api.dataSource, async (manager) => {
        await manager.insert(Harbour, { name: 'Gone' })
        await manager.query('select nothing from nowhere')
      })
      await expect(failing).rejects.toThrow()
      await withTransaction(api.dataSource, (manager) => manager.insert(Harbour, { name: 'Kept' }))
    }
    await update().expect(204)
    expect([await count('Gone'), await count('Kept')]).toEqual([gone, kept + 1])
    expect((await api.get(`/boats/${ids.boat}`)).body.data.attributes.oars).toBe(7)
  })

  it('are undone with the write, also when their part had ended well', async () => {
    behaviours.beforeWrite = async () => {
      await withTransaction(api.dataSource, (manager) => manager.insert(Harbour, { name: 'Gone' }))
      refuse()
    }
    expect((await api.unchanged(update)).status).toBe(422)
  })

  it('see the rows that the write has written, before anybody else', async () => {
    let found: number | undefined
    behaviours.afterWrite = async (write) => {
      const table = tableWith(api.dataSource, Boat, 'name')
      found = (await entityManagerOf(write).query(`select * from ${table} where name = 'Mine'`)).length
    }
    await api.post('/boats').send({ data: { type: 'boats', attributes: { name: 'Mine' } } })
    expect(found).toBe(1)
  })
})

function refuse(refusal: object = {}): never {
  throw new JsonApiError({ title: 'No.', ...refusal })
}
