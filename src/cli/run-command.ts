import { suggestName } from '../errors/nearest-name'
import { type Command, EXIT_OK, EXIT_USAGE } from './command'
import { writeProject } from './init'

const COMMANDS: Readonly<Record<string, { readonly usage: string; readonly does: string; readonly run: Command }>> = {
  init: {
    usage: 'stemma init [FOLDER] [--name NAME]',
    does: 'a project to begin with, in a folder that is new or empty; here where none is named',
    run: writeProject,
  },
  check: {
    usage: 'stemma check MODULE [--export NAME] [--strict] [--json]',
    does: 'what the configuration that a module exports would serve, and what is wrong with it; listens to nothing',
    // What it needs takes a while to load, and is not there where a project is yet to be made.
    run: (words, print) => (require('./check') as typeof import('./check')).checkModule(words, print),
  },
}

/** Runs the command of the first word. */
export const runCommand: Command = ([name = '', ...words], print) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return command.run(words, print)
  const isKnown = name === '' || name === '--help'
  if (!isKnown) print(`There is no command '${name}'.${suggestName(name, Object.keys(COMMANDS))}`)
  for (const { usage, does } of Object.values(COMMANDS)) print(`${usage}\n    ${does}`)
  return name === '--help' ? EXIT_OK : EXIT_USAGE
}
