import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { declareCheckCliCommand } from './check'
import { type AskInTerminal, type CliCommandResultCallback, type DeclareCommand, EXIT_OK, EXIT_USAGE } from './command'
import { declareExplainCliCommand } from './explain'
import { declareInitCliCommand } from './init'
import { declareOpenApiCliCommand } from './openapi'
import { declareRoutesCliCommand } from './routes'

/** In the order of the help. */
const COMMANDS: readonly DeclareCommand[] = [
  declareInitCliCommand,
  declareCheckCliCommand,
  declareRoutesCliCommand,
  declareExplainCliCommand,
  declareOpenApiCliCommand,
]

const EXIT_CODES = `
Exit codes:
  0  success
  1  issues found, or the command failed
  2  invalid arguments, or a module that can't be used`

/** Where commands print. */
interface Terminal {
  writeOutput(text: string): void
  writeError(text: string): void
  /** Missing if the terminal is not interactive. */
  readonly ask?: AskInTerminal
}

/** Runs the command that the first argument names, and returns its exit code. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = EXIT_OK
  const program = createProgram(terminal)
  for (const declare of COMMANDS) {
    const end: CliCommandResultCallback = ({ output = [], errors = [], ...result }) => {
      exitCode = result.exitCode
      for (const line of output) terminal.writeOutput(`${line}\n`)
      for (const line of errors) terminal.writeError(`${line}\n`)
    }
    declare(program, end, terminal.ask)
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE
  }
}

/** The settings apply to all commands. */
function createProgram({ writeOutput, writeError }: Terminal): Command {
  return new Command('stemma')
    .description('Creates and checks JSON:API servers on TypeORM.')
    .version(readVersion())
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: writeOutput, writeErr: writeError })
    .showHelpAfterError('Run the command with --help for its arguments and examples.')
    .addHelpText('afterAll', EXIT_CODES)
}

/** The version of the package, whose folder is above `dist/cli`. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'))
  return version
}
