import { runCommand } from '../../../../src/cli/run-command'

/** Runs a command of the program `stemma`: `await run('check', 'configuration.ts')`. */
export async function run(...words: readonly string[]) {
  const lines: string[] = []
  const status = await runCommand(words, (line) => void lines.push(line))
  return { status, lines }
}
