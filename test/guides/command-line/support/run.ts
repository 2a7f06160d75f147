import { join } from 'node:path'
import { runCli } from '../../../../src/cli/run-cli'

export const ROOT = join(__dirname, '..', '..', '..', '..')
export const modulePath = (name: string) => join(ROOT, 'test/guides/command-line/modules', name)
export const [TEA, PARCELS] = [modulePath('tea.ts'), modulePath('parcels.ts')]

/** Runs a command of the program `stemma`: `await run('check', 'configuration.ts')`. `lines` are those of both outputs. */
export async function run(...words: readonly string[]) {
  const outputs: string[] = []
  const errors: string[] = []
  const status = await runCli(words, {
    writeOutput: (text) => void outputs.push(text),
    writeError: (text) => void errors.push(text),
  })
  const lines = [...outputs, ...errors].join('').trimEnd().split('\n')
  return { status, output: outputs.join(''), errors: errors.join(''), lines }
}
