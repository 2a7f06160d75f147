import { apiOver, type TestApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { outcomeOf } from '../../support/expectations'
import { PAYMENT_TABLES, PAYMENTS } from '../../support/payments'
import { startServer } from '../../support/server'
import { ANN, many, one, startOffice } from './support/office'

// States, and requests that are sent twice: the anchor refuses every If-Match, and has no keys.

describe('If-Match', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startOffice()
  })
  afterAll(() => api.close())

  const etagOf = async (path: string) => String((await api.get(path)).headers.etag)
  const TEAM = { data: { type: 'teams', id: '1', attributes: { budget: 1 } } }

  it.each([
    ['A-09: overruled: holds for an update', 'PATCH', '/teams/1', TEAM],
    ['A-09: for setting', 'PATCH', '/teams/1/relationships/lead', one('members', ANN)],
    ['A-09: for adding', 'POST', '/teams/1/relationships/tags', many('tags', 'new')],
    ['A-09: for removing', 'DELETE', '/teams/1/relationships/tags', many('tags', 'new')],
    ['A-09: for a deletion', 'DELETE', '/pages/1', undefined],
  ])('%s: done in that state, and refused with 412 in any other', async (_rule, method, path, body) => {
    const send = (etag: string) => api.request(method, path).send(body).set({ 'if-match': etag })
    expect(outcomeOf(await api.unchanged(() => send('"another"')))).toBe('412 header.if-match If-Match')
    expect(outcomeOf(await send(await etagOf(path)))).toBe('204')
  })

  it('S-01: beaten: who comes second is told', async () => {
    const headers = { 'if-match': await etagOf('/tags/old') }
    const write = (label: string) => {
      const body = { data: { type: 'tags', id: 'old', attributes: { label } } }
      return api.patch('/tags/old').send(body).set(headers)
    }
    expect(outcomeOf(await write('first'))).toBe('204')
    expect(outcomeOf(await api.unchanged(() => write('second')))).toBe('412 header.if-match If-Match')
  })

  it('A-10: beaten: what a write shows has the ETag of the GET that shows it', async () => {
    const { headers } = await api.post('/tags').send({ data: { type: 'tags', id: 'A-10' } })
    expect(headers.etag).toBe(await etagOf('/tags/A-10'))
  })
})

describe('Idempotency-Key', () => {
  let api: TestApi
  beforeAll(async () => {
    const database = await openDatabase(PAYMENT_TABLES)
    const server = await startServer({ ...PAYMENTS, dataSource: database.dataSource })
    api = apiOver(database, server, async () => {
      await server.close()
      await database.close()
    })
  })
  afterAll(() => api.close())

  const pay = (amount: number) => {
    const body = { data: { type: 'payments', attributes: { amount } } }
    return api.post('/payments').send(body).set({ 'idempotency-key': '"once"' })
  }

  it('S-02: beaten: a request that is sent again is performed once', async () => {
    const first = await pay(5).expect(201)
    expect((await pay(5)).text).toBe(first.text)
    expect((await api.get('/payments')).body.meta.total).toBe(1)
    await pay(6).expect(422)
  })
})
