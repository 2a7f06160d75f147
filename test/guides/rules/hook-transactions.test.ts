import { entityManagerOf, type ResourceWrite, withTransaction } from 'stemma'
import { createResource, newResource, toMany, toOne, updateResource } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { findRows } from '../../support/find-rows'
import { tableWith } from '../../support/row-tables'
import { Boat, Harbour } from '../../support/writing-models'
import { type HookName, recordHooks, refuse } from './support/recorder'

const test = recordHooks()

const vesselsPath = () => `/harbours/${test.ids.harbour}/relationships/vessels`
const boats = () => toMany('boats', test.ids.boat)

const WRITES = {
  create: () => {
    const relationships = { escort: toOne('boats', test.ids.sailboat) }
    return test.api.post('/vessels').send(newResource('boats', { name: 'New' }, relationships))
  },
  update: () => {
    const { api, ids } = test
    const relationships = { vessels: boats(), pilotBoat: toOne('boats', ids.boat) }
    return updateResource(api, 'harbours', ids.harbour, undefined, relationships)
  },
  delete: () => test.api.delete(`/vessels/${test.ids.boat}`),
  setRelationship: () =>
    test.api.patch(`/vessels/${test.ids.boat}/relationships/escort`).send(toOne('vessels', test.ids.tug)),
  setRelationshipToMany: () => test.api.patch(vesselsPath()).send(boats()),
  addToRelationship: () => test.api.post(vesselsPath()).send(boats()),
  removeFromRelationship: () => test.api.delete(vesselsPath()).send(boats()),
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
    await entityManagerOf(subject).save(Object.assign(new Harbour(), { name: 'Scribble' }))
  }

  it('undoes the write and its own statements when it throws a JsonApiError', async () => {
    test.behaviours[hook] = async (subject) => {
      await scribble(subject)
      refuse()
    }
    const response = await test.api.unchanged(WRITES[write])
    expect([response.body.errors[0].title, test.reported]).toEqual(['No.', []])
    expect(errorsOf(response)).toEqual([expect.stringContaining('422 rule.refused')])
  })

  it('returns 500 without detail when it throws another error, and writes nothing', async () => {
    test.behaviours[hook] = async (subject) => {
      await scribble(subject)
      throw new TypeError('secret')
    }
    const { body, text } = await test.api.unchanged(() => WRITES[write]().expect(500))
    expect(body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
    expect([text.includes('secret'), test.reported]).toEqual([false, [new TypeError('secret')]])
  })

  it('commits its statements with the write', async () => {
    const count = () => test.api.dataSource.getRepository(Harbour).countBy({ name: 'Scribble' })
    const before = await count()
    test.behaviours[hook] = scribble
    expect((await WRITES[write]()).status).toBeLessThan(300)
    expect(await count()).toBe(before + 1)
  })
})

describe('afterCommit', () => {
  it.each([
    ['create', 201],
    ['setRelationship', 204],
    ['delete', 204],
  ] as const)('of %s has its error reported, and the response is a success', async (write, status) => {
    test.behaviours.afterCommit = async () => {
      throw new TypeError('too late')
    }
    await WRITES[write]().expect(status)
    expect(test.reported).toEqual([new TypeError('too late')])
  }) // anchor: W/V-06

  it('sees the written rows outside of the transaction', async () => {
    let found: number | undefined
    test.behaviours.afterCommit = async () => {
      found = (await findRows(test.api.dataSource, Boat)).filter(({ name }) => name === 'Seen').length
    }
    await test.api.post('/vessels').send(newResource('boats', { name: 'Seen' }))
    expect(found).toBe(1)
  })
})

describe('statements of a hook', () => {
  const update = () => {
    const { api, ids } = test
    return updateResource(api, 'boats', ids.boat, { oars: 7 })
  }
  const count = (name: string) => test.api.dataSource.getRepository(Harbour).countBy({ name })

  it('in a nested transaction are undone alone when it fails and the hook goes on', async () => {
    const { api, behaviours, ids } = test
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
    test.behaviours.beforeWrite = async () => {
      await withTransaction(test.api.dataSource, (manager) => manager.insert(Harbour, { name: 'Gone' }))
      refuse()
    }
    expect((await test.api.unchanged(update)).status).toBe(422)
  })

  it('see the rows of the write before it is committed', async () => {
    let found: number | undefined
    test.behaviours.afterWrite = async (write) => {
      const table = tableWith(test.api.dataSource, Boat, 'name')
      found = (await entityManagerOf(write).query(`select * from ${table} where name = 'Mine'`)).length
    }
    await createResource(test.api, 'boats', { name: 'Mine' })
    expect(found).toBe(1)
  })
})
