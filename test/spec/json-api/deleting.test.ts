import type { TestApi } from '../../support/api'
import { Article, Export, Job } from '../support/article-models'
import { newArticle, person, startArticles } from '../support/articles'
import { blamed } from '../support/blamed'

// https://jsonapi.org/format/1.1/#crud-deleting, https://jsonapi.org/recommendations/#asynchronous-processing

let api: TestApi
beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

const refusedDelete = async (path: string) => blamed(await api.unchanged(() => api.delete(path)))

describe('deleting', () => {
  it('DE-1 a DELETE of its URL deletes a resource, and what leads to it', async () => {
    const by = { author: { data: person(3) } }
    const [kept, gone] = [
      await created(newArticle({ title: 'Oak' }, by)),
      await created(newArticle({ title: 'Ash' }, by)),
    ]
    await api.delete(gone).expect(204)
    await api.get(gone).expect(404)
    expect(await ids('/people/3/relationships/articles')).toEqual([kept.split('/').at(-1)])
    expect(await ids("/articles?filter=equals(title,'Ash')")).toEqual([])
  })

  it('DE-3 what is left for later is 202', async () => {
    const url = `/exports/${await api.add(Export, { name: 'large end' })}`
    await api.delete(url).expect(202)
    await api.get(url).expect(200)
  })

  it('DE-4 a success is 204 without a body', async () => {
    const { status, text, headers } = await api.delete(`/articles/${await api.add(Article, { title: 'Ash' })}`)
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  })

  it('DE-5 a resource that is not there is 404', async () => {
    expect(await refusedDelete('/articles/999')).toEqual(['404'])
    const url = `/articles/${await api.add(Article, { title: 'Ash' })}`
    await api.delete(url)
    expect(await refusedDelete(url)).toEqual(['404'])
  })

  it('DE-6 a resource that others need is 409', async () => {
    expect(await refusedDelete('/articles/1')).toEqual(['409'])
    expect(await refusedDelete('/logs/1')).toEqual(['403'])
  })
})

describe('asynchronous processing', () => {
  const order = async (name: string) => api.post('/exports').send({ data: { type: 'exports', attributes: { name } } })

  it('AS-1 a 202 says where the job is, and has it', async () => {
    const { status, headers, body } = await order('large oaks')
    expect([status, body.data.type]).toEqual([202, 'jobs'])
    const place = headers['content-location'] ?? ''
    expect(body.data.links.self).toBe(place)
    expect((await api.get(place)).body.data).toEqual(body.data)
  })

  it('AS-2 a job that is not done is 200', async () => {
    const { body } = await order('large elms')
    await api.get(body.data.links.self).expect(200)
  })

  it('AS-4 a job that is done leads to what it has made, with 303', async () => {
    const { id, links } = (await order('large firs')).body.data
    const exportId = await api.add(Export, { name: 'firs' })
    await api.dataSource.getRepository(Job).update(id, { exportId: Number(exportId) })
    const { status, headers, text } = await api.get(links.self)
    expect([status, headers.location, text]).toEqual([303, `/exports/${exportId}`, ''])
  })
})

async function created(body: unknown): Promise<string> {
  return (await api.post('/articles').send(body)).headers.location ?? ''
}

async function ids(path: string): Promise<readonly string[]> {
  return (await api.get(path)).body.data.map(({ id }: { id: string }) => id)
}
