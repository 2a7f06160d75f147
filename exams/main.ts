import { Argument, Option } from 'commander'
import { runOracle } from './oracle/run'
import { DATABASES, type DatabaseName, LAYOUTS, type Layout } from './shared/databases'
import { createProgram, judge, parseNumber, parseOneOf, runProgram } from './shared/program'
import type { Report, RunOptions } from './shared/report'
import { runWorlds } from './worlds/run'

// `npm run exam -- oracle --count 500 --seed 7 --database sqlite --layout joined`. README.md has the rest.

interface Options {
  readonly count?: number
  readonly seed: number
  readonly database?: readonly DatabaseName[]
  readonly layout?: readonly Layout[]
  readonly case?: number
}

interface Exam {
  readonly unit: string
  readonly count: number
  readonly requiredKinds: readonly string[]
  run(options: RunOptions): Promise<Report>
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
    run: runWorlds,
  },
  oracle: {
    unit: 'queries',
    count: 50_000,
    requiredKinds: ['lists', 'empty lists', 'single', 'lists paginated by cursor'],
    run: runOracle,
  },
}

runProgram(async (args) => {
  const program = createProgram('exam', 'Tests the library from outside, and judges by its own code.')
    .addArgument(new Argument('<exam>').choices(Object.keys(EXAMS)))
    .addOption(new Option('--count <n>', 'cases (default: the full exam)').env('EXAM_COUNT').argParser(parseNumber))
    .addOption(new Option('--seed <n>', 'determines the cases').env('EXAM_SEED').argParser(parseNumber).default(1))
    .option('--database <name>', `${DATABASES.join(', ')}; repeatable (default: all)`, parseOneOf(DATABASES))
    .option('--layout <name>', `${LAYOUTS.join(', ')}; repeatable (default: all)`, parseOneOf(LAYOUTS))
    .option('--case <n>', 'runs only this case', parseNumber)
    .parse(args, { from: 'user' })
  const [name = ''] = program.args
  const { run, unit, requiredKinds, ...exam } = EXAMS[name] as Exam
  const { count = exam.count, seed, database, layout, case: caseNumber } = program.opts<Options>()
  const report = await run({
    count,
    seed,
    print: console.log,
    caseNumber,
    databases: database ?? DATABASES,
    layouts: layout ?? LAYOUTS,
  })
  const isWhole = caseNumber === undefined
  judge(program, report, { name, unit, count: isWhole ? count : 0, requiredKinds: isWhole ? requiredKinds : [] })
})
