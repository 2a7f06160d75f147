import { type ApiOptions, startApi, type TestApi } from '../../../support/api'
import { Badge, Draft, Member, Note, Page, Tag, Task, TEAMS, Team } from '../../../support/writing-models'

export const ANN = '11111111-1111-4111-8111-111111111111'
export const BOB = '22222222-2222-4222-8222-222222222222'
export const NOBODY = '99999999-9999-4999-8999-999999999999'

/**
 * Teams 1 Red (members Ann and Bob, led by Ann, tasks 1 and 2, note 1, tags old and new) and 2 Blue
 * (nothing). Ann has badge 1. Page 1 is of draft 1.
 */
export async function startOffice(options: ApiOptions = {}): Promise<TestApi> {
  const api = await startApi(TEAMS, options)
  const red = { id: await api.add(Team, { name: 'Red', budget: 5 }) }
  await api.add(Team, { name: 'Blue' })
  await api.add(Member, { id: ANN, name: 'Ann', nickname: 'ann', team: red })
  await api.add(Member, { id: BOB, name: 'Bob', team: red })
  await api.add(Badge, { holder: { id: ANN } })
  for (const title of ['Dig', 'Plant']) await api.add(Task, { title, team: red })
  await api.add(Note, { team: red })
  for (const id of ['old', 'new']) await api.add(Tag, { id })
  await api.add(Page, { title: 'One', draft: { id: await api.add(Draft, { title: 'First' }) } })
  const { manager } = api.dataSource
  const of = (name: string) => manager.createQueryBuilder().relation(Team, name).of(red)
  await of('lead').set(ANN)
  await of('tags').add(['old', 'new'])
  return api
}

/** `one('members', ANN)` -> `{ data: { type: 'members', id: ANN } }` */
export function one(type: string, id: string): { readonly data: object } {
  return { data: { type, id } }
}

export function many(type: string, ...ids: readonly string[]): { readonly data: readonly object[] } {
  return { data: ids.map((id) => ({ type, id })) }
}
