// `npm run expensive-requests`: measures the most expensive requests that the default limits allow, over 100,000 rows in each table. Writes
// test/guides/limits/expensive-requests.txt: the cost that limits count and the CPU milliseconds of the process for each request.
// `EXPENSIVE_REQUESTS_ROWS` and `EXPENSIVE_REQUESTS_RANDOM` set the number of rows and of random requests.
const { get } = require('node:http')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
require('../test/support/run-typescript')
const { startBlogs, BLOGS } = require('../test/support/blogs.ts')
const { startServerOn } = require('../test/support/api.ts')
const { DEFAULT_REQUEST_LIMITS } = require('../src/graph/options/limits.ts')
const { FIXED_REQUESTS, fillBlogs, randomRequest } = require('./expensive-requests-of-blogs')

const FILE = join(__dirname, '..', 'test', 'guides', 'limits', 'expensive-requests.txt')
const ROWS = Number(process.env.EXPENSIVE_REQUESTS_ROWS ?? 100_000)
const RANDOM_REQUESTS = Number(process.env.EXPENSIVE_REQUESTS_RANDOM ?? 150)
const LISTED = 100

async function main() {
  const api = await startBlogs()
  await fillBlogs(api.dataSource, ROWS)
  // Every request is rejected here with its cost.
  const counting = await startServerOn(api, { resources: BLOGS, limits: { cost: 1 } })
  const costOf = async (path) => {
    const [error] = JSON.parse(await send(counting, path)).errors
    return error.code === 'query.cost' ? error.meta.cost : Infinity
  }
  const measured = []
  const random = createRandom(7)
  for (let number = 0; number < FIXED_REQUESTS.length + RANDOM_REQUESTS; number += 1) {
    const path =
      FIXED_REQUESTS[number] ?? (await randomRequest({ random, costOf, maxCost: DEFAULT_REQUEST_LIMITS.cost }))
    const cost = await costOf(path)
    if (cost > DEFAULT_REQUEST_LIMITS.cost || measured.some((each) => each.path === path)) continue
    const time = await timeOf(api, path)
    measured.push({ cost, time, path })
  }
  const slowest = measured.sort((left, right) => right.time - left.time).slice(0, LISTED)
  const lines = slowest.map(({ cost, time, path }) => `${String(cost).padStart(6)} ${String(time).padStart(5)} ${path}`)
  if (ROWS === 100_000 && RANDOM_REQUESTS >= LISTED) writeFileSync(FILE, `  cost    ms request\n${lines.join('\n')}\n`)
  console.log(lines.map((line) => line.slice(0, 150)).join('\n'))
  await counting.close()
  await api.close()
}

/** The better of two measurements. */
async function timeOf(api, path) {
  const times = []
  for (const _ of [1, 2]) {
    const before = process.cpuUsage()
    await send(api, path)
    const { user, system } = process.cpuUsage(before)
    times.push(Math.round((user + system) / 1000))
  }
  return Math.min(...times)
}

function send({ url }, path) {
  return new Promise((resolve, reject) => {
    get(`${url}${encodeURI(path)}`, (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts).toString()))
    }).on('error', reject)
  })
}

/** Returns the same numbers each time. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

main()
