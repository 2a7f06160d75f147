import { ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import type { TestApi } from '../../support/api'
import { startServer } from '../../support/server'
import { Log, RESOURCES } from '../support/article-models'
import { newArticle, person, startArticles, tags } from '../support/articles'
import { blamed } from '../support/blamed'

// https://jsonapi.org/format/1.1/#errors

const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

class FailingLogs extends ResourceDefinition<Log> {
  readonly resource = Log

  override filter(): never {
    throw new Error('The secret of the logs.')
  }
}

let api: TestApi
/** One of each status, and of each place that is told. */
let answers: readonly Response[]

beforeAll(async () => {
  api = await startArticles()
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
afterAll(() => api.close())

async function failure(): Promise<Response> {
  const configuration = { dataSource: api.dataSource, resources: RESOURCES, definitions: [new FailingLogs()] }
  const server = await startServer({ ...configuration, report: () => {} })
  const answer = await server.get('/logs')
  await server.close()
  return answer
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into error objects of every shape
const errorsOf = ({ body }: Response): readonly any[] => body.errors
const allErrors = () => answers.flatMap(errorsOf)
const have = (member: string) => allErrors().filter((error) => member in error)

it('are tried with every status', () => {
  expect(answers.map(({ status }) => status)).toEqual([
    ...[400, 400, 400, 400],
    ...[403, 404, 405, 406, 409, 412, 415, 422, 500],
  ])
})

describe('processing', () => {
  it('ER-1 several mistakes are told together', async () => {
    const answer = await api.post('/articles').send(newArticle({ title: 7, views: 'many' }))
    expect(blamed(answer)).toEqual(['422 at /data/attributes/title', '422 at /data/attributes/views'])
  })

  it('ER-2 mistakes of several statuses have the general one', async () => {
    const wrong = newArticle({ title: 7 }, { author: { data: tags(1)[0] } })
    const answer = await api.post('/articles').send(wrong)
    expect([answer.status, [...blamed(answer)].sort()]).toEqual([
      400,
      ['409 at /data/relationships/author/data/type', '422 at /data/attributes/title'],
    ])
    await api
      .post('/articles')
      .send(newArticle({ title: 7, views: 'many' }))
      .expect(422)
    for (const each of answers) {
      const classes = errorsOf(each).map(({ status }) => status[0])
      expect(new Set(classes)).toEqual(new Set([String(each.status)[0]]))
    }
  })
})

describe('error objects', () => {
  it('ER-3 they are a list at the top level', () => {
    for (const { body } of answers) {
      expect(Array.isArray(body.errors)).toBe(true)
      expect(body.errors.length).toBeGreaterThan(0)
    }
  })

  it('ER-4 none is empty', () => {
    expect(allErrors().filter((error) => Object.keys(error).length === 0)).toEqual([])
  })

  it('ER-5 they have the members that are defined', () => {
    const known = ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']
    expect(
      allErrors()
        .flatMap((error) => Object.keys(error))
        .filter((name) => !known.includes(name)),
    ).toEqual([])
    expect(answers.at(-1)?.text).not.toContain('secret')
  })

  it('ER-6 the status is a string', () => {
    for (const answer of answers) {
      const errors = errorsOf(answer)
      expect(errors.every(({ status }) => /^[45]\d\d$/.test(status))).toBe(true)
      if (errors.length === 1) expect(errors[0].status).toBe(String(answer.status))
    }
  })

  it('ER-7 the code is a string, and the same for the same kind of mistake', async () => {
    expect(allErrors().filter(({ code }) => typeof code !== 'string')).toEqual([])
    expect(errorsOf(await api.get('/people/999'))[0].code).toBe(errorsOf(await api.get('/articles/x'))[0].code)
  })

  it('ER-8 the title is that of the kind of mistake', async () => {
    const [first, second] = [await api.get('/articles?sort=nope'), await api.get('/people?sort=none')].flatMap(errorsOf)
    expect(first.title).toBe(second.title)
    expect(first.detail).not.toBe(second.detail)
  })

  it('ER-9 the detail is that of this mistake', async () => {
    expect(errorsOf(await api.get('/articles/999'))[0].detail).toBe(
      "There is no resource of type 'articles' with id '999'.",
    )
    expect(have('detail').filter(({ detail }) => typeof detail !== 'string')).toEqual([])
  })

  it('ER-11 the source is one of pointer, parameter and header', () => {
    const places = have('source').map(({ source }) => Object.keys(source).join())
    expect(new Set(places)).toEqual(new Set(['pointer', 'parameter', 'header']))
  })

  it.each([
    ['a member that is missing', { data: { type: 'articles', attributes: {} } }, '/data/attributes'],
    ['several that are', { data: { type: 'articles' } }, '/data'],
    ['no data', { meta: {} }, ''],
    ['signs that are escaped', newArticle({ title: 'Ash', 'a/b~c': 1 }), '/data/attributes/a~1b~0c'],
    [
      'a place in a list',
      newArticle({ title: 'Ash' }, { tags: { data: tags(1, 999) } }),
      '/data/relationships/tags/data/1',
    ],
  ])('ER-12 the pointer leads to a value that was sent: %s', async (_, body, pointer) => {
    const [error, ...others] = errorsOf(await api.post('/articles').send(body))
    expect([error.source, others]).toEqual([{ pointer }, []])
    expect(valueAt(pointer, body)).toBeDefined()
  })

  it.each(['fields[articles]', 'page[size]', 'filter[author.name]'])(
    'ER-13 the parameter has its full name: %s',
    async (parameter) => {
      for (const sent of [parameter, encodeURIComponent(parameter)]) {
        expectError(await api.get(`/articles?${sent}=nope`), 400, parameter)
      }
    },
  )

  it('ER-14 the header has its name', () => {
    expect(have('source').flatMap(({ source: { header } }) => header ?? [])).toEqual([
      'Accept',
      'If-Match',
      'Content-Type',
    ])
  })

  it('ER-15 links say what kind of mistake it is', () => {
    expect(have('links').map(({ links }) => links)).toEqual([{ type: `${CURSORS}/max-size-exceeded` }])
  })

  it('ER-16 meta is an object', () => {
    const metas = have('meta').map(({ meta }) => meta)
    expect(metas).toContainEqual({ position: 1 })
    expect(metas.filter((meta) => typeof meta !== 'object' || meta === null || Array.isArray(meta))).toEqual([])
  })

  it('ER-17 there are no data beside them', () => {
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
