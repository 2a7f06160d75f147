import { didYouMean } from '../errors/nearest-name'
import { type CommandHandler, EXIT_OK, EXIT_USAGE } from './command'
import { writeProject } from './init'

const COMMANDS: Readonly<
  Record<string, { readonly usage: string; readonly does: string; readonly run: CommandHandler }>
> = {
  init: {
    usage: 'stemma init [FOLDER] [--name NAME]',
    does: 'writes a project into a new or empty folder; default: the current folder',
    run: writeProject,
  },
  check: {
    usage: 'stemma check MODULE [--export NAME] [--strict] [--json]',
    does: 'prints what the exported configuration serves, and its issues; starts no server',
    // Loaded on demand: it takes a while, and its dependencies may not be installed before `init` has run.
    run: (args, print) => (require('./check') as typeof import('./check')).checkModule(args, print),
  },
}

/** Runs the command that the first argument names. */
export const runCommand: CommandHandler = ([name = '', ...args], print) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return command.run(args, print)
  const isKnown = name === '' || name === '--help'
  if (!isKnown) print(`There is no command '${name}'.${didYouMean(name, Object.keys(COMMANDS))}`)
  for (const { usage, does } of Object.values(COMMANDS)) print(`${usage}\n    ${does}`)
  return name === '--help' ? EXIT_OK : EXIT_USAGE
}
