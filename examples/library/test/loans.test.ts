import { ADA, BEN, changeOf, LENA, loanOf, reservationOf } from './samples'
import { type RunningApi, type Send, startApi } from './start-api'

let api: RunningApi
let ada: Send
let ben: Send
let lena: Send
beforeEach(async () => {
  api = await startApi()
  ada = api.as(ADA)
  ben = api.as(BEN)
  lena = api.as(LENA)
})
afterEach(() => api.stop())

const stateOf = async (path: string) => (await lena('get', path)).body.data.attributes.state
const setState = (send: Send, type: string, id: string, state: string) =>
  send('patch', `/${type}/${id}`, changeOf(type, id, { state }))

describe('a loan', () => {
  it.each([
    ['a book', '1', 28],
    ['a magazine', '5', 7],
    ['a film', '9', 14],
  ])('of %s lasts as long as its type allows', async (_name, copy, days) => {
    const { body } = await ada('post', '/loans', loanOf(copy, '2'))
    const due = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    expect(body.data.attributes).toEqual({ state: 'open', dueOn: due, returnedOn: null })
    expect(await stateOf(`/copies/${copy}`)).toBe('lent')
  })

  it('needs an available copy, also if two requests arrive at the same time', async () => {
    const answers = await Promise.all([
      ada('post', '/loans', loanOf('1', '2')),
      ben('post', '/loans', loanOf('1', '3')),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('is for the member of the token, and librarians lend to all', async () => {
    expect((await ada('post', '/loans', loanOf('1', '3'))).status).toBe(404)
    expect((await lena('post', '/loans', loanOf('1', '3'))).status).toBe(201)
    expect((await ada('get', '/loans')).body.data).toEqual([])
    expect((await ada('get', '/copies/1?include=loans.member')).body.included).toEqual([])
    expect((await ben('get', '/copies/1?include=loans.member')).body.included).toHaveLength(2)
  })

  it('is refused to a blocked member', async () => {
    await lena('patch', '/members/2', changeOf('members', '2', { isBlocked: true }))
    const { status, body } = await ada('post', '/loans', loanOf('1', '2'))
    expect([status, body.errors[0].title]).toEqual([409, 'The member is blocked.'])
    expect(await stateOf('/copies/1')).toBe('available')
  })

  it('is returned by a librarian, once', async () => {
    await ada('post', '/loans', loanOf('1', '2'))
    expect((await setState(ada, 'loans', '1', 'returned')).status).toBe(403)
    const { body } = await setState(lena, 'loans', '1', 'returned')
    expect(body.data.attributes.returnedOn).toBe(new Date().toISOString().slice(0, 10))
    expect(await stateOf('/copies/1')).toBe('available')
    expect((await setState(lena, 'loans', '1', 'open')).status).toBe(409)
    expect((await lena('delete', '/loans/1')).status).toBe(403)
  })

  it('of a lost copy ends when it is found', async () => {
    await ada('post', '/loans', loanOf('1', '2'))
    await setState(lena, 'loans', '1', 'lost')
    expect((await ben('post', '/loans', loanOf('1', '3'))).status).toBe(409)
    await setState(lena, 'loans', '1', 'returned')
    expect((await ben('post', '/loans', loanOf('1', '3'))).status).toBe(201)
  })

  it('keeps its member and its copy', async () => {
    await ada('post', '/loans', loanOf('1', '2'))
    const moved = { data: { type: 'loans', id: '1', relationships: { copy: { data: { type: 'copies', id: '2' } } } } }
    expect((await lena('patch', '/loans/1', moved)).status).toBe(403)
    expect((await lena('patch', '/members/3/relationships/loans', { data: [{ type: 'loans', id: '1' }] })).status).toBe(
      403,
    )
  })
})

describe('several loans', () => {
  it('are returned and lent in one request, all or none', async () => {
    await ada('post', '/loans', loanOf('1', '2'))
    const takeBack = { op: 'update', ...changeOf('loans', '1', { state: 'returned' }) }
    const lend = (copy: string) => ({ op: 'add', ...loanOf(copy, '3') })
    expect((await lena('post', '/operations', { 'atomic:operations': [takeBack, lend('2'), lend('2')] })).status).toBe(
      409,
    )
    expect(await stateOf('/copies/1')).toBe('lent')
    expect((await lena('post', '/operations', { 'atomic:operations': [takeBack, lend('1'), lend('2')] })).status).toBe(
      200,
    )
    expect((await ben('get', "/loans?filter=equals(state,'open')")).body.data).toHaveLength(2)
  })
})

describe('a reservation', () => {
  it('holds the returned copy for the member who waits', async () => {
    await ada('post', '/loans', loanOf('1', '2'))
    expect((await ben('post', '/reservations', reservationOf('1', '3'))).status).toBe(201)
    expect((await ben('post', '/reservations', reservationOf('1', '3'))).status).toBe(409)
    await setState(lena, 'loans', '1', 'returned')
    expect([await stateOf('/reservations/1'), await stateOf('/copies/1')]).toEqual(['ready', 'held'])
    expect((await ada('post', '/loans', loanOf('1', '2'))).status).toBe(409)
    expect((await ben('post', '/loans', loanOf('1', '3'))).status).toBe(201)
    expect(await stateOf('/reservations/1')).toBe('collected')
  })

  it('passes the copy on when it is cancelled', async () => {
    await lena('post', '/loans', loanOf('1', '1'))
    await ada('post', '/reservations', reservationOf('1', '2'))
    await ben('post', '/reservations', reservationOf('1', '3'))
    await setState(lena, 'loans', '1', 'returned')
    expect((await setState(ben, 'reservations', '1', 'cancelled')).status).toBe(404)
    expect((await setState(ada, 'reservations', '1', 'cancelled')).status).toBe(204)
    expect([await stateOf('/reservations/2'), await stateOf('/copies/1')]).toEqual(['ready', 'held'])
    await setState(ben, 'reservations', '2', 'cancelled')
    expect(await stateOf('/copies/1')).toBe('available')
  })

  it('is refused for magazines, and in a state that only rules set', async () => {
    expect((await ada('post', '/reservations', reservationOf('3', '2', 'magazines'))).status).toBe(422)
    const { data } = reservationOf('1', '2')
    expect((await ada('post', '/reservations', { data: { ...data, attributes: { state: 'ready' } } })).status).toBe(409)
  })
})
