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
import { startApi, type TestApi } from '../../support/api'

// The application says who is asking, and every hook is told.

interface Asking {
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

class NoteDefinition extends ResourceDefinition<Note, Asking> {
  readonly resource = Note

  override filter({ user }: Asking) {
    return user === 'root' ? undefined : equals('owner', user)
  }

  override sort({ user }: Asking) {
    return user === 'bob' ? '-text' : 'text'
  }

  override page({ user }: Asking) {
    return user === 'root' ? { size: 3 } : undefined
  }

  override fields(names: ReadonlySet<string>, { user }: Asking) {
    return user === 'root' ? names : new Set([...names].filter((name) => name !== 'rank'))
  }

  override serialize({ instance }: StoredRecord<Note>, { user }: Asking) {
    return { text: `${instance.text} for ${user}` }
  }

  override meta(_record: StoredRecord<Note>, { user }: Asking) {
    return { user }
  }

  override beforeWrite({ context, kind }: ResourceWrite<Note, Asking>) {
    return kind === 'create' ? { owner: context.user } : undefined
  }
}

async function ask(request: Request): Promise<Asking> {
  const user = request.get('x-user')
  await new Promise((resolve) => setTimeout(resolve, user === 'ann' ? 10 : 0))
  if (user === undefined) throw new JsonApiError({ title: 'Who are you?', status: 401, source: { header: 'X-User' } })
  if (user === 'nobody') throw new Error('The directory of users is away.')
  return { user }
}

let api: TestApi
const reported: unknown[] = []

beforeAll(async () => {
  const report = (error: unknown) => reported.push(error)
  api = await startApi([Note], { definitions: [new NoteDefinition()], context: ask, report })
  for (const [owner, rank] of [
    ['ann', 1],
    ['ann', 2],
    ['bob', 3],
    ['bob', 4],
  ] as const)
    await api.add(Note, { text: `${owner} ${rank}`, owner, rank })
})

afterAll(() => api.close())

const notesOf = async (user: string) => {
  const { body } = await api.get('/notes').set({ 'x-user': user })
  return body.data.map(({ attributes, meta }: never) => ({ ...(attributes as object), ...(meta as object) }))
}

it('reaches the reading hooks, of each request its own', async () => {
  const [ann, bob, root] = await Promise.all(['ann', 'bob', 'root'].map(notesOf))
  expect(ann).toEqual([
    { text: 'ann 1 for ann', owner: 'ann', user: 'ann' },
    { text: 'ann 2 for ann', owner: 'ann', user: 'ann' },
  ])
  expect(bob).toMatchObject([{ text: 'bob 4 for bob' }, { text: 'bob 3 for bob' }])
  expect(root).toMatchObject([{ rank: 1 }, { rank: 2 }, { rank: 3 }])
})

it('reaches the hooks of writes, and what they look up', async () => {
  const body = { data: { type: 'notes', attributes: { text: 'New' } } }
  const created = await api.post('/notes').send(body).set({ 'x-user': 'eve' })
  expect([created.status, created.body.data.attributes]).toEqual([201, { text: 'New for eve', owner: 'eve' }])
  const { id } = created.body.data
  await api.delete(`/notes/${id}`).set({ 'x-user': 'ann' }).expect(404)
  await api.delete(`/notes/${id}`).set({ 'x-user': 'eve' }).expect(204)
})

it('may turn a request away before its body is read', async () => {
  const rawBody = '{ not JSON'
  const answer = await api.unchanged(() => api.post('/notes').send(rawBody))
  expect([answer.status, answer.body.errors]).toMatchObject([401, [{ source: { header: 'X-User' } }]])
})

it('is an error of the server where it fails', async () => {
  await api.get('/notes').set({ 'x-user': 'nobody' }).expect(500)
  expect(String(reported[0])).toContain('The directory of users is away.')
})

describe('reaches a definition that says nothing else', () => {
  @Resource('pages')
  @Entity()
  class Page {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar', length: 40 }) text: string
    @ToOne() @ManyToOne('Page', { onDelete: 'SET NULL' }) before: Page | null
  }

  const isBob = ({ user }: Asking) => user === 'bob'

  it.each<[hook: string, says: Partial<ResourceDefinition<Page, Asking>>]>([
    ['filter', { filter: (asking) => (isBob(asking) ? equals('text', 'one') : undefined) }],
    ['sort', { sort: (asking) => (isBob(asking) ? '-text' : undefined) }],
    ['page', { page: (asking) => (isBob(asking) ? { size: 1 } : undefined) }],
    ['fields', { fields: (_names, asking) => (isBob(asking) ? new Set() : undefined) }],
    ['include', { include: (_names, _client, asking) => (isBob(asking) ? ['before'] : undefined) }],
    ['serialize', { serialize: (_record, asking) => (isBob(asking) ? { text: 'Bob' } : undefined) }],
    ['meta', { meta: (_record, asking) => (isBob(asking) ? { isBob: true } : undefined) }],
    ['seeOther', { seeOther: (_record, asking) => (isBob(asking) ? { type: 'pages', id: '1' } : undefined) }],
  ])('but %s', async (_hook, says) => {
    class Saying extends ResourceDefinition<Page, Asking> {
      readonly resource = Page
    }
    const definition = Object.assign(new Saying(), says)
    const pages = await startApi([Page], { definitions: [definition], context: ask })
    try {
      for (const text of ['one', 'two']) await pages.add(Page, { text, before: text === 'two' ? { id: 1 } : null })
      const answersOf = async (user: string) => {
        const answers = await Promise.all(['/pages', '/pages/2'].map((path) => pages.get(path).set({ 'x-user': user })))
        return answers.map(({ status, text }) => `${status} ${text}`)
      }
      const [ann, bob, annAgain] = [await answersOf('ann'), await answersOf('bob'), await answersOf('ann')]
      expect(bob).not.toEqual(ann)
      expect(annAgain).toEqual(ann)
    } finally {
      await pages.close()
    }
  })
})
