import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import supertest from 'supertest'
import { watchTimeLimits } from '../support/time-limits'
import { holdsWithin, type WithUrl } from './support/random'

// Tests the helper of all properties: a run without a response fails, and so do too few runs.

let server: Server
let url: string
/** The server responds to no request from this number on. */
let unansweredFrom: number
/** Called for each request without a response. */
let onUnanswered: () => void

beforeEach(async () => {
  let count = 0
  unansweredFrom = Infinity
  onUnanswered = () => {}
  server = createServer((_, response) => {
    count += 1
    if (count < unansweredFrom) response.end()
    else onUnanswered()
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

/** Ignores errors of closed connections, because the check has failed before. */
function sendRequest({ url: path }: WithUrl): Promise<void> {
  return supertest(url)
    .get(path)
    .then(
      () => undefined,
      () => undefined,
    )
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
const options = { values, runs: 20, check: sendRequest, limit: 5_000, timeout: 4_000 }

it('passes if every request gets a response', async () => expect(await holdsWithin(options)).toBe(20))

it.each([1, 2, 20])('fails without responses from request %i on, and names the last one', async (number) => {
  unansweredFrom = number
  const limits = watchTimeLimits(options.timeout)
  onUnanswered = limits.passAll
  try {
    await expect(holdsWithin(options)).rejects.toThrow(/^STEMMA_SEED=\d+ "\/\d+"$/)
  } finally {
    limits.close()
  }
})

/** Lets the time limit pass during the sixth run. `sixth` receives a longer time in milliseconds. */
async function exceedLimitInSixthRun(sixth: (longer: number) => Promise<void>, limit = 40): Promise<number> {
  let begun = 0
  const longer = limit + 20
  const check = async () => {
    begun += 1
    if (begun > 5) await sixth(longer)
  }
  const [outcome] = await Promise.allSettled([holdsWithin({ ...options, check, limit, timeout: 2 * longer })])
  // Repeats with more time on a busy machine.
  if (begun < 6) return exceedLimitInSixthRun(sixth, 2 * limit)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

it('fails if a request has no response when the time limit passes', async () => {
  unansweredFrom = 1
  const failing = exceedLimitInSixthRun(() => sendRequest({ url: '/' }))
  await expect(failing).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^Timed out after \d+ ms\.$/) },
  })
})

it('fails after too few runs', async () => {
  const lasting = () => wait(20)
  const never = holdsWithin({ ...options, check: lasting, limit: 1 })
  await expect(never).rejects.toThrow('0 of 20 runs in 1 ms: too few')
  const hardly = holdsWithin({ ...options, check: lasting, limit: 50 })
  await expect(hardly).rejects.toThrow(/[012] of 20 runs in 50 ms: too few/)
})

it('passes after some of the runs when the time limit passes', async () => {
  expect(await exceedLimitInSixthRun(wait)).toBe(5)
})
