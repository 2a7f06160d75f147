import { setUp, startApi } from '../../support/api'
import { Draft, Page } from '../../support/writing-models'
import { hidesEverywhere } from './support/twins'

const api = setUp(() => startApi([Draft, Page]))

it('a resource with @DeleteDateColumn keeps its row on DELETE, and is shown again when the application restores it', async () => {
  const id = await api.add(Draft, { title: 'Archive' })
  await api.delete(`/drafts/${id}`).expect(204)
  await api.get(`/drafts/${id}`).expect(404)
  const row = await api.dataSource.getRepository(Draft).findOne({ where: { id: Number(id) }, withDeleted: true })
  expect(row).toMatchObject({ title: 'Archive', deletedAt: expect.any(Date) })
  await api.dataSource.manager.restore(Draft, id)
  expect((await api.get(`/drafts/${id}`)).body.data.attributes).toEqual({ title: 'Archive' })
})

describe('a row deleted by @DeleteDateColumn', () => {
  hidesEverywhere({ mark: { deletedAt: new Date('2024-01-01T00:00:00Z') } })
})
