import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Runs a command with its arguments, and returns an exit code. */
export type CommandHandler = (args: readonly string[], print: (line: string) => void) => number | Promise<number>

export const EXIT_OK = 0
/** Issues were found, or the command failed. */
export const EXIT_FAILURE = 1
/** The arguments are invalid. */
export const EXIT_USAGE = 2

type Expected = NonNullable<ParseArgsConfig['options']>

/** The arguments of a command, with its options by name. */
interface ParsedArguments<Options extends Expected> {
  readonly names: readonly string[]
  readonly values: ReturnType<typeof parseArgs<{ options: Options }>>['values']
}

/** Parses the arguments, or returns an error message. */
export function parseArguments<const Options extends Expected>(
  args: readonly string[],
  options: Options,
): ParsedArguments<Options> | string {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { names: positionals, values }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
