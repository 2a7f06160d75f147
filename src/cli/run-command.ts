import { compareFiles } from './openapi-diff'
import { MISUSED } from './status'

/** What a command makes of the words behind its name: a status for the shell. */
export type Command = (words: readonly string[], print: (line: string) => void) => number

const COMMANDS: Readonly<Record<string, { readonly usage: string; readonly does: string; readonly run: Command }>> = {
  'openapi-diff': {
    usage: 'stemma openapi-diff OLDER.json NEWER.json',
    does: 'what differs between two OpenAPI documents; 1 where that breaks clients',
    run: compareFiles,
  },
}

/** Runs the command of the first word. */
export const runCommand: Command = ([name = '', ...words], print) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return command.run(words, print)
  if (name !== '' && name !== '--help') print(`There is no command '${name}'.`)
  for (const { usage, does } of Object.values(COMMANDS)) print(`${usage}\n    ${does}`)
  return name === '--help' ? 0 : MISUSED
}
