import { ToMany, ToOne } from 'stemma'
import { ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { define, ref, setUp, startApi, startApiOn, useApi } from '../../support/api'
import { createResource, newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { errorsOf, expectError, outcomeOf } from '../../support/expectations'
import { refused, toOperation } from '../../support/operate'
import { DerivedResource, HierarchyRoot, OwnerOneToOne } from '../../support/resource-decorators'
import { byLayout } from '../../support/table-layout'
import { Badge, Member, Note, Tag, Task, TEAMS, Team } from '../../support/writing-models'

// Both ends of a relationship after a write. https://jsonapi.org/format/1.1/#crud-updating-relationships

const api = setUp(() => startApi(TEAMS))
let count = 0
const addTeam = () => api.add(Team, { name: `Team ${++count}` })
const addMember = () => api.add(Member, { name: `Member ${++count}` })
const addTag = () => api.add(Tag, { id: `tag-${++count}` })
const addTask = (team: string) => api.add(Task, { title: 'Dig', team: { id: team } })
const addNote = (team: string) => api.add(Note, { team: { id: team } })
const addBadge = (holder: string) => api.add(Badge, { holder: { id: holder } })

const TYPES: Readonly<Record<string, string>> = {
  ...{ members: 'members', lead: 'members', holder: 'members', team: 'teams', leads: 'teams', whole: 'teams' },
  ...{ parts: 'teams', partners: 'teams', partnerOf: 'teams', teams: 'teams' },
  ...{ tags: 'tags', tasks: 'tasks', notes: 'notes', badge: 'badges' },
}

type Ids = string | null | readonly string[]

function linkage(name: string, ids: Ids) {
  const type = TYPES[name] ?? ''
  return ids === null || typeof ids === 'string' ? toOne(type, ids) : toMany(type, ...ids)
}

const relationshipsOf = (ids: Readonly<Record<string, Ids>>) =>
  Object.fromEntries(Object.entries(ids).map(([name, each]) => [name, linkage(name, each)]))

/** `send('PATCH', 'teams 1', 'lead', '2')` */
const send = (method: string, left: string, name: string, ids: Ids) =>
  api.request(method, `/${left.replace(' ', '/')}/relationships/${name}`).send(linkage(name, ids))

/** The ids that a relationship holds: `linked('teams 1', 'members')`. */
async function linked(left: string, name: string): Promise<unknown> {
  const { data } = (await api.get(`/${left.replace(' ', '/')}/relationships/${name}`)).body
  return Array.isArray(data) ? data.map(({ id }: { id: string }) => id).sort() : (data?.id ?? null)
}

const EACH_WAY = Object.entries({
  'PATCH of the relationship': (left: string, name: string, ids: Ids) => send('PATCH', left, name, ids),
  'PATCH of the resource': (left: string, name: string, ids: Ids) => {
    const [type = '', id] = left.split(' ')
    return api.patch(`/${type}/${id}`).send(resource(type, id, undefined, relationshipsOf({ [name]: ids })))
  },
})

describe.each(EACH_WAY)('a one-to-one relationship, set by %s', (_way, set) => {
  it.each(['teams', 'members'])('takes both resources from their partners, and is emptied, at %s', async (type) => {
    const [red, blue, ann, bob] = [await addTeam(), await addTeam(), await addMember(), await addMember()]
    await send('PATCH', `teams ${red}`, 'lead', ann)
    await send('PATCH', `teams ${blue}`, 'lead', bob)
    const [left, name, right] = type === 'teams' ? [`teams ${blue}`, 'lead', ann] : [`members ${ann}`, 'leads', blue]
    for (const partner of [right, right, null]) {
      await set(left, name, partner).expect(204)
      const leads = [await linked(`teams ${red}`, 'lead'), await linked(`teams ${blue}`, 'lead')]
      expect(leads).toEqual([null, partner && ann])
      const led = [await linked(`members ${ann}`, 'leads'), await linked(`members ${bob}`, 'leads')]
      expect(led).toEqual([partner && blue, null])
    }
  }) // anchor: W/I-02, W/I-04

  it('is not emptied from either end when it is required, but can move', async () => {
    const [ann, bob] = [await addMember(), await addMember()]
    const badge = await addBadge(ann)
    for (const request of [() => set(`badges ${badge}`, 'holder', null), () => set(`members ${ann}`, 'badge', null)])
      expect(errorsOf(await api.unchanged(request))).toEqual([expect.stringContaining('422 relationship.required')])
    await set(`badges ${badge}`, 'holder', bob).expect(204)
    expect([await linked(`members ${ann}`, 'badge'), await linked(`members ${bob}`, 'badge')]).toEqual([null, badge])
    await set(`members ${ann}`, 'badge', badge).expect(204)
    expect([await linked(`badges ${badge}`, 'holder'), await linked(`members ${bob}`, 'badge')]).toEqual([ann, null])
  }) // anchor: W/O-02, W/O-03, W/O-05, W/O-07

  it('is not taken from a resource that requires it', async () => {
    const [ann, bob] = [await addMember(), await addMember()]
    const [first, second] = [await addBadge(ann), await addBadge(bob)]
    const taken = await api.unchanged(() => set(`badges ${first}`, 'holder', bob))
    expect(errorsOf(taken)).toEqual([expect.stringContaining('409 constraint.unique')])
    const required = await api.unchanged(() => set(`members ${bob}`, 'badge', first))
    expect(errorsOf(required)).toEqual([expect.stringContaining('422 relationship.required')])
    expect(await linked(`badges ${second}`, 'holder')).toBe(bob)
  })
})

describe.each(EACH_WAY)('a to-many relationship, replaced by %s', (_way, set) => {
  it('has exactly the sent members, and takes them from other resources', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const ids = [await addMember(), await addMember(), await addMember(), await addMember()] as const
    await set(`teams ${red}`, 'members', [ids[0], ids[1]])
    await set(`teams ${blue}`, 'members', [ids[2], ids[3]])
    await set(`teams ${red}`, 'members', [ids[1], ids[2]]).expect(204)
    expect(await linked(`teams ${red}`, 'members')).toEqual([ids[1], ids[2]].sort())
    expect(await linked(`teams ${blue}`, 'members')).toEqual([ids[3]])
    expect(await linked(`members ${ids[0]}`, 'team')).toBeNull()
    await set(`teams ${red}`, 'members', []).expect(204)
    expect(await linked(`teams ${red}`, 'members')).toEqual([])
    expect(await linked(`teams ${blue}`, 'members')).toEqual([ids[3]])
  }) // anchor: W/I-03

  it('can contain the resource itself', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    for (const name of ['parts', 'partners', 'partnerOf']) {
      for (const ids of [[red, blue], [red], []]) {
        await set(`teams ${red}`, name, ids).expect(204)
        expect(await linked(`teams ${red}`, name)).toEqual([...ids].sort())
      }
    }
    await set(`teams ${red}`, 'whole', red).expect(204)
    expect([await linked(`teams ${red}`, 'whole'), await linked(`teams ${red}`, 'parts')]).toEqual([red, [red]])
    await set(`teams ${red}`, 'whole', null).expect(204)
  }) // anchor: W/I-05, W/J-03, W/K-06, W/L-06

  it('refuses to remove members that require it, which can move', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const task = await addTask(red)
    const response = await api.unchanged(() => set(`teams ${red}`, 'tasks', []))
    const expected = /^422 relationship\.required \/data(\/relationships\/tasks)?$/
    expect(errorsOf(response)).toEqual([expect.stringMatching(expected)])
    await set(`teams ${red}`, 'tasks', [task]).expect(204)
    await set(`teams ${blue}`, 'tasks', [task]).expect(204)
    expect([await linked(`teams ${red}`, 'tasks'), await linked(`tasks ${task}`, 'team')]).toEqual([[], blue])
  }) // anchor: W/O-05

  it("deletes removed members with orphanedRowAction 'delete'", async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const [removed, kept, other] = [await addNote(red), await addNote(red), await addNote(blue)]
    await set(`teams ${red}`, 'notes', [kept, other]).expect(204)
    await api.get(`/notes/${removed}`).expect(404)
    expect([await linked(`teams ${red}`, 'notes'), await linked(`teams ${blue}`, 'notes')]).toEqual([[kept, other], []])
    await set(`teams ${red}`, 'notes', []).expect(204)
    for (const id of [removed, kept, other]) await api.get(`/notes/${id}`).expect(404)
  }) // anchor: W/O-05
})

const MEMBERS = [
  ['teams', 'members', addTeam, addMember],
  ['teams', 'tags', addTeam, addTag],
  ['tags', 'teams', addTag, addTeam],
  ...(['partners', 'partnerOf', 'parts'] as const).map((name) => ['teams', name, addTeam, addTeam] as const),
] as const

describe('POST of a to-many relationship', () => {
  it.each(MEMBERS)('adds each member once at %s.%s', async (type, name, addLeft, addRight) => {
    const left = `${type} ${await addLeft()}`
    const ids = [await addRight(), await addRight()] as const
    for (const sent of [[ids[0]], [ids[0]], [ids[0], ids[1], ids[1]], []])
      await send('POST', left, name, sent).expect(204)
    expect(await linked(left, name)).toEqual([...ids].sort())
  })

  it('removes the members from the resource that they belonged to', async () => {
    const [red, blue, ann] = [await addTeam(), await addTeam(), await addMember()]
    const task = await addTask(red)
    await send('POST', `teams ${red}`, 'members', [ann])
    await send('POST', `teams ${blue}`, 'members', [ann]).expect(204)
    await send('POST', `teams ${blue}`, 'tasks', [task]).expect(204)
    expect([await linked(`teams ${red}`, 'members'), await linked(`teams ${blue}`, 'members')]).toEqual([[], [ann]])
    expect([await linked(`teams ${red}`, 'tasks'), await linked(`teams ${blue}`, 'tasks')]).toEqual([[], [task]])
  }) // anchor: W/K-01
})

describe('DELETE of a to-many relationship', () => {
  it.each(MEMBERS)('removes members from %s.%s alone, and keeps their rows', async (type, name, addLeft, addRight) => {
    const [left, other] = [`${type} ${await addLeft()}`, `${type} ${await addLeft()}`]
    const ids = [await addRight(), await addRight(), await addRight()] as const
    await send('POST', left, name, [ids[0], ids[1]])
    await send('POST', other, name, [ids[2]])
    await send('DELETE', left, name, [ids[0], ids[2], ids[0]]).expect(204)
    expect([await linked(left, name), await linked(other, name)]).toEqual([[ids[1]], [ids[2]]])
    expect((await api.unchanged(() => send('DELETE', left, name, [ids[0], ids[2]]))).status).toBe(204)
    await api.get(`/${TYPES[name]}/${ids[0]}`).expect(200)
  })

  it('refuses to remove members that require the relationship, and ignores resources that are no members', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const [member, other] = [await addTask(red), await addTask(blue)]
    const response = await api.unchanged(() => send('DELETE', `teams ${red}`, 'tasks', [member, other]))
    expectError(response, 422, '/data', 'relationship.required')
    expect((await api.unchanged(() => send('DELETE', `teams ${red}`, 'tasks', [other]))).status).toBe(204)
  })

  it("deletes members with orphanedRowAction 'delete'", async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const [member, other] = [await addNote(red), await addNote(blue)]
    await send('DELETE', `teams ${red}`, 'notes', [member, other]).expect(204)
    await api.get(`/notes/${member}`).expect(404)
    await api.get(`/notes/${other}`).expect(200)
  })
})

describe('a write of several relationships', () => {
  it('creates a resource with all of them', async () => {
    const [ann, bob] = [await addMember(), await addMember()]
    const [whole, part, partner] = [await addTeam(), await addTeam(), await addTeam()]
    const [first, second] = [await addTag(), await addTag()]
    const ids: Readonly<Record<string, Ids>> = {
      ...{ members: [ann, bob], lead: ann, tasks: [await addTask(whole)], notes: [await addNote(whole)] },
      ...{ tags: [first, second, first], whole, parts: [part], partners: [partner], partnerOf: [partner] },
    }
    const { body } = await createResource(api, 'teams', { name: 'All' }, relationshipsOf(ids))
    for (const [name, each] of Object.entries(ids)) {
      const expected = typeof each === 'object' ? [...new Set(each)].sort() : each
      expect([name, await linked(`teams ${body.data.id}`, name)]).toEqual([name, expected])
    }
  })

  it('updates the named relationships with the attributes, and keeps the others', async () => {
    const [team, ann, bob] = [await addTeam(), await addMember(), await addMember()]
    const [tag, other] = [await addTag(), await addTag()]
    await send('PATCH', `teams ${team}`, 'lead', ann)
    await send('PATCH', `teams ${team}`, 'tags', [other])
    const relationships = relationshipsOf({ members: [ann, bob], tags: [tag], whole: team })
    await updateResource(api, 'teams', team, { budget: 3 }, relationships).expect(204)
    expect((await api.get(`/teams/${team}`)).body.data.attributes.budget).toBe(3)
    const expected = { members: [ann, bob].sort(), tags: [tag], whole: team, lead: ann }
    for (const [name, ids] of Object.entries(expected)) expect(await linked(`teams ${team}`, name)).toEqual(ids)
  }) // anchor: W/G-10

  it.each([
    ['a related resource does not exist', { tags: ['no-tag'] }, 404],
    ['a member requires the relationship', { tasks: [] }, 422],
  ])('changes nothing when %s', async (_what, bad, expected) => {
    const [team, ann, tag] = [await addTeam(), await addMember(), await addTag()]
    await addTask(team)
    const relationships = relationshipsOf({ members: [ann], lead: ann, tags: [tag], ...bad })
    const sent = resource('teams', team, { budget: 3 }, relationships)
    expect((await api.unchanged(() => api.patch(`/teams/${team}`).send(sent))).status).toBe(expected)
  })

  it('reports missing required fields together with other mistakes', async () => {
    const sent = newResource('tasks', { titel: 'Dig' }, { team: { data: null } })
    expect(errorsOf(await api.unchanged(() => api.post('/tasks').send(sent)))).toEqual([
      '422 attribute.unknown /data/attributes/titel',
      '422 relationship.required /data/relationships/team/data',
      '422 attribute.required /data/attributes',
    ])
    const missing = await api.unchanged(() => createResource(api, 'tasks').expect(422))
    expect(errorsOf(missing)).toEqual(['422 attribute.required /data', '422 relationship.required /data'])
  }) // anchor: W/O-01
})

describe('DELETE of a resource', () => {
  it.each([
    ...(['leads', 'team'] as const).map((name) => ['team', 'member', name] as const),
    ...(['lead', 'members'] as const).map((name) => ['member', 'team', name] as const),
    ['team', 'tag', 'teams'],
    ['tag', 'team', 'tags'],
    ...(['whole', 'parts', 'partners', 'partnerOf'] as const).map((name) => ['team', 'other', name] as const),
  ] as const)('of a %s empties the relationship of the %s that it had: %s', async (deleted, kept, name) => {
    const [team, member, tag, other] = [await addTeam(), await addMember(), await addTag(), await addTeam()]
    const ids = { members: [member], lead: member, tags: [tag], parts: [other, team], partners: [other, team] }
    const whole = name === 'parts' ? { whole: other, parts: [other] } : {}
    const relationships = relationshipsOf({ ...ids, partnerOf: [other], ...whole })
    await updateResource(api, 'teams', team, undefined, relationships).expect(204)
    const paths = { team: `teams ${team}`, member: `members ${member}`, tag: `tags ${tag}`, other: `teams ${other}` }
    expect([await linked(paths[kept], name)].flat()).toHaveLength(1)
    await api.delete(`/${paths[deleted].replace(' ', '/')}`).expect(204)
    expect([await linked(paths[kept], name)].flat().filter(Boolean)).toEqual([])
  }) // anchor: W/H-03

  it('returns 409 and changes nothing while other resources require it', async () => {
    const [team, ann] = [await addTeam(), await addMember()]
    await send('PATCH', `teams ${team}`, 'members', [ann])
    const [task, badge] = [await addTask(team), await addBadge(ann)]
    for (const path of [`/teams/${team}`, `/members/${ann}`])
      expectError(await api.unchanged(() => api.delete(path)), 409, undefined, 'constraint.reference')
    for (const path of [`/tasks/${task}`, `/teams/${team}`, `/badges/${badge}`, `/members/${ann}`])
      await api.delete(path).expect(204)
  }) // anchor: W/O-06
})

@HierarchyRoot('humans')
class Human {
  @PrimaryGeneratedColumn() id!: number
  @ToMany() @OneToMany('Minor', 'guardian') wards!: Minor[]
  @ToOne() @OneToOne('Minor', 'coach') trains!: Minor | null
}

@DerivedResource('minors', { abstract: true })
abstract class Minor extends Human {
  @ToOne({ required: true }) @ManyToOne('Human', 'wards') guardian!: Human
  @ToOne({ required: true }) @OwnerOneToOne('Human', 'trains') coach!: Human
}
@DerivedResource('children')
class Child extends Minor {}
const FAMILY = [Human, Minor, Child]

describe('a required relationship of a derived type, whose column allows null', () => {
  const family = setUp(() => startApi(FAMILY, { openApi: true }))
  beforeAll(async () => {
    const humans = [await family.add(Human), await family.add(Human)].map(ref)
    for (const guardian of humans) await family.add(Child, { guardian, coach: guardian })
  })
  const [EMPTY, LED, FREE] = [null, '2', '4'].map((id) => toOne('humans', id))
  const child = (links: object, id?: string) => resource('children', id, {}, links)

  it.each([
    ['POST /humans', child({ guardian: FREE }), '422 relationship.required /data/relationships'],
    ['POST /humans', child({ guardian: EMPTY, coach: FREE }), '422 relationship.required @guardian/data'],
    [
      'POST /children',
      child({ guardian: FREE, coach: LED }),
      `409 constraint.unique /data/relationships${byLayout({ single: '', joined: '', tablePerConcreteClass: '/coach' })}`,
    ],
    ['PATCH /humans/3', child({ coach: EMPTY }, '3'), '422 relationship.required @coach/data'],
    ['PATCH /humans/3/relationships/guardian', EMPTY, '422 relationship.required /data'],
    ['PATCH /children/3/relationships/coach', LED, '409 constraint.unique /data'],
    ['PATCH /humans/1/relationships/wards', toMany('children', '4'), '422 relationship.required /data'],
    ['DELETE /humans/1/relationships/wards', toMany('children', '3'), '422 relationship.required /data'],
    ['PATCH /humans/1/relationships/trains', EMPTY, '422 relationship.required /data'],
    ['PATCH /humans/1/relationships/trains', toOne('children', '4'), '422 relationship.required /data'],
    ['DELETE /humans/1', undefined, '409 constraint.reference'],
  ])('is neither left out nor cleared by %s with %j', async (request, body, expected) => {
    const [method = '', path = ''] = request.split(' ')
    const error = expected.replace('@', '/data/relationships/')
    expect(outcomeOf(await family.unchanged(() => family.request(method, path).send(body)))).toBe(error)
    const inOperation = error.replace(' /', ' /atomic:operations/0/')
    expect(await refused(family, toOperation(method, path, body, 'href'))).toContain(inOperation)
  })

  it('can move, and is not cleared by a hook', async () => {
    await createResource(family, 'children', {}, { guardian: FREE, coach: FREE }).expect(201)
    const definitions = [define(Child, { setToOne: () => null })]
    const path = '/children/3/relationships/guardian'
    await useApi(startApiOn(family, { resources: FAMILY, definitions }), async ({ patch, unchanged }) => {
      expectError(await unchanged(() => patch(path).send(LED)), 422, '/data', 'relationship.required')
    })
    await family.patch(path).send(LED).expect(204)
  })

  it('is null in rows that were stored without it, as the OpenAPI document says', async () => {
    const id = await family.add(Child)
    // Each response is compared with the document.
    for (const path of ['?include=coach', '/coach', '/relationships/coach'])
      expect(JSON.stringify((await family.get(`/children/${id}${path}`)).body)).toContain('"data":null')
  })
})
