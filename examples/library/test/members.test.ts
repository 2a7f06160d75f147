import request from 'supertest'
import { createToken } from '../authentication'
import { ADA, changeOf, documentOf, LENA } from './samples'
import { type RunningApi, type Send, sendWith, startApi } from './start-api'

let api: RunningApi
let ada: Send
let lena: Send
beforeAll(async () => {
  api = await startApi()
  ada = api.as(ADA)
  lena = api.as(LENA)
})
afterAll(() => api.stop())

describe('a token', () => {
  it.each([
    ['no password', { tenant: 'ashford', email: 'ada@example.com' }],
    ['a wrong password', { tenant: 'ashford', email: 'ada@example.com', password: 'open' }],
    ['another tenant', { tenant: 'castle', email: 'ada@example.com', password: 'open sesame' }],
    ['values that are no text', { tenant: { not: 'ashford' }, email: ['ada@example.com'], password: 1 }],
  ])('is refused with %s', async (_name, credentials) => {
    await request(api.app).post('/tokens').send(credentials).expect(401, { error: 'Unknown address or password.' })
  })

  it('is required for every request', async () => {
    const { headers } = await request(api.app).get('/api/items').expect(401)
    expect(headers['www-authenticate']).toBe('Bearer')
  })

  it.each([
    ['has expired', createToken(LENA, Date.now() - 1)],
    ['was changed', `${createToken(LENA).split('.')[0]}.${createToken(ADA).split('.')[1]}`],
    ['is not ours', 'e30.e30'],
  ])('is refused if it %s', async (_name, token) => {
    expect((await sendWith(api.app, token)('get', '/items')).status).toBe(401)
  })
})

describe('members', () => {
  it('see only themselves, without notes', async () => {
    const { body } = await ada('get', '/members')
    expect(body.data).toHaveLength(1)
    expect(body.data[0].attributes).toEqual({ name: 'Ada', email: 'ada@example.com', role: 'member', isBlocked: false })
    expect((await ada('get', "/members?filter=startsWith(notes,'R')")).status).toBe(400)
    expect((await lena('get', "/members?filter=startsWith(notes,'R')")).body.data).toMatchObject([{ id: '3' }])
  })

  it.each([
    ['role', 'librarian', 403],
    ['isBlocked', true, 403],
    ['notes', 'Nice.', 422],
    ['tenant', 'brookdale', 422],
    ['password', 'short', 422],
    ['email', 'ada at home', 422],
    ['name', 'Ada L.', 204],
  ])('who change their %s to %p get %i', async (name, value, status) => {
    expect((await ada('patch', '/members/2', changeOf('members', '2', { [name]: value }))).status).toBe(status)
  })

  it('can neither add nor delete members', async () => {
    const member = documentOf('members', { name: 'Eve', email: 'eve@example.com', password: 'open sesame' })
    expect((await ada('post', '/members', member)).status).toBe(403)
    expect((await ada('delete', '/members/2')).status).toBe(403)
  })

  it('sign in with the password that they have set', async () => {
    const member = documentOf('members', { name: 'Cleo', email: 'cleo@example.com', password: 'open sesame' })
    const { body } = await lena('post', '/members', member)
    expect(body.data.attributes.password).toBeUndefined()
    const { id } = body.data
    const signIn = (password: string) =>
      request(api.app).post('/tokens').send({ tenant: 'ashford', email: 'cleo@example.com', password })
    const { token } = (await signIn('open sesame').expect(200)).body
    const change = changeOf('members', id, { password: 'close sesame' })
    expect((await sendWith(api.app, token)('patch', `/members/${id}`, change)).status).toBe(204)
    await signIn('open sesame').expect(401)
    await signIn('close sesame').expect(200)
    const { text } = await lena('get', `/changes?filter=endsWith(what,'members ${id}')`)
    expect(text).toContain('create members')
    expect(text).not.toContain('password')
  })
})
