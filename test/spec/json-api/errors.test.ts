import type { Response } from 'supertest'
import { define } from '../../support/define'
import { errorsOf, expectError } from '../../support/expectations'
import { startServer } from '../../support/server'
import { setUp } from '../../support/set-up'
import { Log, RESOURCES } from '../support/article-models'
import { newArticle, person, startArticles, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#errors

const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

const failingLogs = define(Log, {
  filter(): never {
    throw new Error('The secret of the logs.')
  },
})

const api = setUp(startArticles)
/** One of each status and of each kind of source. */
let answers: readonly Response[]

beforeAll(async () => {
  answers = [
    await api.get('/articles?sort=nope&page[size]=0'),
    await api.get('/articles?page[size]=101').set({ accept: `application/vnd.api+json;profile="${CURSORS}"` }),
    await api.post('/articles').send('{'),
    await api.post('/articles').send({}),
    await api.post('/articles').send({ data: { ...newArticle({ title: 'Ash' }).data, id: '7' } }),
    await api.get('/articles/999'),
    await api.request('PUT', '/articles/1'),
    await api.get('/articles').set({ accept: 'text/html' }),
    await api.post('/articles').send({ data: person(9) }),
    await api.delete('/articles/1').set({ 'if-match': '"other"' }),
    await api.post('/articles').send('{}').set({ 'content-type': 'text/plain' }),
    await api.post('/articles').send(newArticle({ title: 7, views: 'many' })),
    await failure(),
  ]
})

async function failure(): Promise<Response> {
  const configuration = { dataSource: api.dataSource, resources: RESOURCES, definitions: [failingLogs] }
  const server = await startServer({ ...configuration, report: () => {} })
  const answer = await server.get('/logs')
  await server.close()
  return answer
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into error objects of every shape
const errorObjectsOf = ({ body }: Response): readonly any[] => body.errors
const allErrors = () => answers.flatMap(errorObjectsOf)
const have = (member: string) => allErrors().filter((error) => member in error)

it('covers every status', () => {
  const expected = [...[400, 400, 400, 400], ...[403, 404, 405, 406, 409, 412, 415, 422, 500]]
  expect(answers.map(({ status }) => status)).toEqual(expected)
})

describe('processing', () => {
  it('ER-1 returns several errors together', async () => {
    const answer = await api.post('/articles').send(newArticle({ title: 7, views: 'many' }))
    const expected = ['422 attribute.value /data/attributes/title', '422 attribute.value /data/attributes/views']
    expect(errorsOf(answer)).toEqual(expected)
  })

  it('ER-2 returns 400 for errors of several statuses', async () => {
    const wrong = newArticle({ title: 7 }, { author: { data: tags(1)[0] } })
    const answer = await api.post('/articles').send(wrong)
    expect(answer.status).toBe(400)
    expect([...errorsOf(answer)].sort()).toEqual([
      expect.stringMatching(/^409 .* \/data\/relationships\/author\/data\/type$/),
      '422 attribute.value /data/attributes/title',
    ])
    await api.request('POST', '/articles', { body: newArticle({ title: 7, views: 'many' }) }).expect(422)
    for (const each of answers) {
      const classes = errorObjectsOf(each).map(({ status }) => status[0])
      expect(new Set(classes)).toEqual(new Set([String(each.status)[0]]))
    }
  })
})

describe('error objects', () => {
  it('ER-3 are an array at the top level', () => {
    for (const { body } of answers) {
      expect(Array.isArray(body.errors)).toBe(true)
      expect(body.errors.length).toBeGreaterThan(0)
    }
  })

  it('ER-4 are not empty', () => {
    expect(allErrors().filter((error) => Object.keys(error).length === 0)).toEqual([])
  })

  it('ER-5 have defined members only', () => {
    const known = ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']
    expect(
      allErrors()
        .flatMap((error) => Object.keys(error))
        .filter((name) => !known.includes(name)),
    ).toEqual([])
    expect(answers.at(-1)?.text).not.toContain('secret')
  })

  it('ER-6 have the status as a string', () => {
    for (const answer of answers) {
      const errors = errorObjectsOf(answer)
      expect(errors.every(({ status }) => /^[45]\d\d$/.test(status))).toBe(true)
      if (errors.length === 1) expect(errors[0].status).toBe(String(answer.status))
    }
  })

  it('ER-7 have the same code for the same kind of error', async () => {
    expect(allErrors().filter(({ code }) => typeof code !== 'string')).toEqual([])
    expect(errorObjectsOf(await api.get('/people/999'))[0].code).toBe(
      errorObjectsOf(await api.get('/articles/x'))[0].code,
    )
  })

  it('ER-8 have the same title for the same kind of error', async () => {
    const [first, second] = [await api.get('/articles?sort=nope'), await api.get('/people?sort=none')].flatMap(
      errorObjectsOf,
    )
    expect(first.title).toBe(second.title)
    expect(first.detail).not.toBe(second.detail)
  })

  it('ER-9 have a detail of the occurrence', async () => {
    expect(errorObjectsOf(await api.get('/articles/999'))[0].detail).toBe(
      "There is no resource of type 'articles' with id '999'.",
    )
    expect(have('detail').filter(({ detail }) => typeof detail !== 'string')).toEqual([])
  })

  it('ER-11 have one of pointer, parameter and header as source', () => {
    const places = have('source').map(({ source }) => Object.keys(source).join())
    expect(new Set(places)).toEqual(new Set(['pointer', 'parameter', 'header']))
  })

  const TAGS = tags(1, 999)
  it.each([
    ['the parent of a missing member', { data: { type: 'articles', attributes: {} } }, '/data/attributes'],
    ['the parent of several', { data: { type: 'articles' } }, '/data'],
    ['the document without data', { meta: {} }, ''],
    ['a name with escaped characters', newArticle({ title: 'Ash', 'a/b~c': 1 }), '/data/attributes/a~1b~0c'],
    ['a member of an array', newArticle({ title: 'Ash' }, { tags: { data: TAGS } }), '/data/relationships/tags/data/1'],
  ])('ER-12 have a pointer to a value of the request: %s', async (_, body, pointer) => {
    const [error, ...others] = errorObjectsOf(await api.post('/articles').send(body))
    expect([error.source, others]).toEqual([{ pointer }, []])
    expect(valueAt(pointer, body)).toBeDefined()
  })

  const PARAMETERS = ['fields[articles]', 'page[size]', 'filter[author.name]']
  it.each(PARAMETERS)('ER-13 have the full name of the parameter: %s', async (parameter) => {
    for (const sent of [parameter, encodeURIComponent(parameter)]) {
      expectError(await api.get(`/articles?${sent}=nope`), 400, parameter)
    }
  })

  it('ER-14 have the name of the header', () => {
    const expected = ['Accept', 'If-Match', 'Content-Type']
    expect(have('source').flatMap(({ source: { header } }) => header ?? [])).toEqual(expected)
  })

  it('ER-15 link the kind of error', () => {
    expect(have('links').map(({ links }) => links)).toEqual([{ type: `${CURSORS}/max-size-exceeded` }])
  })

  it('ER-16 have an object as meta', () => {
    const metas = have('meta').map(({ meta }) => meta)
    expect(metas).toContainEqual({ position: 1 })
    expect(metas.filter((meta) => typeof meta !== 'object' || meta === null || Array.isArray(meta))).toEqual([])
  })

  it('ER-17 have no data beside them', () => {
    for (const { body } of answers) {
      const names = Object.keys(body).filter((name) => name !== 'links')
      expect(names).toEqual(['jsonapi', 'errors'])
    }
  })
})

/** https://www.rfc-editor.org/rfc/rfc6901 */
function valueAt(pointer: string, document: unknown): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document)
}
