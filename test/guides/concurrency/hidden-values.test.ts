import { ACCOUNTS, Account, User } from '../../support/accounts'
import { define, setUp, startApi } from '../../support/api'
import { resource, toOne, updateResource } from '../../support/documents'
import { operate } from '../../support/operate'
import { updateRows } from '../../support/rows'

// Nothing that a client can write, and see of it afterwards, tells the values that it can't see. Clerks alone see the rank of an account.

let nextRank: number | undefined

const accountRules = define<Account>(Account, {
  fields: (names, context) => (context === 'yes' ? names : [...names].filter((name) => name !== 'rank')),
  beforeWrite: () => (nextRank === undefined ? undefined : { rank: nextRank }),
})
const api = setUp(() =>
  startApi(ACCOUNTS, { context: (request) => request.headers['x-clerk'] ?? 'no', definitions: [accountRules] }),
)
beforeEach(() => {
  nextRank = undefined
})

const tokenOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const { headers: found } = await api.get(path).set(headers).expect(200)
  return String(found.etag).slice(1).split('.')[0] as string
}
const CLERK = { 'x-clerk': 'yes' }
const update = (id: string, attributes: object) => ({ op: 'update', ...resource('users', id, attributes) })

describe('a value that can be written and not read', () => {
  it('a failing request with a version returns the same response for right and wrong guesses', async () => {
    const id = await api.add(User, { password: '1234' })
    const meta = { version: await tokenOf(`/users/${id}`) }
    const failing = { op: 'remove', ref: { type: 'users', id: '99999' } }
    const guess = async (password: string) => {
      const sent = [update(id, { password }), { ...update(id, { name: 'Main' }), meta }, failing]
      const { status, text } = await api.unchanged(() => operate(api, ...sent).start())
      return `${status} ${text}`
    }
    expect(await guess('1234')).toBe(await guess('4321'))
    expect(await guess('1234')).toMatch(/^404 /)
  })

  it('the status of a write, the ETag after it and If-Match do not reveal the value', async () => {
    const id = await api.add(User, { password: '1234' })
    const before = await tokenOf(`/users/${id}`)
    for (const password of ['1234', '4321', '1234']) {
      await updateResource(api, 'users', id, { password }).set('if-match', `"${before}"`).expect(204)
      expect(await tokenOf(`/users/${id}`)).toBe(before)
    }
    await updateResource(api, 'users', id, {}, { keeper: toOne('users', await api.add(User)) }).expect(204)
    expect(await tokenOf(`/users/${id}`)).toBe(before)
  })
})

describe('a field that a rule hides', () => {
  it('a hidden field changes the ETag only for clients that see it', async () => {
    const id = await api.add(User)
    const path = `/users/${id}`
    const [before, ofClerk] = [await tokenOf(path), await tokenOf(path, CLERK)]
    await updateRows(api.dataSource, [User, Number(id)], { rank: 7 })
    expect(await tokenOf(path)).toBe(before)
    expect(await tokenOf(path, CLERK)).not.toBe(ofClerk)
  })

  it('does not decide between 200 and 204 when a rule changes it', async () => {
    const id = await api.add(User, { rank: 5 })
    const statuses: number[] = []
    for (const [rank, headers] of [
      [5, {}],
      [6, {}],
      [7, CLERK],
    ] as const) {
      nextRank = rank
      statuses.push((await updateResource(api, 'users', id, { name: 'New' }).set(headers)).status)
    }
    expect(statuses).toEqual([204, 204, 200])
  })
})
