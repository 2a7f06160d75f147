import { ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { Member, Task } from '../../support/writing-models'
import { ANN, many, one, startOffice } from './support/office'

// Relationships that can't be empty: a task needs a team, a badge its holder. The status is the same wherever they are emptied.

let hooks = 0
let chosen: null | undefined

class TaskRules extends ResourceDefinition<Task> {
  override readonly resource = Task
  override setToOne() {
    hooks++
    return chosen
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startOffice({ definitions: [new TaskRules()] })
})
afterAll(() => api.close())
beforeEach(() => {
  hooks = 0
  chosen = undefined
})

const EMPTY = { data: null }
const update = (type: string, id: string, relationships: object) => ({ data: { type, id, relationships } })

describe('is refused, and leaves everything as it was:', () => {
  it.each<readonly [rule: string, method: string, path: string, body: unknown, expected: string]>([
    [
      'O-01: a new one without it, with all that it lacks',
      ...(['POST', '/tasks', { data: { type: 'tasks' } }] as const),
      '422 attribute.required /data, 422 relationship.required /data',
    ],
    [
      'O-01: a new one with null',
      ...([
        'POST',
        '/tasks',
        { data: { type: 'tasks', attributes: { title: 'x' }, relationships: { team: EMPTY } } },
      ] as const),
      '422 relationship.required /data/relationships/team/data',
    ],
    [
      'O-02: an update that clears it',
      ...(['PATCH', '/tasks/1', update('tasks', '1', { team: EMPTY })] as const),
      '422 relationship.required /data/relationships/team/data',
    ],
    [
      'O-03: beaten: clearing it at its endpoint',
      ...(['PATCH', '/tasks/1/relationships/team', EMPTY, '422 relationship.required /data'] as const),
    ],
    [
      'O-03: beaten: clearing the key of a one-to-one relationship',
      ...(['PATCH', '/badges/1/relationships/holder', EMPTY, '422 relationship.required /data'] as const),
    ],
    [
      'O-05: overruled: taking a member out that needs it, by replacing',
      ...(['PATCH', '/teams/1/relationships/tasks', many('tasks', '1'), '422 relationship.required /data'] as const),
    ],
    [
      'O-05: overruled: by removing',
      ...(['DELETE', '/teams/1/relationships/tasks', many('tasks', '1'), '422 relationship.required /data'] as const),
    ],
    [
      'O-05: overruled: by an update',
      ...(['PATCH', '/teams/1', update('teams', '1', { tasks: { data: [] } })] as const),
      '422 relationship.required /data/relationships/tasks',
    ],
    [
      'O-05: overruled: from the other side of a one-to-one relationship',
      ...(['PATCH', `/members/${ANN}/relationships/badge`, EMPTY, '422 relationship.required /data'] as const),
    ],
    [
      'O-06: overruled: deleting what it needs',
      ...(['DELETE', '/teams/1', undefined, '409 constraint.reference'] as const),
    ],
  ])('%s', async (_rule, method, path, body, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(body)))).toBe(expected)
  })
})

describe('members that were declared to go when they are taken out', () => {
  it.each<readonly [rule: string, method: string, path: string, body: unknown]>([
    ['O-05: go, by replacing', 'PATCH', '/teams/1/relationships/notes', { data: [] }],
    ['O-05: by removing', 'DELETE', '/teams/1/relationships/notes', many('notes', '1')],
    ['O-05: by an update', 'PATCH', '/teams/1', update('teams', '1', { notes: { data: [] } })],
  ])('%s', async (_rule, method, path, body) => {
    const office = await startOffice()
    await office.request(method, path).send(body).expect(204)
    await office.get('/notes/1').expect(404)
    await office.close()
  })
})

it.each<readonly [rule: string, path: string, body: (holder: string) => unknown]>([
  [
    'O-07: what is required may get another one, at its endpoint',
    '/badges/1/relationships/holder',
    (id) => one('members', id),
  ],
  ['O-07: with its resource', '/badges/1', (id) => update('badges', '1', { holder: one('members', id) })],
])('%s', async (_rule, path, body) => {
  const holder = await api.add(Member, { name: 'New' })
  await api.patch(path).send(body(holder)).expect(204)
  expect(resourceKeys(await api.get('/badges/1/holder'))).toEqual([`members ${holder}`])
  expect(resourceKeys(await api.get(`/members/${ANN}/badge`))).toEqual([])
})

describe('a rule', () => {
  it('O-08: overruled: is not asked where null was sent', async () => {
    await api.patch('/tasks/1/relationships/team').send(EMPTY).expect(422)
    expect(hooks).toBe(0)
  })

  it('O-08: can not clear it either', async () => {
    chosen = null
    const sending = () => api.patch('/tasks/1/relationships/team').send(one('teams', '2'))
    expect(outcomeOf(await api.unchanged(sending))).toBe('422 relationship.required /data')
    expect(hooks).toBe(1)
  })
})
