import { setUp } from '../../support/api'
import { ACCEPT } from '../../support/follow-pages'
import { startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#extension-rules, https://jsonapi.org/format/1.1/#profile-rules

const AUDIT = 'https://example.com/ext/audit'
const api = setUp(() => startArticles({ extensions: [{ uri: AUDIT }] }))

describe.each([
  ...['/articles?page[size]=2&sort=-title&include=author', '/articles/1?include=author,comments,tags'],
  ...['/articles/2/author', '/articles/1/comments', '/articles/1/relationships/comments?include=comments'],
  ...['/articles/999', '/articles?include=nope'],
])('GET %s', (path) => {
  it('EX-1 the document is the same with an extension', async () => {
    const extended = await api.get(path).set({ accept: `application/vnd.api+json;ext="${AUDIT}"` })
    const { status, body } = await api.get(path)
    const { jsonapi, links } = extended.body
    expect(jsonapi.ext).toEqual([AUDIT])
    const expected = { ...body, jsonapi, links: { ...body.links, self: links.self } }
    expect([extended.status, extended.body]).toEqual([status, expected])
  })

  it('PR-3, PR-5 the data is the same with a profile', async () => {
    const profiled = await api.get(path).set(ACCEPT)
    const { status, body } = await api.get(path)
    const { data, included, errors } = body
    expect(profiled.status).toBe(status)
    expect(withoutMeta(profiled.body)).toMatchObject(withoutMeta({ data, included, errors }))
  })
})

function withoutMeta(document: object): object {
  return JSON.parse(JSON.stringify(document), (name, value) => (name === 'meta' ? undefined : value))
}
