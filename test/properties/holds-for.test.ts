import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import supertest from 'supertest'
import { type Asked, holdsWithin } from './support/random'

// What all properties rely on: a server that does not answer has failed, and so has a property that was hardly tried.

let server: Server
let url: string
/** From which request on it does not answer. */
let silentFrom: number

beforeEach(async () => {
  let count = 0
  silentFrom = Infinity
  server = createServer((_, response) => {
    count += 1
    if (count < silentFrom) response.end()
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

const holding = { values, runs: 20, check: ask, limit: 5_000, patience: 800 }

it('passes when every request is answered', async () => {
  expect(await holdsWithin(holding)).toBe(20)
})

it.each([1, 2, 20])('fails when no request from %i on is answered, and names the last one', async (nth) => {
  silentFrom = nth
  await expect(holdsWithin({ ...holding, patience: 100 })).rejects.toThrow(/^STEMMA_SEED=\d+ "\/\d+"$/)
})

it('fails when the time is over and a request is not answered', async () => {
  silentFrom = 6
  const slow = async (asked: Asked) => {
    await Promise.all([ask(asked), new Promise((resolve) => setTimeout(resolve, 20))])
  }
  // The limit comes before patience ends.
  const failing = holdsWithin({ ...holding, check: slow, limit: 600 })
  await expect(failing).rejects.toMatchObject({ cause: { message: 'No end after 800 ms.' } })
})

it('fails after too few runs', async () => {
  const lasting = () => new Promise<void>((resolve) => setTimeout(resolve, 100))
  const never = holdsWithin({ ...holding, check: lasting, limit: 10 })
  await expect(never).rejects.toThrow('0 of 20 runs in 10 ms: too few')
  const hardly = holdsWithin({ ...holding, check: lasting, limit: 250 })
  await expect(hardly).rejects.toThrow(/[012] of 20 runs in 250 ms: too few/)
})

it('passes with some of the runs when the time is over', async () => {
  let begun = 0
  const lasting = async () => {
    begun += 1
    if (begun > 5) await new Promise((resolve) => setTimeout(resolve, 700))
  }
  expect(await holdsWithin({ ...holding, check: lasting, limit: 500 })).toBe(5)
})
