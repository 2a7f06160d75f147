import { getEntityManager, JsonApiError, type ResourceWrite, withTransaction } from 'stemma'
import { createResource, newResource, toMany, toOne, updateResource } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { findRows } from '../../support/find-rows'
import { tableWith } from '../../support/row-tables'
import { Boat, Harbour } from '../../support/writing-models'
import { type HookName, recordHooks, refuse } from './support/recorder'

const { api, ids, calls, reported, behaviours } = recordHooks()
const vesselsPath = () => `/harbours/${ids.harbour}/relationships/vessels`
const boats = () => toMany('boats', ids.boat)

const WRITES = {
  create: () => {
    const relationships = { escort: toOne('boats', ids.sailboat) }
    return api.post('/vessels').send(newResource('boats', { name: 'New' }, relationships))
  },
  update: () => {
    const relationships = { ferries: { data: [] }, pilotBoat: toOne('boats', ids.boat) }
    return updateResource(api, 'harbours', ids.harbour, undefined, relationships)
  },
  delete: () => api.delete(`/vessels/${ids.boat}`),
  setRelationship: () => api.patch(`/vessels/${ids.boat}/relationships/escort`).send(toOne('vessels', ids.tug)),
  setRelationshipToMany: () => api.patch(vesselsPath()).send(boats()),
  addToRelationship: () => api.post(vesselsPath()).send(boats()),
  removeFromRelationship: () => api.delete(vesselsPath()).send(boats()),
} as const

type Write = keyof typeof WRITES
const each = (hook: HookName, ...writes: readonly Write[]) => writes.map((write) => [hook, write] as const)

describe.each([
  ...each('prepareWrite', 'create', 'update', 'setRelationship', 'addToRelationship', 'removeFromRelationship'),
  ...each('setToOne', 'create', 'update', 'setRelationship'),
  ...each('setToMany', 'update', 'setRelationshipToMany'),
  ...each('addToMany', 'addToRelationship'),
  ...each('removeFromMany', 'removeFromRelationship'),
  ...each('beforeWrite', ...(Object.keys(WRITES) as Write[])),
  ...each('afterWrite', ...(Object.keys(WRITES) as Write[])),
])('%s of %s', (hook, write) => {
  const scribble = async (subject: ResourceWrite): Promise<void> => {
    await getEntityManager(subject).save(Object.assign(new Harbour(), { name: 'Scribble' }))
  }

  it('undoes the write and its own statements when it throws, without afterCommit', async () => {
    let error: Error = new JsonApiError({ title: 'No.' })
    behaviours[hook] = async (subject) => {
      await scribble(subject)
      throw error
    }
    const refused = await api.unchanged(WRITES[write])
    expect([refused.body.errors[0].title, errorsOf(refused)]).toEqual([
      'No.',
      [expect.stringContaining('422 rule.rejected')],
    ])
    expect(reported).toEqual([])
    error = new TypeError('secret')
    const { body } = await api.unchanged(() => WRITES[write]().expect(500))
    expect(body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
    expect(reported).toEqual([error])
    expect(calls.filter((call) => call.hook === 'afterCommit')).toEqual([])
  }) // anchor: W/V-06

  it('commits its statements with the write', async () => {
    const count = () => api.dataSource.getRepository(Harbour).countBy({ name: 'Scribble' })
    const before = await count()
    behaviours[hook] = scribble
    expect((await WRITES[write]()).status).toBeLessThan(300)
    expect(await count()).toBe(before + 1)
  })
})

it('afterCommit sees the written rows outside of the transaction', async () => {
  let found: number | undefined
  behaviours.afterCommit = async (write) => {
    expect(() => getEntityManager(write)).toThrow('Use withTransaction or withReadConnection there.')
    found = (await findRows(api.dataSource, Boat)).filter(({ name }) => name === 'Seen').length
  }
  await api.post('/vessels').send(newResource('boats', { name: 'Seen' }))
  expect(found).toBe(1)
})

describe('statements of a hook', () => {
  const update = () => updateResource(api, 'boats', ids.boat, { oars: 7 })
  const count = (name: string) => api.dataSource.getRepository(Harbour).countBy({ name })

  it('in a nested transaction are undone alone when it fails and the hook goes on', async () => {
    const [gone, kept] = [await count('Gone'), await count('Kept')]
    behaviours.beforeWrite = async () => {
      const failing = withTransaction(api.dataSource, async (manager) => {
        await manager.insert(Harbour, { name: 'Gone' })
        await manager.query('select nothing from nowhere')
      })
      await expect(failing).rejects.toThrow()
      await withTransaction(api.dataSource, (manager) => manager.insert(Harbour, { name: 'Kept' }))
    }
    await update().expect(204)
    expect([await count('Gone'), await count('Kept')]).toEqual([gone, kept + 1])
    expect((await api.get(`/boats/${ids.boat}`)).body.data.attributes.oars).toBe(7)
  })

  it('in a nested transaction that succeeded are undone with the write', async () => {
    behaviours.beforeWrite = async () => {
      await withTransaction(api.dataSource, (manager) => manager.insert(Harbour, { name: 'Gone' }))
      refuse()
    }
    expect((await api.unchanged(update)).status).toBe(422)
  })

  it('see the rows of the write before it is committed', async () => {
    let found: number | undefined
    behaviours.afterWrite = async (write) => {
      const table = tableWith(api.dataSource, Boat, 'name')
      found = (await getEntityManager(write).query(`select * from ${table} where name = 'Mine'`)).length
    }
    await createResource(api, 'boats', { name: 'Mine' })
    expect(found).toBe(1)
  })
})
