import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_REQUEST_LIMITS } from '../../../src/graph/options/limits'
import { setUp } from '../../support/api'
import { BLOGS, startBlogs } from '../../support/blogs'
import { startServer } from '../../support/server'

// The most expensive requests that the default limits allow, with the milliseconds that `npm run expensive-requests` measured.
// Times are those of that run. The costs must be those of today: a change of them needs another run.

const [, ...lines] = readFileSync(join(__dirname, 'expensive-requests.txt'), 'utf8').trimEnd().split('\n')
const requests = lines.map((line): readonly [path: string, cost: number] => {
  const [, cost, path] = /^ *(\d+) +\d+ (.+)$/.exec(line) ?? []
  return [path ?? '', Number(cost)]
})

const api = setUp(() => startBlogs())
const counting = setUp(() => startServer({ dataSource: api.dataSource, resources: BLOGS, limits: { cost: 1 } }))

it('lists a hundred requests', () => {
  expect(requests).toHaveLength(100)
  expect(new Set(requests.map(([path]) => path)).size).toBe(100)
})

it.each(requests)('costs what the limit counts: %.60s', async (path, cost) => {
  const { body } = await counting.get(path)
  expect(body.errors).toMatchObject([{ code: 'query.cost', meta: { cost } }])
  expect(cost).toBeLessThanOrEqual(DEFAULT_REQUEST_LIMITS.cost ?? 0)
})
