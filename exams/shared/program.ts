import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { type Report, summarize } from './report'

// What the programs of this folder have in common: options, exit codes, the last line.

const EXIT_CODES = `
Exit codes:
  0  no differences
  1  differences
  2  invalid arguments, or too few cases`

/** Creates a program. Its errors are thrown, and end in `runProgram`. */
export function createProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText('after', EXIT_CODES)
}

/** Parses the value of an option. */
export function parseNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

/** Parses an option that can be given several times. */
export function parseOneOf<Name extends string>(names: readonly Name[]) {
  return (text: string, previous: readonly Name[] = []): readonly Name[] => {
    const found = names.find((name) => name === text)
    if (found === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`)
    return [...previous, found]
  }
}

export interface Judgement {
  readonly name: string
  readonly unit: string
  /** The minimum number of cases. */
  readonly count: number
  /** The run fails if one of these kinds of cases did not occur. */
  readonly requiredKinds: readonly string[]
}

/** Prints the result, and sets the exit code. */
export function judge(program: Command, report: Report, { name, unit, count, requiredKinds }: Judgement): void {
  console.log(summarize(name, report, unit))
  process.exitCode = report.differences.length === 0 ? 0 : 1
  if (process.exitCode === 1) return
  const missing = requiredKinds.filter((kind) => !report.kinds.has(kind))
  if (missing.length > 0)
    program.error(`These kinds of cases did not occur: ${missing.join('; ')}. Run more cases or faults.`)
  if (report.cases < count) program.error(`Only ${report.cases} of ${count} cases ran.`)
}

/** Runs a program, and sets the exit code if it fails. */
export async function runProgram(run: (args: readonly string[]) => Promise<void>): Promise<void> {
  process.env.TZ = 'UTC'
  try {
    await run(process.argv.slice(2))
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp) console.error(error instanceof CommanderError ? error.message : error)
    process.exitCode = isHelp ? 0 : error instanceof CommanderError ? 2 : 1
  }
}
