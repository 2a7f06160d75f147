import 'reflect-metadata'
import { performance } from 'node:perf_hooks'
import supertest from 'supertest'
import { REQUESTS, type Request, startWithHiddenRows } from '../test/hostile/support/requests-for-row'

// `npm run timing`: measures whether response times differ between hidden and missing rows. `npm run timing -- 5000` sets the number of requests.
// Prints the median times and how often the first takes longer. About 50 % means that the times reveal nothing. The controls compare two missing
// rows, and a visible row with a missing one, where the times must differ.

const COUNT = Number(process.argv[2] ?? 2000)

const CHOSEN = [
  ...['GET /boats/1', 'GET /boats/1/harbour', 'PATCH /boats/1', 'PATCH of a link', 'POST that links'],
  ...['/boats?filter=any(id,$)'],
]

/** Returns the milliseconds of both requests, sent alternately in random order. */
async function compare(url: string, one: Request, other: Request): Promise<readonly [number[], number[]]> {
  const times: readonly [number[], number[]] = [[], []]
  for (let count = -COUNT / 10; count < COUNT; count += 1) {
    const first = Math.random() < 0.5 ? 0 : 1
    for (const place of [first, 1 - first] as const) {
      const { method, path, body, headers = {} } = place === 0 ? one : other
      const start = performance.now()
      const sending = new supertest.Test(url, method, path).set(headers)
      await (body === undefined || body === null ? sending : sending.type('application/vnd.api+json').send(body))
      if (count >= 0) times[place]?.push(performance.now() - start)
    }
  }
  return times
}

/** Mann-Whitney U test. `share`: how often a time of the first is longer, ties count half; `chance`: the p-value. */
function rank(one: readonly number[], other: readonly number[]): { readonly share: number; readonly chance: number } {
  const all = [...one.map((time) => ({ time, of: 0 })), ...other.map((time) => ({ time, of: 1 }))]
  all.sort((left, right) => left.time - right.time)
  const sum = all.reduce((total, { of }, place) => (of === 0 ? total + place + 1 : total), 0)
  const [n, m] = [one.length, other.length]
  const above = sum - (n * (n + 1)) / 2
  const deviations = Math.abs(above - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return { share: above / (n * m), chance: 2 * (1 - normal(deviations)) }
}

/** The normal distribution by Abramowitz and Stegun, 26.2.17. */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * x)
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

function median(times: readonly number[]): string {
  return (times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0).toFixed(3)
}

async function main(): Promise<void> {
  const api = await startWithHiddenRows()
  console.log(`${COUNT} requests of each; median milliseconds; how often the first takes longer; p-value`)
  const printComparison = async (name: string, one: Request, other: Request) => {
    const [first, second] = await compare(api.url, one, other)
    const { share, chance } = rank(first, second)
    console.log(
      [name.padEnd(44), median(first), median(second), `${(share * 100).toFixed(1)} %`, chance.toFixed(3)].join('  '),
    )
  }
  const at = (id: string): Request => ({ method: 'GET', path: `/boats/${id}` })
  await printComparison('control: two missing rows', at('5032'), at('5033'))
  await printComparison('control: visible and missing', at('1'), at('5032'))
  for (const [name, kind, build] of REQUESTS.filter(([each]) => CHOSEN.includes(each)))
    await printComparison(`hidden and missing: ${name}`, build(api.hidden[kind]), build(api.missing[kind]))
  await api.close()
}

void main()
