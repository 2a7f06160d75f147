import type { Request } from 'express'
import { Attribute, equals, JsonApiError, Resource, type ResourceDefinition, type ResourceWrite, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, using } from '../../support/api'
import { define } from '../../support/define'
import { createResource } from '../../support/documents'
import { attributeValues } from '../../support/expectations'
import { setUp } from '../../support/set-up'

// The option context: its result is passed to every hook of a definition.

interface Client {
  readonly user: string
}

@Resource('notes')
@Entity()
class Note {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) text: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) owner: string
}

const noteDefinition = define<Note, Client>(Note, {
  filter: ({ user }) => equals('owner', user),
  sort: ({ user }) => (user === 'bob' ? '-text' : 'text'),
  serialize: ({ instance }, { user }) => ({ text: `${instance.text} for ${user}` }),
  beforeWrite: ({ context, kind }: ResourceWrite<Note, Client>) =>
    kind === 'create' ? { owner: context.user } : undefined,
})

async function findClient(request: Request): Promise<Client> {
  const user = request.get('x-user')
  await new Promise((resolve) => setTimeout(resolve, user === 'ann' ? 10 : 0))
  if (user === undefined) throw new JsonApiError({ title: 'Who are you?', status: 401, source: { header: 'X-User' } })
  if (user === 'broken') throw new Error('The directory of users is away.')
  return { user }
}

const reported: unknown[] = []
const api = setUp(() =>
  startApi([Note], {
    definitions: [noteDefinition],
    context: findClient,
    report: (error) => reported.push(error),
  }),
)
beforeAll(async () => {
  for (const owner of ['ann', 'bob'])
    for (const number of [1, 2]) await api.add(Note, { text: `${owner} ${number}`, owner })
})

it('is passed to the hooks of reads, separately for each request', async () => {
  const textsOf = async (user: string) => attributeValues(await api.get('/notes').set({ 'x-user': user }), 'text')
  expect(await Promise.all([textsOf('ann'), textsOf('bob')])).toEqual([
    ['ann 1 for ann', 'ann 2 for ann'],
    ['bob 2 for bob', 'bob 1 for bob'],
  ])
})

it('is passed to the hooks of writes, and to the filters of what they look up', async () => {
  const created = await createResource(api, 'notes', { text: 'New' }).set({ 'x-user': 'eve' })
  expect([created.status, created.body.data.attributes]).toEqual([201, { text: 'New for eve', owner: 'eve' }])
  const { id } = created.body.data
  await api.delete(`/notes/${id}`).set({ 'x-user': 'ann' }).expect(404)
  await api.delete(`/notes/${id}`).set({ 'x-user': 'eve' }).expect(204)
})

it('can refuse a request before its body is read', async () => {
  const rawBody = '{ not JSON'
  const response = await api.unchanged(() => api.post('/notes').send(rawBody))
  expect([response.status, response.body.errors]).toMatchObject([401, [{ source: { header: 'X-User' } }]])
})

it('returns 500 and reports the error when it fails', async () => {
  await api.get('/notes').set({ 'x-user': 'broken' }).expect(500)
  expect(String(reported[0])).toContain('The directory of users is away.')
})

describe('a definition with a single hook', () => {
  @Resource('pages')
  @Entity()
  class Page {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar', length: 40 }) text: string
    @ToOne() @ManyToOne('Page', { onDelete: 'SET NULL' }) before: Page | null
  }

  const isBob = ({ user }: Client) => user === 'bob'

  it.each<Partial<ResourceDefinition<Page, Client>>>([
    { filter: (client) => (isBob(client) ? equals('text', 'one') : undefined) },
    { sort: (client) => (isBob(client) ? '-text' : undefined) },
    { page: (client) => (isBob(client) ? { size: 1 } : undefined) },
    { fields: (_names, client) => (isBob(client) ? new Set() : undefined) },
    { include: (_names, _client, client) => (isBob(client) ? ['before'] : undefined) },
    { serialize: (_record, client) => (isBob(client) ? { text: 'Bob' } : undefined) },
    { meta: (_record, client) => (isBob(client) ? { isBob: true } : undefined) },
    { seeOther: (_record, client) => (isBob(client) ? { type: 'pages', id: '1' } : undefined) },
  ])('gets the context: %p', async (hooks) => {
    await using(startApi([Page], { definitions: [define(Page, hooks)], context: findClient }), async (pages) => {
      for (const text of ['one', 'two']) await pages.add(Page, { text, before: text === 'two' ? { id: 1 } : null })
      const responsesOf = async (user: string) => {
        const responses = await Promise.all(
          ['/pages', '/pages/2'].map((path) => pages.get(path).set({ 'x-user': user })),
        )
        return responses.map(({ status, text }) => `${status} ${text}`)
      }
      const ann = await responsesOf('ann')
      expect(await responsesOf('bob')).not.toEqual(ann)
      expect(await responsesOf('ann')).toEqual(ann)
    })
  })
})
