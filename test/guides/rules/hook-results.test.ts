import { resource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { describeRecord, recordHooks, refuse, relationshipsOf } from './support/recorder'

const { api, ids, calls, reported, behaviours } = recordHooks()

describe('the value that a hook returns', () => {
  it('replaces the resource that a to-one relationship is set to', async () => {
    const path = `/boats/${ids.boat}/relationships/escort`
    behaviours.setToOne = () => ({ type: 'vessels', id: ids.tug })
    const { body } = await api.patch(path).send(toOne('boats', ids.sailboat)).expect(200)
    expect(body.data).toEqual({ type: 'tugs', id: ids.tug })
    expect(body.links).toEqual({ self: path, related: `/boats/${ids.boat}/escort` })
    behaviours.setToOne = () => null
    expect((await api.patch(path).send(toOne('boats', ids.sailboat))).body.data).toBeNull()
    behaviours.setToOne = (_write, _name, related) => related
    await api.patch(path).send(toOne('boats', ids.sailboat)).expect(204)
  })

  it.each([
    ['PATCH', 'setToMany'],
    ['POST', 'addToMany'],
  ] as const)('replaces the members that %s of a to-many relationship sends', async (method, hook) => {
    const path = `/harbours/${ids.harbour}/relationships/vessels`
    behaviours[hook] = (_write, _name, related) => [...related, { type: 'ships', id: ids.ferry }]
    const { body } = await api.request(method, path).send(toMany('vessels', ids.tug)).expect(200)
    expect(body.data).toEqual([toOne('tugs', ids.tug).data, toOne('ferries', ids.ferry).data])
    expect((await api.get(path)).body.data).toEqual(body.data)
    behaviours[hook] = (_write, _name, related) => [...related]
    await api.request(method, path).send(toMany('vessels', ids.tug)).expect(204)
  })

  it('replaces the members that DELETE removes', async () => {
    const path = `/harbours/${ids.harbour}/relationships/vessels`
    await api.patch(path).send(toMany('vessels', ids.tug, ids.boat, ids.ferry))
    behaviours.removeFromMany = (_write, _name, [first]) => [first]
    const sent = [toOne('tugs', ids.tug).data, toOne('boats', ids.boat).data]
    const { body } = await api.delete(path).send({ data: sent }).expect(200)
    expect(body.data).toEqual([toOne('boats', ids.boat).data, toOne('ferries', ids.ferry).data])
  }) // anchor: W/L-05

  it('returns 404 without naming the resource when it does not exist, and writes nothing', async () => {
    behaviours.setToOne = () => ({ type: 'tugs', id: ids.boat })
    const path = `/boats/${ids.boat}/relationships/escort`
    const response = await api.unchanged(() => api.patch(path).send({ data: null }))
    expectError(response, 404, '/data', 'related.not-found')
    // The client did not send this id, and may not know it.
    expect(response.body.errors[0].detail).toBe("The resource that a rule chose for 'escort' does not exist.")
  })

  it('adds a member once when it contains it twice', async () => {
    behaviours.addToMany = (_write, _name, related) => [...related, ...related, { type: 'vessels', id: ids.tug }]
    await api.post(`/harbours/${ids.harbour}/relationships/vessels`).send(toMany('ships', ids.tug)).expect(204)
    const call = calls.find(({ hook }) => hook === 'beforeWrite')
    expect(describeRecord(relationshipsOf(call).vessels)).toEqual([`tugs ${ids.tug} Tug`])
  })

  it('is a server error when the record has a type that the relationship cannot hold', async () => {
    behaviours.setToOne = ({ previous }) => previous
    const path = `/boats/${ids.boat}/relationships/harbour`
    expect((await api.unchanged(() => api.patch(path).send(toOne('harbours', ids.harbour)))).status).toBe(500)
    expect(reported.map(String)).toEqual([
      `InvariantError: The hook of 'harbour' chose 'boats' with id '${ids.boat}', expected a resource of type 'harbours'.`,
    ])
  })

  it('sets attributes in a relationship write', async () => {
    behaviours.beforeWrite = () => ({ name: 'Moved' })
    await api.patch(`/boats/${ids.boat}/relationships/escort`).send({ data: null }).expect(204)
    expect((await api.get(`/boats/${ids.boat}`)).body.data.attributes.name).toBe('Moved')
  }) // anchor: W/I-01

  it('has no effect when it is undefined, or an attribute of it is', async () => {
    behaviours.prepareWrite = () => ({ name: undefined })
    behaviours.beforeWrite = () => undefined
    await updateResource(api, 'boats', ids.boat, { oars: 3 }).expect(204)
    expect((await api.get(`/boats/${ids.boat}`)).body.data.attributes).toEqual({ name: 'Bee', oars: 3 })
  })

  const LIST = "a list of records that it received, or of '{ type, id }'"
  it.each([
    ['prepareWrite', 'text', 'PATCH', 'boat', 'an object with values by property'],
    ['beforeWrite', [1], 'PATCH', 'boat', 'an object with values by property, or the result of respondAccepted()'],
    ['setToOne', 'tugs 1', 'PATCH', 'escort', "a record that it received, '{ type, id }' or null"],
    ['setToMany', { type: 'tugs', id: '1' }, 'PATCH', 'vessels', LIST],
    ['addToMany', ['1'], 'POST', 'vessels', LIST],
    ['removeFromMany', 1, 'DELETE', 'vessels', LIST],
  ] as const)('is a server error when %s returns %j', async (hook, said, method, place, expected) => {
    behaviours[hook] = () => said as never
    const places: Readonly<Record<string, readonly [string, object]>> = {
      boat: [`/boats/${ids.boat}`, resource('boats', ids.boat, { name: 'New' })],
      escort: [`/boats/${ids.boat}/relationships/escort`, toOne('boats', ids.sailboat)],
      vessels: [`/harbours/${ids.harbour}/relationships/vessels`, toMany('vessels', ids.tug)],
    }
    const [path, data] = places[place] ?? ['', {}]
    expect((await api.unchanged(() => api.request(method, path).send(data))).status).toBe(500)
    expect(String(reported[0])).toMatch(
      new RegExp(`^InvariantError: The ${hook} hook of \\w+ returned .*, in the class \\w+\\. Return `),
    )
    expect(String(reported[0])).toContain(`Return ${expected}, or nothing.`)
  })

  it.each([
    ['beforeWrite', 'boats', 'nam', 'which is no attribute. Correct the name, or add @Attribute to Boat.nam.', ''],
    ['prepareWrite', 'boats', 'id', "but Boat.id is the id, which a hook can't set. Leave it out.", ''],
    ['prepareWrite', 'boats', 'escort', 'but Boat.escort is a relationship', 'override setToOne to replace'],
    ['beforeWrite', 'harbours', 'vessels', 'but Harbour.vessels is a relationship', 'override setToMany to replace'],
  ] as const)('is a server error when %s of %s names %s', async (hook, type, property, mistake, remedy) => {
    behaviours[hook] = () => ({ [property]: null })
    const id = type === 'boats' ? ids.boat : ids.harbour
    expect((await api.unchanged(() => updateResource(api, type, id))).status).toBe(500)
    expect(String(reported[0])).toContain(`The ${hook} hook of '${type}' returned '${property}', ${mistake}`)
    expect(String(reported[0])).toContain(remedy)
  })
})

describe('a JsonApiError that a hook throws', () => {
  const update = (attributes: object, type = 'sailboats') =>
    api.unchanged(() => api.patch(`/vessels/${ids.sailboat}`).send(resource(type, ids.sailboat, attributes)))

  it.each([
    ['a sent field', 'name', '/data/attributes/name'],
    ['a field that was not sent', 'oars', '/data/attributes'],
    ['a relationship when none was sent', 'escort', '/data'],
    ['the id', 'id', '/data/id'],
    ['an unknown field', 'nmae', '/data', "'nmae', which 'sailboats' does not have. Did you mean 'name'? Give"],
    ['a field of a sibling type', 'stops', '/data'],
  ])('points to the nearest place in the body when it names %s', async (_what, field, pointer, ...[mistake]) => {
    behaviours.beforeWrite = () => refuse({ field })
    expectError(await update({ name: 'New' }), 422, pointer)
    expect(reported.map(String)).toEqual(mistake ? [expect.stringContaining(`'No.' has the field ${mistake}`)] : [])
  }) // anchor: W/P-11

  it.each([
    ['PATCH', 'escort', 'nmae', 1],
    ['PATCH', 'escort', 'vessels', 0],
    ['PATCH', undefined, 'vessels', 0],
    ['DELETE', undefined, 'nmae', 1],
  ] as const)('is reported for an unknown field: %s %s with %s', async (method, relationship, field, count) => {
    behaviours.beforeWrite = () => refuse({ field })
    const path = `/boats/${ids.boat}${relationship === undefined ? '' : `/relationships/${relationship}`}`
    const data = relationship === undefined ? resource('boats', ids.boat, { name: 'New' }).data : null
    const body = method === 'PATCH' ? { data } : undefined
    await api.unchanged(() => api.request(method, path).send(body).expect(422).start())
    const report = expect.stringContaining(
      `'No.' has the field '${field}', which 'boats' does not have. Did you mean 'name'?`,
    )
    expect(reported.map(String)).toEqual(Array.from({ length: count }, () => report))
  })

  it('can name a field of the stored type when the body names a base of it', async () => {
    behaviours.beforeWrite = () => refuse({ field: 'masts' })
    expectError(await update({ name: 'New' }, 'boats'), 422, '/data/attributes')
  })

  it('is sent without a pointer when the request has no body, with its other members', async () => {
    const members = { status: 403, code: 'mine', detail: 'Because.', meta: { a: 1 } }
    behaviours.beforeWrite = () => refuse({ field: 'name', ...members })
    const { body } = await api.unchanged(() => api.delete(`/boats/${ids.boat}`).expect(403))
    expect(body.errors).toEqual([{ ...members, status: '403', title: 'No.' }])
  })
})
