import express from 'express'
import { createJsonApi, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { outcomeOf } from '../../support/expectations'
import { type Sending, serve } from '../../support/server'
import { TEAMS } from '../../support/writing-models'
import { refusalOf } from '../support/refusal-of'
import { ANN, many, one, startOffice } from './support/office'

// Where can be written to, and what the headers of a write must say. Operations have rules of their own.

@Resource('logs', { endpoints: ['getCollection', 'getResource', 'createResource'], parameters: ['fields'] })
@Entity('logs')
class Log {
  @PrimaryGeneratedColumn() id!: number
  @Column({ type: 'varchar', default: '' }) line!: string
}

const MEDIA = 'application/vnd.api+json'
const EXTENSION = 'https://example.org/audit'
const TAG = { data: { type: 'tags', id: 'tag' } }
const LOG = { data: { type: 'logs', id: '1' } }

let api: TestApi
let logs: TestApi
beforeAll(async () => {
  api = await startOffice()
  logs = await startApi([Log], { extensions: [{ uri: EXTENSION, endpoints: ['createResource'] }] })
  await logs.add(Log)
})
afterAll(async () => {
  await api.close()
  await logs.close()
})

describe('routes', () => {
  it.each([
    ['A-01: a resource is created', 'POST', '/tags', TAG, 201],
    ['A-01: a slash at the end makes no difference', 'POST', '/tags/', { data: { type: 'tags', id: 'slash' } }, 201],
    ['A-01: updated', 'PATCH', '/tags/old', { data: { type: 'tags', id: 'old', attributes: { label: 'x' } } }, 204],
    ['A-01: deleted', 'DELETE', '/tags/tag', undefined, 204],
    ['A-01: a to-one relationship is set', 'PATCH', '/teams/1/relationships/lead', one('members', ANN), 204],
    ['A-01: a to-many relationship is set', 'PATCH', '/teams/1/relationships/tags', many('tags', 'old'), 204],
    ['A-01: added to', 'POST', '/teams/1/relationships/tags', many('tags', 'new'), 204],
    ['A-01: removed from', 'DELETE', '/teams/1/relationships/tags', many('tags', 'new'), 204],
  ])('%s: %s %s', async (_rule, method, path, body, status) => {
    await api.request(method, path).send(body).expect(status)
  })

  it.each([
    ['A-02: overruled: a type that is not there is outcomeOf of', 'POST', '/nothings'],
    ['A-02: on update', 'PATCH', '/nothings/1'],
    ['A-02: on delete', 'DELETE', '/nothings/1'],
    ['A-02: on setting', 'PATCH', '/nothings/1/relationships/lead'],
    ['A-02: on adding', 'POST', '/nothings/1/relationships/lead'],
    ['A-02: on removing', 'DELETE', '/nothings/1/relationships/lead'],
  ])('%s: %s %s', async (_rule, method, path) => {
    const body = { data: null }
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(body)))).toBe('404 url.not-found')
  })

  it.each([
    ['A-03: a relationship that is not there', 'PATCH', 'nothing', 'nothing'],
    ['A-03: on adding', 'POST', 'nothing', 'nothing'],
    ['A-03: on removing', 'DELETE', 'nothing', 'nothing'],
    ['A-03: a blank one, shown as it is', 'PATCH', '%20', ' '],
    ['A-03: a blank one on adding', 'POST', '%20', ' '],
    ['A-03: a blank one on removing', 'DELETE', '%20', ' '],
  ])('%s: %s %s', async (_rule, method, name, shown) => {
    const sending = () => api.request(method, `/teams/1/relationships/${name}`).send(many('nothings', 'x'))
    const answer = await api.unchanged(sending)
    expect(outcomeOf(answer)).toBe('404 relationship.not-found')
    expect(answer.body.errors[0].detail).toContain(`'${shown}'`)
  })

  it('A-03: overruled: which is found before the body is read', async () => {
    const sending = () => api.patch('/teams/1/relationships/nothing').send('{')
    expect(outcomeOf(await api.unchanged(sending))).toBe('404 relationship.not-found')
  })
})

describe('Content-Type', () => {
  const type = (value: string): Sending => ({
    body: { data: { type: 'tags', id: 'x' } },
    headers: { 'content-type': value },
  })

  it.each([
    ['A-04: that is missing', { body: new TextEncoder().encode('{}'), headers: { 'content-type': '' } }],
    ['A-04: that is plain JSON', type('application/json')],
    ['A-04: that is any text', type('text/plain')],
    ['A-05: with a charset', type(`${MEDIA}; charset=utf-8`)],
    ['A-05: with a parameter that is not known', type(`${MEDIA}; version=1`)],
    ['A-05: with an extension that is not known', type(`${MEDIA}; ext="${EXTENSION}"`)],
    ['A-05: with the extension of operations', type(`${MEDIA}; ext="https://jsonapi.org/ext/atomic"`)],
  ])('%s is 415', async (_rule, sending) => {
    const answer = await api.unchanged(() => api.request('POST', '/tags', sending))
    expect(outcomeOf(answer).toLowerCase()).toBe('415 header.content-type content-type')
    expect(answer.headers['content-type']).toBe(MEDIA)
  })

  it.each([
    ['A-06: with the URI of the extension, for operations', '"https://jsonapi.org/ext/atomic"', '200'],
    ['A-06: overruled: not with a shorter name', '"atomic"', '415 header.content-type Content-Type'],
    ['A-06: overruled: nor without quotes', 'atomic', '415 header.content-type Content-Type'],
  ])('%s', async (_rule, ext, expected) => {
    const body = { 'atomic:operations': [{ op: 'add', data: { type: 'members', attributes: { name: 'A' } } }] }
    const headers = { 'content-type': `${MEDIA};ext=${ext}`, accept: '*/*' }
    expect(outcomeOf(await api.post('/operations').send(body).set(headers))).toBe(expected)
  })

  it('A-04: is not asked for where there is no body', async () => {
    await api.delete('/tags/nothing').expect(404)
  })

  it('A-04: overruled: nor of a body that is not read', async () => {
    const sending = { body: 'id=1', headers: { 'content-type': 'text/plain' } }
    await api.request('DELETE', '/tags/nothing', sending).expect(404)
  })

  it.each([
    ['A-05: is read whatever its case', 'Application/VND.API+JSON', 'case'],
    ['A-05: overruled: may name profiles', `${MEDIA}; profile="https://example.org/p"`, 'profile'],
  ])('%s', async (_rule, value, id) => {
    const body = { data: { type: 'tags', id } }
    await api.post('/tags').send(body).set({ 'content-type': value }).expect(201)
  })
})

describe('Accept', () => {
  const post = (accept: string, ext = '') => {
    const headers = { accept, 'content-type': `${MEDIA}${ext}` }
    return logs
      .post('/logs')
      .send({ data: { type: 'logs' } })
      .set(headers)
  }
  const EXT = `; ext="${EXTENSION}"`

  it.each([
    ['A-07: without the media type', 'text/html', ''],
    ['A-07: with a parameter only', `${MEDIA}; charset=utf-8`, ''],
    ['A-07: with an extension that is not known', `${MEDIA}; ext="https://example.org/other"`, ''],
    ['A-08: without the extension that the body has', `${MEDIA}; ext="https://example.org/other"`, EXT],
  ])('%s is 406, and nothing is written', async (_rule, accept, ext) => {
    expect(outcomeOf(await logs.unchanged(() => post(accept, ext))).toLowerCase()).toBe('406 header.accept accept')
  })

  it('A-07: is weighed', async () => {
    await post(`text/html, ${MEDIA}; charset=utf-8; q=1, ${MEDIA}; q=0.1`).expect(201)
  })

  it('A-08: an extension of the application is applied where it may be', async () => {
    const { status, headers } = await post('*/*', EXT)
    expect([status, headers['content-type']]).toEqual([201, `${MEDIA};ext="${EXTENSION}"`])
    await logs
      .get('/logs/1')
      .set({ accept: `${MEDIA}${EXT}` })
      .expect(406)
  })
})

describe('an endpoint that is switched off', () => {
  it.each([
    ['A-11: answers 403, on update', 'PATCH', '/logs/1'],
    ['A-11: on delete', 'DELETE', '/logs/1'],
  ])('%s', async (_rule, method, path) => {
    const answer = await logs.unchanged(() => logs.request(method, path).send(LOG))
    expect(outcomeOf(answer)).toBe('403 endpoint.off')
    expect(answer.body.errors[0].detail).toContain(`${method} ${path}`)
  })

  it('A-12: overruled: is still there, which nothing hides', async () => {
    await logs.delete('/logs/1').expect(403)
  })

  it('A-13: beaten: is outcomeOf of before the body is read', async () => {
    expect(outcomeOf(await logs.patch('/logs/1').send('{'))).toBe('403 endpoint.off')
  })

  it('A-14: refuses query parameters that are switched off', async () => {
    const sending = () => logs.post('/logs?include=nothing').send({ data: { type: 'logs' } })
    expect(outcomeOf(await logs.unchanged(sending))).toBe('400 query.not-allowed include')
  })
})

describe('an application', () => {
  it('A-15: answers beside the API as it likes', async () => {
    const { dataSource, close } = await openDatabase(TEAMS)
    const app = express()
    app.post('/echo', express.text(), (request, response) => void response.status(202).type('json').send(request.body))
    app.use('/api', createJsonApi({ dataSource, resources: TEAMS, startUp: 'quiet' }).router)
    const server = await serve(app)
    const echo = await fetch(`${server.url}/echo`, { method: 'POST', body: '"a"' })
    expect([echo.status, await echo.text()]).toEqual([202, '"a"'])
    await server.post('/api/tags').send(TAG).expect(201)
    await server.close()
    await close()
  })

  it('A-16: does not start with two resource types of one name', async () => {
    @Resource('logs')
    @Entity('other_logs')
    class OtherLog {
      @PrimaryGeneratedColumn() id!: number
    }
    expect(await refusalOf({ resources: [Log, OtherLog] })).toContain("'logs'")
  })

  it('A-16: does not start with a class that the database does not know', async () => {
    expect(await refusalOf({ resources: [...TEAMS, Log], entities: TEAMS })).toContain('Log')
  })

  it('A-18: may stand anywhere, and links and Location say so', async () => {
    const mounted = await startOffice({ mountPath: '/api/v1' })
    const { headers, body } = await mounted.post('/api/v1/tags').send(TAG)
    expect([headers.location, body.data.links.self]).toEqual(['/api/v1/tags/tag', '/api/v1/tags/tag'])
    await mounted.close()
  })
})
