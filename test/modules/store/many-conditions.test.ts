import type { TestApi } from '../../support/api'
import { Article, Comment, startBlogs, Tag } from '../../support/blogs'
import { insertRows } from '../../support/rows'

// As many conditions on related rows as a filter may have: each could be a join, or a look at all that may be related.

const MANY = 60

const all = (condition: string) => `and(${Array<string>(MANY).fill(condition).join()})`

describe('many conditions on related rows', () => {
  let api: TestApi

  beforeAll(async () => {
    api = await startBlogs({ limits: { urlLength: 100_000 } })
    const tags = Array.from({ length: 1000 }, (_, index) => ({ id: `t${index}` }))
    await insertRows(api.dataSource, Tag, tags)
    for (const title of ['Elm', 'Oak']) await api.add(Article, { title })
    const yew = await api.add(Article, { title: 'Yew', tags: [{ id: 't999' }] })
    await api.add(Comment, { id: '1', body: 'First', article: yew })
  })

  afterAll(() => api.close())

  it.each(['comments', 'tags', "comments,equals(body,'First')", "tags,equals(id,'t999')"])('has(%s)', async (has) => {
    const titles = async (filter: string) => {
      const { body } = await api.get(`/articles?fields[articles]=title&filter=${encodeURIComponent(filter)}`)
      return body.data.map((one: { attributes: object }) => one.attributes)
    }
    expect(await titles(all(`has(${has})`))).toEqual([{ title: 'Yew' }])
    expect(await titles(all(`not(has(${has}))`))).toEqual([{ title: 'Elm' }, { title: 'Oak' }])
  })
})
