import { runCommand } from '../../../src/cli/run-command'

async function run(...words: readonly string[]) {
  const lines: string[] = []
  const status = await runCommand(words, (line) => void lines.push(line))
  return { status, lines }
}

it('prints all commands without arguments, and exits with 2', async () => {
  const { status, lines } = await run()
  expect(status).toBe(2)
  expect(lines.map((line) => line.split('\n')[0])).toEqual([
    'stemma init [FOLDER] [--name NAME]',
    'stemma check MODULE [--export NAME] [--strict] [--json]',
    'stemma openapi-diff OLDER.json NEWER.json',
  ])
})

it('prints all commands for --help, and exits with 0', async () => {
  const { lines } = await run()
  expect(await run('--help')).toEqual({ status: 0, lines })
})

it('suggests the nearest command for an unknown one', async () => {
  const { status, lines } = await run('opnapi-diff')
  expect(status).toBe(2)
  expect(lines[0]).toBe("There is no command 'opnapi-diff'. Did you mean 'openapi-diff'?")
})
