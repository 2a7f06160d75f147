import type { Command } from 'commander'

export const EXIT_OK = 0
/** Issues were found, or the command failed. */
export const EXIT_FAILURE = 1
/** The arguments are invalid, or the module can't be used. */
export const EXIT_USAGE = 2

/** What a command prints, and its exit code. */
export interface CliCommandResult {
  readonly exitCode: number
  /** Lines for standard output. */
  readonly output?: readonly string[]
  /** Lines for standard error. */
  readonly errors?: readonly string[]
}

/** Prints the result of a command, or of a part of it. The last one has the exit code. */
export type CliCommandResultCallback = (result: CliCommandResult) => void

/** Prints a question, and returns the answer. */
export type AskInTerminal = (question: string) => Promise<string>

/** Declares a command of the program, with its options and its help. `ask` is missing if the terminal is not interactive. */
export type DeclareCommand = (program: Command, end: CliCommandResultCallback, ask?: AskInTerminal) => void

/** The options of all commands that load a module. */
export interface ModuleCommandOptions {
  readonly export?: string
}

/** Adds a command whose argument is the module to load. */
export function addCommandWithModuleArgument(program: Command, name: string): Command {
  return program
    .command(name)
    .argument('<module>', 'the JavaScript file that exports the options of createJsonApi, or the API')
    .option('--export <name>', "the export to use (default: 'configuration', 'api' or the default export)")
}

/** Adds examples to the help of a command. */
export function addHelpExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'))
}
