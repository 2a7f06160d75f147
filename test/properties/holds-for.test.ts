import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import supertest from 'supertest'
import { watchTimeLimits } from '../support/time-limits'
import { type Asked, holdsWithin } from './support/random'

// What all properties rely on: a server that does not answer has failed, and so has a property that was hardly tried.

let server: Server
let url: string
/** From which request on it does not answer. */
let silentFrom: number
/** Called with each request that is not answered. */
let onSilence: () => void

beforeEach(async () => {
  let count = 0
  silentFrom = Infinity
  onSilence = () => {}
  server = createServer((_, response) => {
    count += 1
    if (count < silentFrom) response.end()
    else onSilence()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
})

const values = fc.nat().map((n) => ({ url: `/${n}` }))

/** What has ended by the end of the connection has been told before. */
function ask(asked: Asked): Promise<void> {
  return supertest(url)
    .get(asked.url)
    .then(
      () => undefined,
      () => undefined,
    )
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const holding = { values, runs: 20, check: ask, limit: 5_000, patience: 4_000 }

it('passes when every request is answered', async () => {
  expect(await holdsWithin(holding)).toBe(20)
})

it.each([1, 2, 20])('fails when no request from %i on is answered, and names the last one', async (nth) => {
  silentFrom = nth
  const limits = watchTimeLimits(holding.patience)
  onSilence = limits.passAll
  try {
    await expect(holdsWithin(holding)).rejects.toThrow(/^STEMMA_SEED=\d+ "\/\d+"$/)
  } finally {
    limits.close()
  }
})

/** The time is over during the sixth run, which is given a number of milliseconds that is longer. */
async function interruptSixth(sixth: (longer: number) => Promise<void>, limit = 40): Promise<number> {
  let begun = 0
  const longer = limit + 20
  const check = async () => {
    begun += 1
    if (begun > 5) await sixth(longer)
  }
  const [outcome] = await Promise.allSettled([holdsWithin({ ...holding, check, limit, patience: 2 * longer })])
  // The machine was busy: give it more time.
  if (begun < 6) return interruptSixth(sixth, 2 * limit)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

it('fails when the time is over and a request is not answered', async () => {
  silentFrom = 1
  const failing = interruptSixth(() => ask({ url: '/' }))
  await expect(failing).rejects.toMatchObject({ cause: { message: expect.stringMatching(/^No end after \d+ ms\.$/) } })
})

it('fails after too few runs', async () => {
  const lasting = () => wait(20)
  const never = holdsWithin({ ...holding, check: lasting, limit: 1 })
  await expect(never).rejects.toThrow('0 of 20 runs in 1 ms: too few')
  const hardly = holdsWithin({ ...holding, check: lasting, limit: 50 })
  await expect(hardly).rejects.toThrow(/[012] of 20 runs in 50 ms: too few/)
})

it('passes with some of the runs when the time is over', async () => {
  expect(await interruptSixth(wait)).toBe(5)
})
