import { JsonApiError, type ResourceDefinition, type ResourceRecord, type ResourceWrite } from 'stemma'
import { define, setUp, startApi, useApi } from '../../support/api'
import { Article, startBlogs } from '../../support/blogs'
import { createResource, toOne, updateResource } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { Member, Tag, Task, TEAMS, Team } from '../../support/writing-models'

/** The hooks of teams and tasks that ran. */
const calls: string[] = []
const teamRules = define(Team, {
  prepareWrite: () => void calls.push('prepareWrite'),
  beforeWrite: () => void calls.push('beforeWrite'),
  afterWrite: () => void calls.push('afterWrite'),
  afterCommit: () => void calls.push('afterCommit'),
})
const taskRules = define(Task, {
  setToOne(): null {
    calls.push('setToOne')
    return null
  },
})

/** Only archived tags are deleted, and only packed ones are sent. */
const tagRules = define(Tag, {
  beforeWrite({ kind, previous, values }: ResourceWrite<Tag>) {
    const label = previous?.instance.label
    if (kind === 'delete' && label !== 'archived') throw new JsonApiError({ status: 403, title: 'Archive it first.' })
    if (values.label === 'sent' && label !== 'packed') throw new JsonApiError({ title: 'Pack it.', field: 'label' })
  },
})

/** Stores names backwards. */
const memberRules = define(Member, {
  beforeWrite: ({ sentFields, values }: ResourceWrite<Member>) =>
    sentFields.has('name') ? { name: reverse(values.name) } : undefined,
  serialize: ({ instance }: ResourceRecord<Member>) => ({ name: reverse(instance.name) }),
})

const definitions = [teamRules, taskRules, tagRules, memberRules] as ResourceDefinition[]
const api = setUp(() => startApi(TEAMS, { definitions }))
beforeEach(() => void calls.splice(0))

it('no hook runs after a write that the database refuses', async () => {
  await api.add(Team, { name: 'Red' })
  const id = await api.add(Team, { name: 'Blue' })
  const response = await api.unchanged(() => updateResource(api, 'teams', id, { name: 'Red' }))
  expect(outcomeOf(response)).toBe('409 constraint.unique /data/attributes/name')
  expect(calls).toEqual(['prepareWrite', 'beforeWrite'])
}) // anchor: W/X-08

it('a hook cannot empty a required relationship, and does not run when null is sent', async () => {
  const team = await api.add(Team, { name: 'Green' })
  const task = await api.add(Task, { title: 'Dig', team: { id: team } })
  for (const [id, expected] of [
    [null, []],
    [team, ['setToOne']],
  ] as const) {
    const response = await api.unchanged(() => api.patch(`/tasks/${task}/relationships/team`).send(toOne('teams', id)))
    expect(outcomeOf(response)).toBe('422 relationship.required /data')
    expect(calls).toEqual(expected)
  }
}) // anchor: W/O-08

it('a rule allows only certain steps from one value to the next', async () => {
  await api.add(Tag, { id: 'parcel' })
  const refused = await api.unchanged(() => updateResource(api, 'tags', 'parcel', { label: 'sent' }))
  expect(outcomeOf(refused)).toBe('422 rule.rejected /data/attributes/label')
  for (const label of ['packed', 'sent']) await updateResource(api, 'tags', 'parcel', { label }).expect(204)
  const { body } = await api.unchanged(() => api.delete('/tags/parcel').expect(403))
  expect(body.errors).toMatchObject([{ title: 'Archive it first.' }])
  await updateResource(api, 'tags', 'parcel', { label: 'archived' }).expect(204)
  await api.delete('/tags/parcel').expect(204)
}) // anchor: W/V-03, W/V-05

it('a rule stores a value in another form, and shows it as it was sent', async () => {
  const { body } = await createResource(api, 'members', { name: 'Eve' })
  const { id } = body.data
  const stored = async () => (await findRow(api.dataSource, Member, id)).name
  expect([body.data.attributes.name, await stored()]).toEqual(['Eve', 'evE'])
  const updated = await updateResource(api, 'members', id, { name: 'Rob' }).expect(200)
  expect([updated.body.data.attributes.name, await stored()]).toEqual(['Rob', 'boR'])
  await api.patch(`/members/${id}/relationships/team`).send({ data: null }).expect(204)
  expect(await stored()).toBe('boR')
}) // anchor: W/V-08

it('a rule receives decimals in the notation of the previous values', async () => {
  const price = '12.50'
  const afterWrite = jest.fn()
  await useApi(startBlogs({ definitions: [define(Article, { afterWrite })] }), async (blogs) => {
    const id = await blogs.add(Article, { title: 'Walden', price })
    await updateResource(blogs, 'articles', id, { price: 12.5 }).expect(204)
  })
  expect(afterWrite.mock.lastCall[0]).toMatchObject({ values: { price }, previous: { instance: { price } } })
})

function reverse(text: string): string {
  return [...text].toReversed().join('')
}
