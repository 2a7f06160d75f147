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

it('finds nothing where as many are answered as can be, others are refused, and all is well again', () => {
  expect(judgeOverload(phases({}), RUN)).toEqual([])
})

it.each<[string, Readonly<Record<string, Happened>>]>([
  ['later: p99 is 600 ms, and 250 at most hold', { later: { took: 600 } }],
  ['later: 7 were refused', { later: { refused: 7 } }],
  ['later: nobody was answered', { later: { answered: 0 } }],
  ['crowded: 25 a second were answered in time, of 100 that hold', { crowded: { inTime: 250 } }],
  ['before: p99 is 300 ms, and 250 at most hold', { before: { took: 300 } }],
  ['before: 1 were refused', { before: { refused: 1 } }],
  ['nobody was refused', { crowded: { refused: 0 }, after: { refused: 0 } }],
  ['3 had no answer in time', { crowded: { givenUp: 3 } }],
])('finds that %s', (found, happened) => {
  expect(judgeOverload(phases(happened), RUN)).toEqual([found])
})

it('looks at no clock in a run that is short', () => {
  const slow = phases({ before: { took: 400 }, crowded: { inTime: 0 }, later: { took: 6000, refused: 3 } })
  expect(judgeOverload(slow, { ...RUN, seconds: 5 })).toEqual([])
  expect(judgeOverload(phases({ crowded: { givenUp: 1 } }), { ...RUN, seconds: 5 })).toHaveLength(1)
})

it('finds who was refused where nobody should be', () => {
  expect(judgeOverload(phases({}), { ...RUN, overload: false })).toEqual([
    '2120 were refused, though nobody should have been',
  ])
  const slow = { crowded: { refused: 0 }, after: { refused: 0 }, later: { took: 6000 } }
  expect(judgeOverload(phases(slow), { ...RUN, overload: false })).toEqual([])
})
