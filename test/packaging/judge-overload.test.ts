import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

const { judgeOverload } = require('../../scripts/soak/judge-overload') as {
  judgeOverload(phases: readonly Phase[], run: Run): readonly string[]
}

// `npm run soak -- --overload` must fail if a server breaks down under overload or does not recover.

interface Phase {
  readonly name: string
  readonly seconds: number
  readonly times: RecordableHistogram
  readonly rejections: RecordableHistogram
  readonly inTime: number
  readonly timedOut: number
}

type Run = Readonly<{ loadShedding: boolean; rate: number; seconds: number }>

const RUN: Run = { loadShedding: true, rate: 100, seconds: 10 }

/** `took`: milliseconds of each request. */
type PhaseCounts = Partial<Readonly<Record<'took' | 'succeeded' | 'rejected' | 'inTime' | 'timedOut', number>>>
type Changes = Readonly<Record<string, PhaseCounts>>

function phase(
  name: string,
  { took = 5, succeeded = 100, rejected = 0, inTime = succeeded, timedOut = 0 }: PhaseCounts,
): Phase {
  const times = createHistogram()
  const rejections = createHistogram()
  for (let each = 0; each < succeeded; each += 1) times.record(took * 1000)
  for (let each = 0; each < rejected; each += 1) rejections.record(1000)
  return { name, seconds: 10, times, rejections, inTime, timedOut }
}

/** A good run, except for the given changes. */
function phases({ before = {}, overloaded = {}, after = {}, later = {} }: Changes): Phase[] {
  return [
    phase('before', before),
    phase('overloaded', { took: 600, succeeded: 900, rejected: 2100, ...overloaded }),
    phase('after', { took: 400, rejected: 20, ...after }),
    phase('later', later),
  ]
}

it('accepts sustained throughput, rejected requests, and a recovery', () => {
  expect(judgeOverload(phases({}), RUN)).toEqual([])
})

it.each<[string, Changes]>([
  ['later: p99 is 600 ms, at most 250 are allowed', { later: { took: 600 } }],
  ['later: 7 requests were rejected', { later: { rejected: 7 } }],
  ['later: no request succeeded', { later: { succeeded: 0 } }],
  ['overloaded: 25 timely responses per second, the sustained rate is 100', { overloaded: { inTime: 250 } }],
  ['before: p99 is 300 ms, at most 250 are allowed', { before: { took: 300 } }],
  ['before: 1 requests were rejected', { before: { rejected: 1 } }],
  ['no request was rejected', { overloaded: { rejected: 0 }, after: { rejected: 0 } }],
  ['3 requests timed out', { overloaded: { timedOut: 3 } }],
])('reports: %s', (problem, changes) => expect(judgeOverload(phases(changes), RUN)).toEqual([problem]))

it('does not judge times in a short run', () => {
  const slow = phases({ before: { took: 400 }, overloaded: { inTime: 0 }, later: { took: 6000, rejected: 3 } })
  expect(judgeOverload(slow, { ...RUN, seconds: 5 })).toEqual([])
  expect(judgeOverload(phases({ overloaded: { timedOut: 1 } }), { ...RUN, seconds: 5 })).toHaveLength(1)
})

it('reports rejected requests without load shedding', () => {
  expect(judgeOverload(phases({}), { ...RUN, loadShedding: false })).toEqual([
    '2120 requests were rejected without load shedding',
  ])
  const slow = { overloaded: { rejected: 0 }, after: { rejected: 0 }, later: { took: 6000 } }
  expect(judgeOverload(phases(slow), { ...RUN, loadShedding: false })).toEqual([])
})
