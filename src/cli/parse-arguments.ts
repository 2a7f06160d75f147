import { type ParseArgsConfig, parseArgs } from 'node:util'

type Expected = NonNullable<ParseArgsConfig['options']>

/** The arguments of a command, with its options by name. */
export interface ParsedArguments<Options extends Expected> {
  readonly names: readonly string[]
  readonly values: ReturnType<typeof parseArgs<{ options: Options }>>['values']
}

/** Parses the arguments, or returns an error message. */
export function parseArguments<const Options extends Expected>(
  words: readonly string[],
  options: Options,
): ParsedArguments<Options> | string {
  try {
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true })
    return { names: positionals, values }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
