import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../../test/support/blogs'
import { findRows } from '../../../test/support/find-rows'
import { Human, Man, startHumans, Woman } from '../../../test/support/humans'
import { insertRow, linkRow, updateRows } from '../../../test/support/rows'

// One request of each kind, over a hierarchy and over plain tables: any test file would notice a fault in this code.

const TYPE = 'application/vnd.api+json'

async function send(url: string, method = 'GET', data?: object): Promise<{ status: number; id: string }> {
  const body = data === undefined ? {} : { body: JSON.stringify({ data }), headers: { 'content-type': TYPE } }
  const response = await fetch(url, { method, ...body })
  const text = await response.text()
  const found: unknown = text === '' ? undefined : JSON.parse(text).data
  return { status: response.status, id: (found as { id?: string } | undefined)?.id ?? '' }
}

it.each([
  ['humans', 'men', { name: 'Adam' }, 'bestFriend', startHumans],
  ['blogs', 'articles', { title: 'First' }, 'blog', startBlogs],
])('reads and writes %s', async (collection, type, attributes, relationship, start) => {
  const { url, close } = await start()
  const all = `${url}/${type}`
  const created = await send(all, 'POST', { type, attributes })
  expect(created.status).toBe(201)
  const one = `${all}/${created.id}`
  const statuses = [
    await send(`${url}/${collection}?include=${collection === 'blogs' ? 'articles' : relationship}`),
    await send(
      `${all}?filter=any(${Object.keys(attributes)[0]},'a','b')&sort=-id&page[size]=2&include=${relationship}`,
    ),
    await send(one),
    await send(`${one}/${relationship}`),
    await send(`${one}/relationships/${relationship}`),
    await send(`${all}/999999`),
    await send(all, 'POST', { type, attributes: { unknown: 1 } }),
    await send(one, 'PATCH', { type, id: created.id, attributes }),
    await send(`${one}/relationships/${relationship}`, 'PATCH', undefined),
    await send(one, 'DELETE'),
  ].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 404, 422, 204, 400, 204])
  await close()
})

it('stores rows as the other tests do', async () => {
  const humans = await startHumans()
  const woman = await humans.addWoman({ name: 'Eve', maidenName: null })
  const man = await humans.addMan({ name: 'Adam', hasBeard: true })
  await humans.link(man, 'wife', woman)
  await humans.link(woman, 'children', [man])
  await updateRows(humans.dataSource, [Man, Number(man)], { name: 'Abel', mother: { id: Number(woman) } })
  expect([await findRows(humans.dataSource, Human), await findRows(humans.dataSource, Woman)]).toMatchObject([
    { length: 2 },
    { length: 1 },
  ])
  await humans.close()

  const { add, close, dataSource } = await startBlogs()
  const blog = { id: await add(Blog, { title: 'Blog' }) }
  const article = {
    id: await add(Article, { title: 'Article', blog, publishedAt: new Date(0), isPublished: true, extra: { a: 1 } }),
  }
  await add(Comment, { id: '9007199254740993', article })
  await add(Revision, { article, number: 2 })
  await insertRow(dataSource, Tag, { id: 'red' })
  await linkRow(dataSource, [Article, Number(article.id)], 'tags', ['red'])
  await dataSource.manager.transaction((manager) => manager.query('select 1'))
  const repository = dataSource.getRepository(Blog)
  await repository.save(repository.create({ title: 'Other' }))
  await repository.update({ title: 'Other' }, { title: 'Another' })
  expect(await repository.find({ order: { id: 'ASC' } })).toHaveLength(2)
  expect(await repository.findOneBy({ title: 'Another' })).toBeTruthy()
  expect(await dataSource.manager.count(Blog)).toBe(2)
  await repository.delete({ title: 'Another' })
  await close()
})
