import 'reflect-metadata'
import { performance } from 'node:perf_hooks'
import supertest from 'supertest'
import { ASKED, type Request, startHidden } from './asking-for'

// Whether a clock tells a hidden row from one that never was: `npm run timing`, or `npm run timing -- 5000` for so many requests of each. It
// prints how long each takes, and how often the one takes longer than the other: half of the time means that a clock tells nothing. As control
// two rows that never were are compared, and a row that is seen with one that never was, which a clock tells at once.

const COUNT = Number(process.argv[2] ?? 2000)

const CHOSEN = [
  ...['GET /boats/1', 'GET /boats/1/harbour', 'PATCH /boats/1', 'PATCH of a link', 'POST that links'],
  ...['/boats?filter=any(id,$)'],
]

/** Milliseconds of requests of both kinds, by turns, in an order that chance makes. */
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

/** How often a time of the first is longer than one of the second, ties counted as halves; with the chance that it is so by chance. */
function rank(one: readonly number[], other: readonly number[]): { readonly share: number; readonly chance: number } {
  const all = [...one.map((time) => ({ time, of: 0 })), ...other.map((time) => ({ time, of: 1 }))]
  all.sort((left, right) => left.time - right.time)
  const sum = all.reduce((total, { of }, place) => (of === 0 ? total + place + 1 : total), 0)
  const [n, m] = [one.length, other.length]
  const above = sum - (n * (n + 1)) / 2
  const deviations = Math.abs(above - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return { share: above / (n * m), chance: 2 * (1 - normal(deviations)) }
}

/** Of Abramowitz and Stegun, 26.2.17. */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * x)
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

function median(times: readonly number[]): string {
  return (times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0).toFixed(3)
}

async function main(): Promise<void> {
  const api = await startHidden()
  console.log(
    `${COUNT} requests of each; milliseconds in the middle; how often the first takes longer; the chance of that by chance`,
  )
  const tell = async (name: string, one: Request, other: Request) => {
    const [first, second] = await compare(api.url, one, other)
    const { share, chance } = rank(first, second)
    console.log(
      [name.padEnd(44), median(first), median(second), `${(share * 100).toFixed(1)} %`, chance.toFixed(3)].join('  '),
    )
  }
  const at = (id: string): Request => ({ method: 'GET', path: `/boats/${id}` })
  await tell('control: never and never', at('5032'), at('5033'))
  await tell('control: seen and never', at('1'), at('5032'))
  for (const [name, kind, ask] of ASKED.filter(([each]) => CHOSEN.includes(each)))
    await tell(`hidden and never: ${name}`, ask(api.hidden[kind]), ask(api.never[kind]))
  await api.close()
}

void main()
