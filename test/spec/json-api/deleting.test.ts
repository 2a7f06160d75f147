import { setUp } from '../../support/api'
import { outcomeOf, resourceKeys, singleError } from '../../support/expectations'
import { Article, Export, Job } from '../support/article-models'
import { newArticle, person, startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#crud-deleting, https://jsonapi.org/recommendations/#asynchronous-processing

const api = setUp(startArticles)

describe('Deleting Resources', () => {
  it('DE-1 deletes the resource and its linkage', async () => {
    const by = { author: { data: person(3) } }
    const create = async (title: string) => (await api.post('/articles').send(newArticle({ title }, by))).body.data.id
    const [kept, deleted] = [await create('Oak'), await create('Ash')]
    await api.delete(`/articles/${deleted}`).expect(204)
    await api.get(`/articles/${deleted}`).expect(404)
    expect(resourceKeys(await api.get('/people/3/articles'))).toEqual([`articles ${kept}`])
    expect(resourceKeys(await api.get("/articles?filter=equals(title,'Ash')"))).toEqual([])
  }) // anchor: W/A-01

  it('DE-3 returns 202 and deletes nothing when a job deletes the resource', async () => {
    const path = `/exports/${await api.add(Export, { name: 'large end' })}`
    await api.delete(path).expect(202)
    await api.get(path).expect(200)
  })

  it('DE-4, DE-5 returns 204 without a body, and 404 for the second request', async () => {
    const path = `/articles/${await api.add(Article, { title: 'Ash' })}`
    const { status, text, headers } = await api.delete(path)
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
    expect(outcomeOf(await api.unchanged(() => api.delete(path)))).toBe('404 resource.not-found')
  }) // anchor: W/H-01, W/H-02

  it('DE-6 returns 409 for a resource that others need', async () => {
    const { code, detail } = singleError(await api.unchanged(() => api.delete('/articles/1')))
    expect(`${code} ${detail}`).toMatch(/^constraint.reference Other resources still refer to this one(?!,)/)
  }) // anchor: W/H-05
})

describe('Asynchronous Processing', () => {
  const order = async (name: string) => api.post('/exports').send({ data: { type: 'exports', attributes: { name } } })

  it('AS-1, AS-2 returns 202 with the job and its URL, where it can be read until it is done', async () => {
    const { status, headers, body } = await order('large oaks')
    expect([status, body.data.type]).toEqual([202, 'jobs'])
    const path = headers['content-location'] ?? ''
    expect(body.data.links.self).toBe(path)
    expect((await api.get(path).expect(200)).body.data).toEqual(body.data)
  })

  it('AS-4 returns 303 with the URL of the result when the job is done', async () => {
    const { id, links } = (await order('large firs')).body.data
    const exportId = await api.add(Export, { name: 'firs' })
    await api.dataSource.getRepository(Job).update(id, { exportId: Number(exportId) })
    const { status, headers, text } = await api.get(links.self)
    expect([status, headers.location, text]).toEqual([303, `/exports/${exportId}`, ''])
  })
})
