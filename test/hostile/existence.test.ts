import type { Response } from 'supertest'
import { setUp } from '../support/api'
import { createResource } from '../support/documents'
import { REQUESTS, type Request, startWithHiddenRows } from './support/requests-for-row'

// A hidden row and a missing row are indistinguishable: same status, headers and body (except the id of the request), and the same statements,
// on which the response time depends. `npm run timing` measures times.

const api = setUp(startWithHiddenRows)

it.each(REQUESTS)('%s gets the same response for a hidden and a missing row', async (_name, kind, build) => {
  const responseTo = async (id: string) => {
    const statements: string[] = []
    let answer: Response | undefined
    const request = build(id)
    await api.unchanged(async () => {
      statements.push(...(await api.statementsOf(async () => (answer = await sendTo(request)))))
      return answer as Response
    })
    return { ...shown(answer as Response, id), statements }
  }
  const [hidden, missing] = [await responseTo(api.hidden[kind]), await responseTo(api.missing[kind])]
  expect(hidden).toEqual(missing)
  expect(hidden.status).toBeLessThan(500)
  expect(hidden.text).not.toMatch(/Hidden|secret/)
})

it('compares statements for at least three quarters of the requests', async () => {
  const counts: number[] = []
  for (const [, kind, build] of REQUESTS)
    counts.push((await api.statementsOf(async () => void (await sendTo(build(api.missing[kind]))))).length)
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan((REQUESTS.length * 3) / 4)
})

it('POST with the id or a unique value of a hidden row returns 409, which reveals that it exists', async () => {
  const tag = (id: string) => createResource(api, 'tags', { label: 'a' }, {}, id)
  expect([(await tag(api.hidden.tags)).status, (await tag(api.missing.tags)).status]).toEqual([409, 201])
  const member = (nickname: string) => createResource(api, 'members', { name: 'A', nickname })
  const { status, text } = await member('secret')
  expect([status, text.includes(api.hidden.members)]).toEqual([409, false])
  await member('another').expect(201)
})

function sendTo({ method, path, ...sending }: Request): Promise<Response> {
  return api.request(method, path, sending)
}

/** Removes the id, and headers that depend on its length, from a response. */
function shown({ status, headers, text }: Response, id: string) {
  const kept = Object.entries(headers).filter(([name]) => !['date', 'content-length'].includes(name))
  const masked = (value: string) => value.replaceAll(new RegExp(`(?<=%27|[^\\w-])${id}(?![\\w-])`, 'g'), '<id>')
  return {
    status,
    headers: kept.map(
      ([name, value]) => `${name}: ${name === 'etag' ? value.replace(/[^."]+"$/, '…"') : masked(value)}`,
    ),
    text: masked(text),
  }
}
