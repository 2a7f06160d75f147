import type { Request } from 'express'
import {
  Attribute,
  equals,
  JsonApiError,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  type StoredRecord,
  ToOne,
} from 'stemma'
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi, using } from '../../support/api'

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
  @Attribute() @Column({ type: 'int', default: 0 }) rank: number
}

class NoteDefinition extends ResourceDefinition<Note, Client> {
  readonly resource = Note

  override filter({ user }: Client) {
    return user === 'root' ? undefined : equals('owner', user)
  }

  override sort({ user }: Client) {
    return user === 'bob' ? '-text' : 'text'
  }

  override page({ user }: Client) {
    return user === 'root' ? { size: 3 } : undefined
  }

  override fields(names: ReadonlySet<string>, { user }: Client) {
    return user === 'root' ? names : new Set([...names].filter((name) => name !== 'rank'))
  }

  override serialize({ instance }: StoredRecord<Note>, { user }: Client) {
    return { text: `${instance.text} for ${user}` }
  }

  override meta(_record: StoredRecord<Note>, { user }: Client) {
    return { user }
  }

  override beforeWrite({ context, kind }: ResourceWrite<Note, Client>) {
    return kind === 'create' ? { owner: context.user } : undefined
  }
}

async function findClient(request: Request): Promise<Client> {
  const user = request.get('x-user')
  await new Promise((resolve) => setTimeout(resolve, user === 'ann' ? 10 : 0))
  if (user === undefined) throw new JsonApiError({ title: 'Who are you?', status: 401, source: { header: 'X-User' } })
  if (user === 'broken') throw new Error('The directory of users is away.')
  return { user }
}

let api: TestApi
const reported: unknown[] = []

beforeAll(async () => {
  const report = (error: unknown) => reported.push(error)
  api = await startApi([Note], { definitions: [new NoteDefinition()], context: findClient, report })
  for (const [rank, owner] of ['ann', 'ann', 'bob', 'bob'].entries())
    await api.add(Note, { text: `${owner} ${rank + 1}`, owner, rank: rank + 1 })
})

afterAll(() => api.close())

const notesOf = async (user: string) => {
  const { body } = await api.get('/notes').set({ 'x-user': user })
  return body.data.map(({ attributes, meta }: never) => ({ ...(attributes as object), ...(meta as object) }))
}

it('is passed to the hooks of reads, separately for each request', async () => {
  const [ann, bob, root] = await Promise.all(['ann', 'bob', 'root'].map(notesOf))
  expect(ann).toEqual([
    { text: 'ann 1 for ann', owner: 'ann', user: 'ann' },
    { text: 'ann 2 for ann', owner: 'ann', user: 'ann' },
  ])
  expect(bob).toMatchObject([{ text: 'bob 4 for bob' }, { text: 'bob 3 for bob' }])
  expect(root).toMatchObject([{ rank: 1 }, { rank: 2 }, { rank: 3 }])
})

it('is passed to the hooks of writes, and to the filters of what they look up', async () => {
  const body = { data: { type: 'notes', attributes: { text: 'New' } } }
  const created = await api.post('/notes').send(body).set({ 'x-user': 'eve' })
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

  it.each<[hook: string, hooks: Partial<ResourceDefinition<Page, Client>>]>([
    ['filter', { filter: (client) => (isBob(client) ? equals('text', 'one') : undefined) }],
    ['sort', { sort: (client) => (isBob(client) ? '-text' : undefined) }],
    ['page', { page: (client) => (isBob(client) ? { size: 1 } : undefined) }],
    ['fields', { fields: (_names, client) => (isBob(client) ? new Set() : undefined) }],
    ['include', { include: (_names, _client, client) => (isBob(client) ? ['before'] : undefined) }],
    ['serialize', { serialize: (_record, client) => (isBob(client) ? { text: 'Bob' } : undefined) }],
    ['meta', { meta: (_record, client) => (isBob(client) ? { isBob: true } : undefined) }],
    ['seeOther', { seeOther: (_record, client) => (isBob(client) ? { type: 'pages', id: '1' } : undefined) }],
  ])('gets the context in %s', async (_hook, hooks) => {
    class PageDefinition extends ResourceDefinition<Page, Client> {
      readonly resource = Page
    }
    const definition = Object.assign(new PageDefinition(), hooks)
    await using(startApi([Page], { definitions: [definition], context: findClient }), async (pages) => {
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
