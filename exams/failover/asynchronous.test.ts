import { compareWithDatabase, NO_DIFFERENCES, startTraffic } from '../../test/faults/support/ledger'
import { create, startForTests } from './support/pair-apis'

// What an asynchronous standby of PostgreSQL loses when it becomes the primary.

const started = startForTests('asynchronous')

/** PostgreSQL tells a standby of a sequence after every 32 values. */
const COUNT = 40

it('loses the confirmed writes that the standby has not received, and keeps all others', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `${index}`)
  for (const name of names) expect(await create(started.apis.both, 'entries', `received ${name}`)).toBe('201')
  await started.pair.settle()
  started.pair.separate()
  for (const name of names) expect(await create(started.apis.both, 'entries', `not received ${name}`)).toBe('201')
  const lostId = await latestId()
  await started.pair.primary.kill()
  started.pair.reunite()
  await started.pair.failOver()
  expect(await started.apis.storedNames()).toEqual(names.map((name) => `received ${name}`).toSorted())
  expect(await create(started.apis.both, 'entries', 'has an id of a lost entry')).toBe('201')
  expect(await latestId()).toBeLessThanOrEqual(lostId)
})

const latestId = async () => Number((await started.apis.dataSource.query('select max(id) as id from entry'))[0].id)

it('stores all other writes as a whole if the primary is killed under load', async () => {
  const traffic = startTraffic(started.apis.both)
  await traffic.waitForWrites(200)
  await started.pair.primary.kill()
  await traffic.waitForResponse(/503/)
  await started.pair.failOver()
  await traffic.waitForWrites(40)
  // Prints the number of lost writes, which is often 0.
  const { lost, ...found } = await compareWithDatabase(started.apis.dataSource, await traffic.stop())
  expect({ ...found, lost: [] }).toEqual(NO_DIFFERENCES)
  expect(lost.length).toBeLessThan(200)
})
