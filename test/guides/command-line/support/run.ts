import { runCli } from '../../../../src/cli/run-cli'

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
