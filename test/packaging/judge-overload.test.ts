import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

const { judgeOverload } = require('../../scripts/soak/judge-overload') as {
  judgeOverload(phases: readonly Phase[], run: Run): readonly string[]
}

// `npm run soak -- --overload` must not be content with a server that drowns, or stays under.

interface Phase {
  readonly name: string
  readonly seconds: number
  readonly times: RecordableHistogram
  readonly refusals: RecordableHistogram
  readonly inTime: number
  readonly givenUp: number
}

interface Run {
  readonly overload: boolean
  readonly rate: number
  readonly seconds: number
}

const RUN: Run = { overload: true, rate: 100, seconds: 10 }

/** Milliseconds that each of them took. */
interface Happened {
  readonly took?: number
  readonly answered?: number
  readonly refused?: number
  readonly inTime?: number
  readonly givenUp?: number
}

function phase(
  name: string,
  { took = 5, answered = 100, refused = 0, inTime = answered, givenUp = 0 }: Happened,
): Phase {
  const times = createHistogram()
  const refusals = createHistogram()
  for (let each = 0; each < answered; each += 1) times.record(took * 1000)
  for (let each = 0; each < refused; each += 1) refusals.record(1000)
  return { name, seconds: 10, times, refusals, inTime, givenUp }
}

/** One that is as it should be, but for what is said. */
function phases({ before = {}, crowded = {}, after = {}, later = {} }: Readonly<Record<string, Happened>>): Phase[] {
  return [
    phase('before', before),
    phase('crowded', { took: 600, answered: 900, refused: 2100, ...crowded }),
    phase('after', { took: 400, refused: 20, ...after }),
    phase('later', later),
  ]
}

it('accepts sustained throughput, rejected requests, and a recovery', () => {
  expect(judgeOverload(phases({}), RUN)).toEqual([])
})

it.each<[string, Readonly<Record<string, Happened>>]>([
  ['later: p99 is 600 ms, at most 250 are allowed', { later: { took: 600 } }],
  ['later: 7 requests were rejected', { later: { refused: 7 } }],
  ['later: no request succeeded', { later: { answered: 0 } }],
  ['crowded: 25 timely responses per second, the sustained rate is 100', { crowded: { inTime: 250 } }],
  ['before: p99 is 300 ms, at most 250 are allowed', { before: { took: 300 } }],
  ['before: 1 requests were rejected', { before: { refused: 1 } }],
  ['no request was rejected', { crowded: { refused: 0 }, after: { refused: 0 } }],
  ['3 requests timed out', { crowded: { givenUp: 3 } }],
])('reports: %s', (found, happened) => {
  expect(judgeOverload(phases(happened), RUN)).toEqual([found])
})

it('does not judge times in a short run', () => {
  const slow = phases({ before: { took: 400 }, crowded: { inTime: 0 }, later: { took: 6000, refused: 3 } })
  expect(judgeOverload(slow, { ...RUN, seconds: 5 })).toEqual([])
  expect(judgeOverload(phases({ crowded: { givenUp: 1 } }), { ...RUN, seconds: 5 })).toHaveLength(1)
})

it('reports rejected requests without load shedding', () => {
  expect(judgeOverload(phases({}), { ...RUN, overload: false })).toEqual([
    '2120 requests were rejected without load shedding',
  ])
  const slow = { crowded: { refused: 0 }, after: { refused: 0 }, later: { took: 6000 } }
  expect(judgeOverload(phases(slow), { ...RUN, overload: false })).toEqual([])
})
