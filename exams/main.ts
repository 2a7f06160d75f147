import { parseArgs } from 'node:util'
import { runOracle } from './oracle/run'
import { DATABASES, type DatabaseName, LAYOUTS, type Layout } from './shared/databases'
import { conclude, type Report } from './shared/report'
import { runStorm } from './storm/run'
import { runWorlds } from './worlds/run'

// `npm run exam -- oracle --count 500 --seed 7 --database sqlite --layout joined`. README.md has the rest.
// Exit codes: 0 no difference, 1 differences, 2 invalid arguments.

interface Words {
  readonly count: number | undefined
  readonly seed: number
  readonly databases: readonly DatabaseName[] | undefined
  readonly layouts: readonly Layout[] | undefined
  readonly only: number | undefined
  readonly kills: number
}

interface Exam {
  readonly unit: string
  run(words: Words): Promise<Report>
}

const EXAMS: Readonly<Record<string, Exam>> = {
  worlds: {
    unit: 'pairs',
    run: ({ count = 200_000, seed, only, databases = DATABASES, layouts = LAYOUTS }) =>
      runWorlds({ count, seed, only, databases, layouts }),
  },
  storm: {
    unit: 'writes',
    run: ({ count = 100_000, kills, seed, databases = DATABASES }) => runStorm({ count, kills, seed, databases }),
  },
  oracle: {
    unit: 'queries',
    run: ({ count = 50_000, seed, only, databases = DATABASES, layouts = LAYOUTS }) =>
      runOracle({ count, seed, only, databases, layouts }),
  },
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string' },
      seed: { type: 'string', default: process.env.EXAM_SEED ?? '1' },
      database: { type: 'string', multiple: true },
      layout: { type: 'string', multiple: true },
      case: { type: 'string' },
      kills: { type: 'string', default: process.env.EXAM_KILLS ?? '200' },
    },
  })
  const [name = ''] = positionals
  const exam = EXAMS[name]
  if (exam === undefined) throw new RangeError(`Expected one of ${Object.keys(EXAMS).join(', ')}, found '${name}'.`)
  const given = values.count ?? process.env.EXAM_COUNT
  const report = await exam.run({
    count: given === undefined ? undefined : numberIn(given),
    seed: numberIn(values.seed),
    kills: numberIn(values.kills),
    only: values.case === undefined ? undefined : numberIn(values.case),
    databases: values.database?.map((each) => oneOf(DATABASES, each)),
    layouts: values.layout?.map((each) => oneOf(LAYOUTS, each)),
  })
  console.log(conclude(name, report, exam.unit))
  process.exitCode = report.differences.length === 0 ? 0 : 1
}

function numberIn(text: string): number {
  if (!/^\d+$/.test(text)) throw new RangeError(`Expected a whole number, found '${text}'.`)
  return Number(text)
}

function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text)
  if (found === undefined) throw new RangeError(`Expected one of ${names.join(', ')}, found '${text}'.`)
  return found
}

process.env.TZ = 'UTC'
main().catch((error) => {
  console.error(error instanceof RangeError ? error.message : error)
  process.exitCode = error instanceof RangeError ? 2 : 1
})
