import { parseArgs } from 'node:util'
import { runOracle } from './oracle/run'
import { DATABASES, type DatabaseName, LAYOUTS, type Layout } from './shared/databases'
import { type Report, summarize } from './shared/report'
import { runStorm } from './storm/run'
import { runClusterStorm } from './storm/run-cluster'
import { runWorlds } from './worlds/run'

// `npm run exam -- oracle --count 500 --seed 7 --database sqlite --layout joined`. README.md has the rest.
// Exit codes: 0 no difference, 1 differences, 2 invalid arguments or too few cases.

interface Arguments {
  readonly count: number
  readonly seed: number
  readonly print: (text: string) => void
  readonly databases: readonly DatabaseName[] | undefined
  readonly layouts: readonly Layout[] | undefined
  readonly caseNumber: number | undefined
  readonly kills: number
}

interface Exam {
  readonly unit: string
  readonly count: number
  /** The default of `--kills`. */
  readonly kills?: number
  /** The run fails if one of these kinds of cases did not occur. */
  readonly requiredKinds: readonly string[]
  run(args: Arguments): Promise<Report>
}

const EXAMS: Readonly<Record<string, Exam>> = {
  worlds: {
    unit: 'pairs',
    count: 200_000,
    requiredKinds: [
      'read 2xx',
      'conditional read 3xx',
      'next page',
      'create 2xx',
      'update 2xx',
      'relationship 2xx',
      'operations 2xx',
      'operations that fail 4xx',
    ],
    run: ({ count, seed, print, caseNumber, databases = DATABASES, layouts = LAYOUTS }) =>
      runWorlds({ count, seed, print, caseNumber, databases, layouts }),
  },
  storm: {
    unit: 'writes',
    count: 100_000,
    kills: 200,
    requiredKinds: [
      'kills of one process',
      'kills of all processes',
      'without a response, not executed',
      'repeated without a response',
      'repeated after a response',
      'transfers 200',
    ],
    run: ({ count, kills, seed, print, databases = DATABASES }) => runStorm({ count, kills, seed, print, databases }),
  },
  galera: {
    unit: 'writes',
    count: 50_000,
    kills: 60,
    requiredKinds: [
      'kills of a process',
      'kills of a node',
      'nodes that joined again',
      'without a response, not executed',
      'repeated without a response',
      'repeated after a response',
      'transfers 200',
    ],
    run: ({ count, kills, seed, print }) => runClusterStorm({ count, kills, seed, print }),
  },
  oracle: {
    unit: 'queries',
    count: 50_000,
    requiredKinds: ['lists', 'empty lists', 'single', 'lists paginated by cursor'],
    run: ({ count, seed, print, caseNumber, databases = DATABASES, layouts = LAYOUTS }) =>
      runOracle({ count, seed, print, caseNumber, databases, layouts }),
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
      kills: { type: 'string', default: process.env.EXAM_KILLS },
    },
  })
  const [name = ''] = positionals
  const exam = EXAMS[name]
  if (exam === undefined) throw new RangeError(`Expected one of ${Object.keys(EXAMS).join(', ')}, found '${name}'.`)
  const countText = values.count ?? process.env.EXAM_COUNT
  const count = countText === undefined ? exam.count : readNumber(countText)
  const caseNumber = values.case === undefined ? undefined : readNumber(values.case)
  const report = await exam.run({
    count,
    seed: readNumber(values.seed),
    print: console.log,
    kills: values.kills === undefined ? (exam.kills ?? 0) : readNumber(values.kills),
    caseNumber,
    databases: values.database?.map((each) => oneOf(DATABASES, each)),
    layouts: values.layout?.map((each) => oneOf(LAYOUTS, each)),
  })
  console.log(summarize(name, report, exam.unit))
  process.exitCode = report.differences.length === 0 ? 0 : 1
  if (caseNumber !== undefined) return
  const missing = exam.requiredKinds.filter((kind) => !report.kinds.has(kind))
  if (missing.length > 0)
    throw new RangeError(`These kinds of cases did not occur: ${missing.join('; ')}. Increase --count.`)
  if (report.differences.length === 0 && report.cases < count)
    throw new Error(`Only ${report.cases} of ${count} cases ran.`)
}

function readNumber(text: string): number {
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
