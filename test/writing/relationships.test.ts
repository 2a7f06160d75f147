import { startApi, type TestApi } from '../support/api'
import { Badge, Member, Note, Tag, Task, TEAMS, Team } from '../support/writing-models'

// What becomes of both ends of a relationship. https://jsonapi.org/format/1.1/#crud-updating-relationships

let api: TestApi
beforeAll(async () => {
  api = await startApi(TEAMS)
})
afterAll(() => api.close())

let count = 0
const addTeam = () => api.add(Team, { name: `Team ${++count}` })
const addMember = (values: object = {}) => api.add(Member, { name: `Member ${++count}`, ...values })
const addTag = () => api.add(Tag, { id: `tag-${++count}` })

const TYPES: Readonly<Record<string, string>> = {
  ...{ members: 'members', lead: 'members', holder: 'members', team: 'teams', leads: 'teams', whole: 'teams' },
  ...{ parts: 'teams', partners: 'teams', partnerOf: 'teams', teams: 'teams' },
  ...{ tags: 'tags', tasks: 'tasks', notes: 'notes', badge: 'badges' },
}

type Ids = string | null | readonly string[]

function linkage(name: string, ids: Ids): { data: unknown } {
  const type = TYPES[name]
  if (ids === null || typeof ids === 'string') return { data: ids && { type, id: ids } }
  return { data: ids.map((id) => ({ type, id })) }
}

/** `at('teams 1', 'lead')` -> `teams/1/relationships/lead` */
const at = (left: string, name: string): string => `${left.replace(' ', '/')}/relationships/${name}`

/** The ids that a relationship holds: `linked('teams 1', 'members')`. */
async function linked(left: string, name: string): Promise<unknown> {
  const { data } = (await api.get(`/${at(left, name)}`)).body
  return Array.isArray(data) ? data.map(({ id }: { id: string }) => id).sort() : (data?.id ?? null)
}

/** The ways to replace what a relationship holds. */
const WAYS = {
  'relationship endpoint': (left: string, name: string, ids: Ids) =>
    api.patch(`/${at(left, name)}`).send(linkage(name, ids)),
  'resource update': (left: string, name: string, ids: Ids) => {
    const [type = '', id = ''] = left.split(' ')
    return api.patch(`/${type}/${id}`).send({ data: { type, id, relationships: { [name]: linkage(name, ids) } } })
  },
} as const

const EACH_WAY = Object.entries(WAYS)

describe.each(EACH_WAY)('a one-to-one relationship, by %s', (_way, set) => {
  it('is set and emptied from the side that holds the key', async () => {
    const [team, ann] = [await addTeam(), await addMember()]
    await set(`teams ${team}`, 'lead', ann).expect(204)
    expect([await linked(`teams ${team}`, 'lead'), await linked(`members ${ann}`, 'leads')]).toEqual([ann, team])
    await set(`teams ${team}`, 'lead', null).expect(204)
    expect([await linked(`teams ${team}`, 'lead'), await linked(`members ${ann}`, 'leads')]).toEqual([null, null])
  })

  it('is set and emptied from the other side', async () => {
    const [team, ann] = [await addTeam(), await addMember()]
    await set(`members ${ann}`, 'leads', team).expect(204)
    expect([await linked(`teams ${team}`, 'lead'), await linked(`members ${ann}`, 'leads')]).toEqual([ann, team])
    await set(`members ${ann}`, 'leads', null).expect(204)
    expect([await linked(`teams ${team}`, 'lead'), await linked(`members ${ann}`, 'leads')]).toEqual([null, null])
  })

  it.each([
    ['teams', 'lead'],
    ['members', 'leads'],
  ])('takes both ends from whom they belonged to, when it is set at %s.%s', async (type, name) => {
    const [red, blue, ann, bob] = [await addTeam(), await addTeam(), await addMember(), await addMember()]
    await api.patch(`/teams/${red}/relationships/lead`).send(linkage('lead', ann))
    await api.patch(`/teams/${blue}/relationships/lead`).send(linkage('lead', bob))
    // Ann, who led red, shall lead blue, which was led by Bob.
    const [left, right] = type === 'teams' ? [blue, ann] : [ann, blue]
    await set(`${type} ${left}`, name, right).expect(204)
    expect([await linked(`teams ${red}`, 'lead'), await linked(`teams ${blue}`, 'lead')]).toEqual([null, ann])
    expect(await linked(`members ${bob}`, 'leads')).toBeNull()
    await set(`${type} ${left}`, name, right).expect(204)
    expect(await linked(`teams ${blue}`, 'lead')).toBe(ann)
  })

  it('is not left empty where it is required', async () => {
    const [ann, bob] = [await addMember(), await addMember()]
    const badge = await api.add(Badge, { holder: { id: ann } })
    for (const sending of [() => set(`badges ${badge}`, 'holder', null), () => set(`members ${ann}`, 'badge', null)]) {
      const { status, body } = await api.unchanged(sending)
      expect([status, body.errors[0].code]).toEqual([422, 'relationship.required'])
    }
    await set(`badges ${badge}`, 'holder', bob).expect(204)
    expect([await linked(`members ${ann}`, 'badge'), await linked(`members ${bob}`, 'badge')]).toEqual([null, badge])
    await set(`members ${ann}`, 'badge', badge).expect(204)
    expect([await linked(`badges ${badge}`, 'holder'), await linked(`members ${bob}`, 'badge')]).toEqual([ann, null])
  })

  it('that is required is not taken from whom it belongs to', async () => {
    const [ann, bob] = [await addMember(), await addMember()]
    const [first, second] = [
      await api.add(Badge, { holder: { id: ann } }),
      await api.add(Badge, { holder: { id: bob } }),
    ]
    const answer = await api.unchanged(() => set(`badges ${first}`, 'holder', bob))
    expect([answer.status, answer.body.errors[0].code]).toEqual([409, 'constraint.unique'])
    const other = await api.unchanged(() => set(`members ${bob}`, 'badge', first))
    expect([other.status, other.body.errors[0].code]).toEqual([422, 'relationship.required'])
    expect(await linked(`badges ${second}`, 'holder')).toBe(bob)
  })
})

describe.each(EACH_WAY)('a to-many relationship, replaced by %s', (_way, set) => {
  it('of rows that hold the key has exactly the members that were sent, also those of others', async () => {
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
  })

  it.each([
    ['teams', 'tags', addTeam, addTag, 'tags', 'teams'],
    ['tags', 'teams', addTag, addTeam, 'teams', 'tags'],
  ])(
    'of pairs has exactly the members that were sent, at %s.%s',
    async (type, name, addLeft, addRight, rightType, inverse) => {
      const [left, other] = [await addLeft(), await addLeft()]
      const ids = [await addRight(), await addRight(), await addRight()] as const
      await set(`${type} ${other}`, name, ids)
      await set(`${type} ${left}`, name, [ids[0], ids[1], ids[0]]).expect(204)
      await set(`${type} ${left}`, name, [ids[1], ids[2]]).expect(204)
      expect(await linked(`${type} ${left}`, name)).toEqual([ids[1], ids[2]].sort())
      expect(await linked(`${rightType} ${ids[0]}`, inverse)).toEqual([other])
      expect(await linked(`${type} ${other}`, name)).toEqual([...ids].sort())
      await set(`${type} ${left}`, name, []).expect(204)
      expect(await linked(`${type} ${left}`, name)).toEqual([])
      expect(await linked(`${type} ${other}`, name)).toEqual([...ids].sort())
    },
  )

  it('keeps what is refused when a member is missing', async () => {
    const [team, ann] = [await addTeam(), await addMember()]
    const nobody = '00000000-0000-4000-8000-000000000000'
    const { status, body } = await api.unchanged(() => set(`teams ${team}`, 'members', [ann, nobody]))
    expect([status, body.errors.length]).toEqual([404, 1])
    expect(body.errors[0].source.pointer).toMatch(/\/data\/1$/)
  })

  it('may have the left-hand resource itself as a member', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    for (const name of ['parts', 'partners', 'partnerOf']) {
      await set(`teams ${red}`, name, [red, blue]).expect(204)
      expect(await linked(`teams ${red}`, name)).toEqual([red, blue].sort())
      await set(`teams ${red}`, name, [red]).expect(204)
      expect(await linked(`teams ${red}`, name)).toEqual([red])
      await set(`teams ${red}`, name, []).expect(204)
      expect(await linked(`teams ${red}`, name)).toEqual([])
    }
    await set(`teams ${red}`, 'whole', red).expect(204)
    expect([await linked(`teams ${red}`, 'whole'), await linked(`teams ${red}`, 'parts')]).toEqual([red, [red]])
    await set(`teams ${red}`, 'whole', null).expect(204)
  })

  it('leaves no member without what it needs', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const task = await api.add(Task, { title: 'Dig', team: { id: red } })
    const { status, body } = await api.unchanged(() => set(`teams ${red}`, 'tasks', []))
    expect([status, body.errors[0].code]).toEqual([422, 'relationship.required'])
    expect(body.errors[0].source.pointer).toMatch(/^\/data(\/relationships\/tasks)?$/)
    await set(`teams ${red}`, 'tasks', [task]).expect(204)
    await set(`teams ${blue}`, 'tasks', [task]).expect(204)
    expect([await linked(`teams ${red}`, 'tasks'), await linked(`tasks ${task}`, 'team')]).toEqual([[], blue])
  })

  it('deletes the members that are taken out, where the developer has said so', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const ids = [await api.add(Note, { team: { id: red } }), await api.add(Note, { team: { id: red } })] as const
    const other = await api.add(Note, { team: { id: blue } })
    await set(`teams ${red}`, 'notes', [ids[1], other]).expect(204)
    await api.get(`/notes/${ids[0]}`).expect(404)
    expect([await linked(`teams ${red}`, 'notes'), await linked(`teams ${blue}`, 'notes')]).toEqual([
      [ids[1], other].sort(),
      [],
    ])
    await set(`teams ${red}`, 'notes', []).expect(204)
    for (const id of [...ids, other]) await api.get(`/notes/${id}`).expect(404)
  })
})

describe('members that are added', () => {
  const add = (left: string, name: string, ids: readonly string[]) =>
    api.post(`/${at(left, name)}`).send(linkage(name, ids))

  it.each([
    ['teams', 'members', addTeam, addMember],
    ['teams', 'tags', addTeam, addTag],
    ['tags', 'teams', addTag, addTeam],
    ['teams', 'partners', addTeam, addTeam],
    ['teams', 'partnerOf', addTeam, addTeam],
    ['teams', 'parts', addTeam, addTeam],
  ])('are there once, however often they are sent: %s.%s', async (type, name, addLeft, addRight) => {
    const left = `${type} ${await addLeft()}`
    const ids = [await addRight(), await addRight()] as const
    for (const sent of [[ids[0]], [ids[0]], [ids[0], ids[1], ids[1]], []]) {
      await add(left, name, sent).expect(204)
    }
    expect(await linked(left, name)).toEqual([...ids].sort())
  })

  it('leave the one they belonged to', async () => {
    const [red, blue, ann] = [await addTeam(), await addTeam(), await addMember()]
    const task = await api.add(Task, { title: 'Dig', team: { id: red } })
    await add(`teams ${red}`, 'members', [ann])
    await add(`teams ${blue}`, 'members', [ann]).expect(204)
    await add(`teams ${blue}`, 'tasks', [task]).expect(204)
    expect([await linked(`teams ${red}`, 'members'), await linked(`teams ${blue}`, 'members')]).toEqual([[], [ann]])
    expect([await linked(`teams ${red}`, 'tasks'), await linked(`teams ${blue}`, 'tasks')]).toEqual([[], [task]])
  })

  it('are added all or none', async () => {
    const [team, tag] = [await addTeam(), await addTag()]
    const { status, body } = await api.unchanged(() => add(`teams ${team}`, 'tags', [tag, 'no-tag', 'nor-this']))
    expect([status, body.errors.map(({ source }: { source: object }) => source)]).toEqual([
      404,
      [{ pointer: '/data/1' }, { pointer: '/data/2' }],
    ])
  })

  it('are found exactly: other letters are another id', async () => {
    const [team, tag] = [await addTeam(), await addTag()]
    const sending = () => add(`teams ${team}`, 'tags', [tag.toUpperCase()])
    expect((await api.unchanged(sending)).status).toBe(404)
  })

  it('can be the left-hand resource itself', async () => {
    const red = await addTeam()
    for (const name of ['parts', 'partners', 'partnerOf']) {
      await add(`teams ${red}`, name, [red]).expect(204)
      expect(await linked(`teams ${red}`, name)).toEqual([red])
      await api.delete(`/teams/${red}/relationships/${name}`).send(linkage(name, [red]))
      expect(await linked(`teams ${red}`, name)).toEqual([])
    }
  })
})

describe('members that are removed', () => {
  const remove = (left: string, name: string, ids: readonly string[]) =>
    api.delete(`/${at(left, name)}`).send(linkage(name, ids))

  it.each([
    ['teams', 'members', addTeam, addMember],
    ['teams', 'tags', addTeam, addTag],
    ['tags', 'teams', addTag, addTeam],
    ['teams', 'partners', addTeam, addTeam],
    ['teams', 'partnerOf', addTeam, addTeam],
    ['teams', 'parts', addTeam, addTeam],
  ])('are gone from %s.%s and nowhere else, and stay what they are', async (type, name, addLeft, addRight) => {
    const [left, other] = [`${type} ${await addLeft()}`, `${type} ${await addLeft()}`]
    const ids = [await addRight(), await addRight(), await addRight()] as const
    await api.post(`/${at(left, name)}`).send(linkage(name, [ids[0], ids[1]]))
    await api.post(`/${at(other, name)}`).send(linkage(name, [ids[2]]))
    await remove(left, name, [ids[0], ids[2], ids[0]]).expect(204)
    expect([await linked(left, name), await linked(other, name)]).toEqual([[ids[1]], [ids[2]]])
    expect((await api.unchanged(() => remove(left, name, [ids[0], ids[2]]))).status).toBe(204)
    await api.get(`/${TYPES[name]}/${ids[0]}`).expect(200)
  })

  it('are not left without what they need; what is no member needs nothing', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const [mine, other] = [
      await api.add(Task, { title: 'Dig', team: { id: red } }),
      await api.add(Task, { title: 'Mow', team: { id: blue } }),
    ]
    const refused = await api.unchanged(() => remove(`teams ${red}`, 'tasks', [mine, other]))
    expect([refused.status, refused.body.errors[0].source.pointer]).toEqual([422, '/data'])
    expect((await api.unchanged(() => remove(`teams ${red}`, 'tasks', [other]))).status).toBe(204)
  })

  it('are deleted where the developer has said so', async () => {
    const [red, blue] = [await addTeam(), await addTeam()]
    const [mine, other] = [await api.add(Note, { team: { id: red } }), await api.add(Note, { team: { id: blue } })]
    await remove(`teams ${red}`, 'notes', [mine, other]).expect(204)
    expect([(await api.get(`/notes/${mine}`)).status, (await api.get(`/notes/${other}`)).status]).toEqual([404, 200])
  })
})

describe('a resource with many relationships', () => {
  it('is created with all of them at once', async () => {
    const [ann, bob, whole, part, partner] = [
      await addMember(),
      await addMember(),
      await addTeam(),
      await addTeam(),
      await addTeam(),
    ]
    const [first, second] = [await addTag(), await addTag()]
    const task = await api.add(Task, { title: 'Dig', team: { id: whole } })
    const note = await api.add(Note, { team: { id: whole } })
    const sent: Readonly<Record<string, Ids>> = {
      ...{ members: [ann, bob], lead: ann, tasks: [task], notes: [note], tags: [first, second, first] },
      ...{ whole, parts: [part], partners: [partner], partnerOf: [partner] },
    }
    const relationships = Object.fromEntries(Object.entries(sent).map(([name, ids]) => [name, linkage(name, ids)]))
    const data = { type: 'teams', attributes: { name: 'All' }, relationships }
    const { body } = await api.post('/teams').send({ data }).expect(201)
    for (const [name, ids] of Object.entries(sent)) {
      const expected = typeof ids === 'object' ? [...new Set(ids)].sort() : ids
      expect([name, await linked(`teams ${body.data.id}`, name)]).toEqual([name, expected])
    }
  })

  it('is created from the side that holds no key', async () => {
    const [red, ann] = [await addTeam(), await addMember()]
    await api.patch(`/teams/${red}/relationships/lead`).send(linkage('lead', ann))
    const relationships = { leads: linkage('leads', red), team: linkage('team', red), badge: { data: null } }
    const { status, body } = await api.post('/members').send({
      data: { type: 'members', attributes: { name: 'Bob' }, relationships },
    })
    expect([status, await linked(`teams ${red}`, 'lead')]).toEqual([201, body.data.id])
    expect([await linked(`teams ${red}`, 'members'), await linked(`members ${ann}`, 'leads')]).toEqual([
      [body.data.id],
      null,
    ])
  })

  it('is updated in all of them at once, with its attributes; what is not named stays', async () => {
    const [team, ann, bob, tag, other] = [
      await addTeam(),
      await addMember(),
      await addMember(),
      await addTag(),
      await addTag(),
    ]
    await WAYS['resource update'](`teams ${team}`, 'lead', ann)
    await WAYS['resource update'](`teams ${team}`, 'tags', [other])
    const relationships = {
      members: linkage('members', [ann, bob]),
      tags: linkage('tags', [tag]),
      whole: linkage('whole', team),
    }
    const data = { type: 'teams', id: team, attributes: { budget: 3 }, relationships }
    await api.patch(`/teams/${team}`).send({ data }).expect(204)
    expect((await api.get(`/teams/${team}`)).body.data.attributes.budget).toBe(3)
    expect(await linked(`teams ${team}`, 'members')).toEqual([ann, bob].sort())
    expect(await linked(`teams ${team}`, 'tags')).toEqual([tag])
    expect(await linked(`teams ${team}`, 'whole')).toBe(team)
    expect(await linked(`teams ${team}`, 'lead')).toBe(ann)
  })

  it.each([
    ['a related resource is missing', { tags: linkage('tags', ['no-tag']) }, 404],
    ['a required one would be taken away', { tasks: linkage('tasks', []) }, 422],
  ])('is not changed at all when %s', async (_what, bad, expected) => {
    const [team, ann, tag] = [await addTeam(), await addMember(), await addTag()]
    await api.add(Task, { title: 'Dig', team: { id: team } })
    const good = { members: linkage('members', [ann]), lead: linkage('lead', ann), tags: linkage('tags', [tag]) }
    const data = { type: 'teams', id: team, attributes: { budget: 3 }, relationships: { ...good, ...bad } }
    expect((await api.unchanged(() => api.patch(`/teams/${team}`).send({ data }))).status).toBe(expected)
  })

  it('tells of what a new resource lacks along with what is wrong in it', async () => {
    const data = { type: 'tasks', attributes: { titel: 'Dig' }, relationships: { team: { data: null } } }
    const answer = await api.unchanged(() => api.post('/tasks').send({ data }))
    expect(answer.body.errors).toMatchObject([
      { code: 'attribute.unknown', source: { pointer: '/data/attributes/titel' } },
      { code: 'relationship.required', source: { pointer: '/data/relationships/team/data' } },
      { code: 'attribute.required', source: { pointer: '/data/attributes' } },
    ])
  })

  it('tells of every required relationship that a new resource lacks', async () => {
    const answer = await api.unchanged(() => api.post('/tasks').send({ data: { type: 'tasks' } }))
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([
      { code: 'attribute.required', source: { pointer: '/data' } },
      { code: 'relationship.required', source: { pointer: '/data' } },
    ])
  })
})

describe('a resource that is deleted', () => {
  it('leaves all its relationships, and the related resources stay', async () => {
    const [team, ann, tag, other] = [await addTeam(), await addMember(), await addTag(), await addTeam()]
    const relationships = {
      ...{ members: linkage('members', [ann]), lead: linkage('lead', ann), tags: linkage('tags', [tag]) },
      ...{
        parts: linkage('parts', [other, team]),
        partners: linkage('partners', [other, team]),
        partnerOf: linkage('partnerOf', [other]),
      },
    }
    await api.patch(`/teams/${team}`).send({ data: { type: 'teams', id: team, relationships } })
    await api.delete(`/teams/${team}`).expect(204)
    expect([await linked(`members ${ann}`, 'team'), await linked(`members ${ann}`, 'leads')]).toEqual([null, null])
    expect(await linked(`tags ${tag}`, 'teams')).toEqual([])
    for (const [name, empty] of [
      ['whole', null],
      ['partners', []],
      ['partnerOf', []],
    ] as const) {
      expect(await linked(`teams ${other}`, name)).toEqual(empty)
    }
  })

  it('is not deleted while others need it', async () => {
    const [team, ann] = [await addTeam(), await addMember()]
    const task = await api.add(Task, { title: 'Dig', team: { id: team } })
    const badge = await api.add(Badge, { holder: { id: ann } })
    for (const path of [`/teams/${team}`, `/members/${ann}`]) {
      const { status, body } = await api.unchanged(() => api.delete(path))
      expect([status, body.errors]).toEqual([409, [expect.objectContaining({ code: 'constraint.reference' })]])
      expect(body.errors[0].source).toBeUndefined()
    }
    for (const path of [`/tasks/${task}`, `/teams/${team}`, `/badges/${badge}`, `/members/${ann}`]) {
      await api.delete(path).expect(204)
    }
  })
})
