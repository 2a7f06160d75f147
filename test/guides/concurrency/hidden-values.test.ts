import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, VersionColumn } from 'typeorm'
import { startApi } from '../../support/api'
import { define } from '../../support/define'
import { resource } from '../../support/documents'
import { operate } from '../../support/operate'
import { setUp } from '../../support/set-up'

// Nothing that a client can write, and see of it afterwards, tells the values that it can't see.

@Resource('accounts')
@Entity('accounts')
class Account {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Main' }) title!: string
  /** Can be written only. */
  @Attribute({ capabilities: ['create', 'change'] })
  @Column({ type: 'varchar', length: 20, default: '0000' })
  pin!: string
  /** Clerks see it. */
  @Attribute() @Column({ type: 'int', default: 0 }) score!: number
  @ToOne({ capabilities: ['set'] }) @ManyToOne('Account', { nullable: true }) guardian!: Account | null
  @ToOne() @ManyToOne('Account', 'parts', { nullable: true }) whole!: Account | null
  @ToMany() @OneToMany('Account', 'whole') parts!: Account[]
}

@Resource('vaults')
@Entity('vaults')
class Vault {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Main' }) title!: string
  @VersionColumn() version!: number
}

let nextScore: number | undefined

const api = setUp(() =>
  startApi([Account, Vault], {
    context: (request) => request.headers['x-clerk'] ?? 'no',
    definitions: [
      define<Account>(Account, {
        fields: (names, context) =>
          context === 'yes' ? names : new Set([...names].filter((name) => name !== 'score')),
        beforeWrite: () => (nextScore === undefined ? undefined : { score: nextScore }),
      }),
    ],
  }),
)
beforeEach(() => {
  nextScore = undefined
})

const tokenOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const { headers: found } = await api.get(path).set(headers).expect(200)
  return String(found.etag).slice(1).split('.')[0] as string
}
const CLERK = { 'x-clerk': 'yes' }
const setPin = (id: string, pin: string) => ({ op: 'update', data: { type: 'accounts', id, attributes: { pin } } })
const titled = (type: string, id: string, title: string, version?: string) => ({
  op: 'update',
  data: { type, id, attributes: { title } },
  ...(version !== undefined && { meta: { version } }),
})
const failing = { op: 'remove', ref: { type: 'accounts', id: '99999' } }

describe('a value that can be written and not read', () => {
  it('is not told by a version after a guess, in a request that fails in the end', async () => {
    const id = await api.add(Account, { pin: '1234' })
    const version = await tokenOf(`/accounts/${id}`)
    const guess = async (pin: string) => {
      const sent = [setPin(id, pin), titled('accounts', id, 'Main', version), failing]
      const { status, text } = await api.unchanged(() => operate(api, ...sent).start())
      return `${status} ${text}`
    }
    expect(await guess('1234')).toBe(await guess('4321'))
    expect(await guess('1234')).toMatch(/^404 /)
  })

  it('is not told by the ETag after a guess, nor by If-Match', async () => {
    const id = await api.add(Account, { pin: '1234' })
    const before = await tokenOf(`/accounts/${id}`)
    for (const pin of ['1234', '4321', '1234']) {
      const sent = resource('accounts', id, { pin })
      await api.patch(`/accounts/${id}`).send(sent).set('if-match', `"${before}"`).expect(204)
      expect(await tokenOf(`/accounts/${id}`)).toBe(before)
    }
    const guardian = await api.add(Account)
    const linked = resource('accounts', id, {}, { guardian: { data: { type: 'accounts', id: guardian } } })
    await api.patch(`/accounts/${id}`).send(linked).expect(204)
    expect(await tokenOf(`/accounts/${id}`)).toBe(before)
  })

  it.each([
    ['what it is', { pin: '1234' }],
    ['something else', { pin: '4321' }],
  ] as const)('answers 204 when it is written as %s', async (_what, attributes) => {
    const id = await api.add(Account, { pin: '1234' })
    const { text } = await api
      .patch(`/accounts/${id}`)
      .send(resource('accounts', id, attributes))
      .expect(204)
    expect(text).toBe('')
  })
})

describe('a field that a rule hides', () => {
  it('is in the state for those alone who see it', async () => {
    const id = await api.add(Account)
    const path = `/accounts/${id}`
    const [before, ofClerk] = [await tokenOf(path), await tokenOf(path, CLERK)]
    await api.dataSource.getRepository(Account).update({ id: Number(id) }, { score: 7 })
    expect(await tokenOf(path)).toBe(before)
    expect(await tokenOf(path, CLERK)).not.toBe(ofClerk)
  })

  it('does not decide between 200 and 204 when a rule changes it', async () => {
    const id = await api.add(Account, { score: 5 })
    const statuses: number[] = []
    for (const [score, headers] of [
      [5, {}],
      [6, {}],
      [7, CLERK],
    ] as const) {
      nextScore = score
      const { status } = await api
        .patch(`/accounts/${id}`)
        .send(resource('accounts', id, { title: 'New' }))
        .set(headers)
      statuses.push(status)
    }
    expect(statuses).toEqual([204, 204, 200])
  })
})

describe('meta.version', () => {
  it('is compared with the version before the first write of the request', async () => {
    const id = await api.add(Vault)
    const renamed = (version: string) => operate(api, titled('vaults', id, 'One'), titled('vaults', id, 'Two', version))
    const stale = await api.unchanged(() => renamed('v2').start())
    expect([stale.status, stale.body.errors[0].source.pointer]).toEqual([412, '/atomic:operations/1/meta/version'])
    await renamed('v1').expect(200)
    expect(await tokenOf(`/vaults/${id}`)).toBe('v3')
  })

  it('does not hold for what the request has added', async () => {
    const added = { op: 'add', data: { type: 'vaults', lid: 'a', attributes: { title: 'New' } } }
    const update = {
      op: 'update',
      ref: { type: 'vaults', lid: 'a' },
      data: { type: 'vaults', lid: 'a', attributes: {} },
    }
    await api.unchanged(() =>
      operate(api, added, { ...update, meta: { version: 'v1' } })
        .expect(412)
        .start(),
    )
    await operate(api, added, { ...update, meta: { version: '*' } }).expect(200)
  })

  it('is compared with the linkage before the first write', async () => {
    const [id, part, other] = [await api.add(Account), await api.add(Account), await api.add(Account)]
    const path = `/accounts/${id}/relationships/parts`
    const add = (member: string, version?: string) => ({
      op: 'add',
      ref: { type: 'accounts', id, relationship: 'parts' },
      data: [{ type: 'accounts', id: member }],
      ...(version !== undefined && { meta: { version } }),
    })
    const version = await tokenOf(path)
    await operate(api, add(part), add(other, version)).expect(200)
    expect((await api.get(path)).body.data).toHaveLength(2)
    await api.unchanged(() => operate(api, add(part), add(other, version)).expect(412).start())
  })
})
