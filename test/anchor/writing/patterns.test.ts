import {
  entityManagerOf,
  equals,
  JsonApiError,
  type ResourceClass,
  ResourceDefinition,
  type ResourceWrite,
  type StoredRecord,
} from 'stemma'
import type { ApiOptions, TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import type { Sending } from '../../support/server'
import { Draft, Member, Page, Tag, Task, Team } from '../../support/writing-models'
import { ANN, BOB, many, one, startOffice } from './support/office'

// What applications make of rules. Reading: test/scenarios.

let api: TestApi
afterEach(() => api.close())
const start = async (options: ApiOptions) => {
  api = await startOffice(options)
}
const update = (type: string, id: string, attributes: object, headers: Sending['headers'] = {}) =>
  api.patch(`/${type}/${id}`).send({ data: { type, id, attributes } }).set(headers)

describe('rows that only count as deleted', () => {
  beforeEach(async () => {
    await start({})
    await api.delete('/drafts/1')
  })

  it('V-01: are still there', async () => {
    expect(await api.dataSource.getRepository(Draft).count({ withDeleted: true })).toBe(1)
  })

  it.each<readonly [rule: string, method: string, path: string, body: unknown, expected: string]>([
    ['V-01: can not be deleted again', 'DELETE', '/drafts/1', undefined, '404 resource.not-found'],
    ['V-01: or updated', 'PATCH', '/drafts/1', one('drafts', '1'), '404 resource.not-found'],
    ['V-01: or added to', 'POST', '/drafts/1/relationships/pages', many('pages', '1'), '404 resource.not-found'],
    ['V-01: or linked to', 'PATCH', '/pages/1/relationships/draft', one('drafts', '1'), '404 related.not-found /data'],
  ])('%s', async (_rule, method, path, body, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(body)))).toBe(expected)
  })
})

describe('tenants', () => {
  /** The budget stands for the tenant. */
  class OfTenant extends ResourceDefinition<Team, number> {
    override readonly resource = Team
    override filter(tenant: number) {
      return equals('budget', String(tenant))
    }
    override beforeWrite({ context }: ResourceWrite<Team, number>) {
      return { budget: context }
    }
  }
  const headers = { tenant: '7' }
  beforeEach(() =>
    start({ definitions: [new OfTenant()], context: (request) => Number(request.get('tenant')) } as ApiOptions),
  )

  it('V-02: are written on what they create', async () => {
    const body = { data: { type: 'teams', attributes: { name: 'New' } } }
    const { body: document } = await api.post('/teams').send(body).set(headers)
    expect(document.data.attributes.budget).toBe(7)
  })

  it.each<readonly [rule: string, method: string, path: string, body: unknown, expected: string]>([
    ['V-02: can not delete what is of others', 'DELETE', '/teams/1', undefined, '404 resource.not-found'],
    ['V-02: or write to it', 'PATCH', '/teams/1/relationships/lead', { data: null }, '404 resource.not-found'],
    [
      'V-02: or link to it',
      'PATCH',
      `/members/${ANN}/relationships/team`,
      one('teams', '1'),
      '404 related.not-found /data',
    ],
  ])('%s', async (_rule, method, path, body, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(body).set(headers)))).toBe(expected)
  })
})

/** Rules of one hook each. */
function rulesOf<Row extends object>(
  resource: ResourceClass<Row>,
  hooks: Partial<ResourceDefinition<Row>>,
): ResourceDefinition {
  return Object.assign(
    new (class extends ResourceDefinition<Row> {
      override readonly resource = resource
    })(),
    hooks,
  ) as ResourceDefinition
}

it('V-03: what is archived is not deleted, which the rule says in its own words', async () => {
  const keep = rulesOf(Tag, {
    beforeWrite({ kind, stored }) {
      if (kind === 'delete' && stored?.instance.label !== 'archived')
        throw new JsonApiError({ status: 403, title: 'Archive it first.' })
    },
  })
  await start({ definitions: [keep] })
  const { body } = await api.unchanged(() => api.delete('/tags/old'))
  expect(body.errors).toMatchObject([{ status: '403', title: 'Archive it first.' }])
  await update('tags', 'old', { label: 'archived' })
  await api.delete('/tags/old').expect(204)
})

it('V-04: who lacks a scope is outcomeOf which, with the header that has them', async () => {
  const scoped = rulesOf<Team>(Team, {
    beforeWrite({ context }) {
      if (context !== 'write:teams')
        throw new JsonApiError({ status: 401, title: 'Needs write:teams.', source: { header: 'X-Scopes' } })
    },
  })
  await start({ definitions: [scoped], context: (request) => request.get('x-scopes') })
  const patch = (scopes: string) => update('teams', '1', { budget: 1 }, { 'x-scopes': scopes })
  expect(outcomeOf(await api.unchanged(() => patch('read:teams')))).toBe('401 rule.refused X-Scopes')
  expect(outcomeOf(await patch('write:teams'))).toBe('204')
})

it('V-05: a step that is not allowed is refused with the place of its field', async () => {
  const steps = rulesOf<Tag>(Tag, {
    beforeWrite({ stored, values }) {
      if (stored?.instance.label === 'plain' && values.label === 'sent')
        throw new JsonApiError({ title: 'It must be packed first.', field: 'label' })
    },
  })
  await start({ definitions: [steps] })
  expect(outcomeOf(await api.unchanged(() => update('tags', 'old', { label: 'sent' })))).toBe(
    '422 rule.refused /data/attributes/label',
  )
  for (const label of ['packed', 'sent']) expect(outcomeOf(await update('tags', 'old', { label }))).toBe('204')
})

describe('messages', () => {
  const messages: string[] = []
  const reported: unknown[] = []
  const send = rulesOf<Team>(Team, {
    async afterCommit({ kind, values }) {
      if (values.name === 'Unheard') throw new TypeError('Nobody listens.')
      messages.push(`${kind} ${values.name}`)
    },
  })
  beforeEach(async () => {
    for (const list of [messages, reported]) list.length = 0
    await start({ definitions: [send], report: (error) => reported.push(error) })
  })

  it('V-06: are sent when the write is kept', async () => {
    await update('teams', '2', { name: 'Green' })
    await api.patch('/teams/2/relationships/tags').send(many('tags', 'old'))
    await api.delete('/teams/2')
    expect(messages).toEqual(['update Green', 'setRelationship Green', 'delete Green'])
  })

  it('V-06: are not sent when it is not', async () => {
    await update('teams', '2', { name: 'Red' }).expect(409)
    expect(messages).toEqual([])
  })

  it('V-06: overruled: that are not heard are reported; the write is kept and answered', async () => {
    expect(outcomeOf(await update('teams', '2', { name: 'Unheard' }))).toBe('204')
    expect(reported).toEqual([new TypeError('Nobody listens.')])
  })
})

describe('an outbox', () => {
  /** Pages stand for messages. */
  const store = rulesOf<Team>(Team, {
    async beforeWrite(write) {
      await entityManagerOf(write).insert(Page, { title: write.kind })
    },
  })
  beforeEach(() => start({ definitions: [store] }))
  const titles = async () =>
    (await api.dataSource.getRepository(Page).find({ order: { id: 'ASC' } })).map(({ title }) => title).slice(1)

  it('V-07: has a message for each write', async () => {
    await update('teams', '2', { name: 'Green' })
    await api.post('/teams/2/relationships/tags').send(many('tags', 'old'))
    expect(await titles()).toEqual(['update', 'addToRelationship'])
  })

  it('V-07: has none for a write that is refused', async () => {
    expect((await api.unchanged(() => update('teams', '2', { name: 'Red' }))).status).toBe(409)
  })
})

describe('values that are stored in another way', () => {
  const turn = (text: string) => [...text].toReversed().join('')
  const turned = rulesOf<Member>(Member, {
    beforeWrite: ({ sent, values }) => (sent.has('name') ? { name: turn(values.name) } : undefined),
    serialize: ({ instance }: StoredRecord<Member>) => ({ name: turn(instance.name) }),
  })
  beforeEach(() => start({ definitions: [turned] }))
  const stored = async (id: string) => (await api.dataSource.getRepository(Member).findOneByOrFail({ id })).name

  it('V-08: are turned on create, and back in the answer', async () => {
    const { body } = await api.post('/members').send({ data: { type: 'members', attributes: { name: 'Eve' } } })
    expect([body.data.attributes.name, await stored(body.data.id)]).toEqual(['Eve', 'evE'])
  })

  it('V-08: on update', async () => {
    const { body } = await update('members', BOB, { name: 'Rob' })
    expect([body.data.attributes.name, await stored(BOB)]).toEqual(['Rob', 'boR'])
  })

  it('V-08: and are left alone at relationship endpoints', async () => {
    await api.patch(`/members/${BOB}/relationships/team`).send({ data: null })
    expect(await stored(BOB)).toBe('Bob')
  })
})

it('V-09: a rule gives what is required and was not sent', async () => {
  const fill = rulesOf<Task>(Task, { prepareWrite: () => ({ title: 'Untitled' }) })
  await start({ definitions: [fill] })
  const { status, body } = await api.post('/tasks').send({
    data: { type: 'tasks', relationships: { team: one('teams', '1') } },
  })
  expect([status, body.data.attributes]).toEqual([201, { title: 'Untitled' }])
})
