import type { Response } from 'supertest'
import { setUp } from '../support/api'
import { startBlogs } from '../support/blogs'
import { DATABASE } from '../support/database'
import { createResource } from '../support/documents'
import { getRaw } from '../support/raw-http'
import { encoded, isWritable, PAYLOADS, quote } from './support/payloads'

// Every text is stored and returned unchanged, and a filter finds only the rows with that text. Texts that no database can store are rejected
// with their source.

jest.setTimeout(120_000)
const api = setUp(() => startBlogs({ clientGeneratedIds: 'allowed', page: { size: 1000, maxSize: 1000 } }))
/** Texts that were stored as titles. */
const titles: string[] = []
/** Texts that were stored as ids. Some collations treat two of them as equal. */
const ids: string[] = []
const writable = PAYLOADS.filter(([, text]) => isWritable(text) && [...text].length <= 80)
const longest = (length: number) => (text: string) => [...text].length <= length && text !== ''
const create = (attributes: object) => createResource(api, 'articles', attributes)
const createTag = (id: string) => createResource(api, 'tags', {}, {}, id)

it.each(writable)('stores and returns %s unchanged', async (_name, text) => {
  const { status, body } = await create({ title: text, subtitle: text, extra: { [text]: [text] } })
  expect([status, body.data.attributes]).toMatchObject([201, { title: text, subtitle: text }])
  expect(Object.entries(body.data.attributes.extra)).toEqual([[text, [text]]])
  expect((await api.get(`/articles/${body.data.id}`)).body.data.attributes).toEqual(body.data.attributes)
  titles.push(text)
})

it.each(writable.filter(([, text]) => longest(40)(text)))('accepts %s as an id', async (_name, text) => {
  const { status, headers, body } = await createTag(text)
  if (text === '.' || text === '..') {
    // Clients resolve these path segments, even if they are encoded.
    expect([status, body.errors[0].source]).toEqual([422, { pointer: '/data/id' }])
    return
  }
  if (status === 409) {
    expect(body.errors).toMatchObject([{ code: 'resource.id-exists', source: { pointer: '/data/id' } }])
    expect(DATABASE).toBe('mariadb')
    return
  }
  expect([status, body.data.id]).toEqual([201, text])
  ids.push(text)
  expect(headers.location).toMatch(/^\/tags\/[\w\-.~!'()*%]+$/)
  expect((await getRaw(api.url, `/tags/${encoded(text)}`)).body.data).toMatchObject({ type: 'tags', id: text })
})

it('a filter with a payload finds only the titles that match', async () => {
  expect([titles.length, ids.length].map((count) => count > 70)).toEqual([true, true])
  const sent = PAYLOADS.map(([, text]) => text).filter((text) => isWritable(text) && text.length < 1000)
  for (const text of sent) {
    const shown = async (filter: string): Promise<unknown> => {
      const path = `/articles?fields[articles]=title&filter=${encoded(filter)}`
      const { body } = await getRaw(api.url, path)
      return body.data.map((each: { attributes: { title: string } }) => each.attributes.title).sort()
    }
    const found = {
      equals: await shown(`equals(title,${quote(text)})`),
      any: await shown(`any(title,${quote(text)},'no such title')`),
      contains: await shown(`contains(title,${quote(text)})`),
      startsWith: await shown(`startsWith(title,${quote(text)})`),
      endsWith: await shown(`endsWith(title,${quote(text)})`),
    }
    const among = (holds: (title: string) => boolean) => titles.filter(holds).sort()
    const same = among((title) => title === text)
    expect({ text, found }).toEqual({
      text,
      found: {
        equals: same,
        any: same,
        contains: among((title) => title.includes(text)),
        startsWith: among((title) => title.startsWith(text)),
        endsWith: among((title) => title.endsWith(text)),
      },
    })
  }
})

it('an id finds only its own row, in URLs and filters', async () => {
  for (const text of PAYLOADS.map(([, each]) => each).filter((each) => isWritable(each) && each !== '')) {
    const isThere = ids.includes(text)
    const { status, body } = await getRaw(api.url, `/tags/${encoded(text)}`)
    expect([text, status, body.data?.id]).toEqual([text, isThere ? 200 : 404, isThere ? text : undefined])
    if (text.length >= 1000) continue
    const filter = encoded(`equals(id,${quote(text)})`)
    const { data } = (await getRaw(api.url, `/tags?filter=${filter}`)).body
    expect([text, data.map(({ id }: { id: string }) => id)]).toEqual([text, isThere ? [text] : []])
  }
})

it.each(PAYLOADS.filter(([, text]) => !isWritable(text)))('rejects %s with its source', async (_name, text) => {
  const sourcesOf = async (sending: PromiseLike<Pick<Response, 'status' | 'body'>>) => {
    const { status, body } = await sending
    return [status, body.errors.map(({ source }: { source: object }) => source)]
  }
  const at = (pointer: string) => [422, [{ pointer }]]
  expect(await sourcesOf(create({ title: text }))).toEqual(at('/data/attributes/title'))
  expect(await sourcesOf(create({ title: 'A', extra: { a: text } }))).toEqual(at('/data/attributes/extra'))
  expect(await sourcesOf(create({ title: 'A', extra: { [text]: 1 } }))).toEqual(at('/data/attributes/extra'))
  expect(await sourcesOf(createTag(text))).toEqual(at('/data/id'))
  const filtered = getRaw(api.url, `/articles?filter=${encoded(`equals(title,${quote(text)})`)}`)
  expect(await sourcesOf(filtered)).toEqual([400, [{ parameter: 'filter' }]])
  expect((await getRaw(api.url, `/tags/${encoded(text)}`)).status).toBeGreaterThanOrEqual(400)
})

it('stores a number exactly, or rejects it with its pointer', async () => {
  const numbers = [
    ...['9007199254740991', '9007199254740993', '-9007199254740993', '9223372036854775807', '9223372036854775808'],
    ...['1e400', '-1e400', '1e-400', '1e999999999', '-0', '-0.0', '0e5', '1e2', '1.0', '0.1e1', '123456.78', '1.005'],
    ...['0.1', '1e21', '1e-7', '5e-324', '1.7976931348623157e308', '0.30000000000000004', '99999999', '1e6'],
  ]
  let kept = 0
  // JSON numbers and doubles are rounded to the nearest double; integers that rounding would change are rejected.
  const meant = (name: string, number: string) =>
    name === 'rating' || number === '1e-400' ? String(Number(number)) : number
  for (const name of ['views', 'bytes', 'price', 'rating'])
    for (const number of numbers)
      for (const literal of [number, `"${number}"`]) {
        const rawBody = `{"data":{"type":"articles","attributes":{"title":"A","${name}":${literal}}}}`
        const { status, body } = await api.post('/articles').send(rawBody)
        const pointer = `/data/attributes/${name}`
        if (status === 201) {
          expect({ name, literal, value: exact(String(body.data.attributes[name])) }).toEqual({
            name,
            literal,
            value: exact(literal === number ? meant(name, number) : number),
          })
          kept += 1
        } else expect([name, literal, status, body.errors[0].source]).toEqual([name, literal, 422, { pointer }])
      }
  expect(kept).toBeGreaterThan(20)
})

/** Normalizes the text of a number, so that equal numbers have equal texts: `-1.50e1` and `-15` -> `-15e0`. */
function exact(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`
  const trimmed = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + digits.length - trimmed.length
  const significant = trimmed.replace(/^0+/, '')
  return significant === '' ? '0' : `${sign}${significant}e${power}`
}
