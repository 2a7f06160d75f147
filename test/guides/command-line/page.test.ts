import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../../package.json'
import { ROOT, run } from './support/run'

/** In this project, so that Node.js finds its packages. */
const PROJECT = join(ROOT, 'build', `page-${process.pid}`)
const page = readFileSync(join(ROOT, 'docs', 'guide', 'command-line.md'), 'utf8')

/** The commands of the page, each with its output. A line `…` stands for any number of lines. */
const shown = [...page.matchAll(/^```sh\nnpx stemma ([^\n]*)\n```\n+```text\n(.*?)^```$/gms)].map(
  ([, command = '', output = '']) => ({ command, output }),
)

const PROGRAM = ['--require', join(ROOT, 'test/support/run-typescript.js'), join(ROOT, 'src/cli/main.ts')]

/** Starts the program as `npx stemma` does. */
function start(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...PROGRAM, ...words], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

beforeAll(() => run('init', PROJECT, '--no-install'))
afterAll(() => rmSync(PROJECT, { recursive: true }))
const help = start('--help')

it('shows the help of the program', () => {
  expect(help).toEqual({ status: 0, stdout: shown.find(({ command }) => command === '--help')?.output, stderr: '' })
})

it('ends without an error if nothing reads its output', () => {
  const words = ['-o', 'pipefail', '-c', '"$@" | true', '', process.execPath, ...PROGRAM, '--help']
  expect(spawnSync('bash', words, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})

it.each(shown.filter(({ command }) => command !== '--help'))(
  'shows the output of $command',
  async ({ command, output }) => {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word)
    const printed = await run(
      ...words.map((word) => word.replace('dist/src', join(PROJECT, 'src')).replace('.js', '.ts')),
    )
    const [start = '', end] = output.split('…\n')
    const found =
      end === undefined
        ? printed.output
        : `${printed.output.slice(0, start.length)}…\n${printed.output.slice(-end.length)}`
    expect([printed.status, found]).toEqual([0, output])
  },
)

it('shows each command', () => {
  expect(shown.map(({ command }) => command.split(' ')[0])).toEqual(['--help', 'check', 'routes', 'explain'])
})

it('exits with 2 for an unknown command, and writes the nearest one to standard error', () => {
  const { status, stdout, stderr } = start('chek')
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^error: unknown command 'chek'\n\(Did you mean check\?\)\n/),
  ])
})

it('prints the help to standard error without arguments, and exits with 2', async () => {
  expect(await run()).toMatchObject({ status: 2, output: '', errors: expect.stringMatching(/^Usage: stemma/) })
})

it('prints the version', async () => {
  expect(await run('--version')).toMatchObject({ status: 0, output: `${version}\n`, errors: '' })
})

it.each(['init', 'check', 'routes', 'explain', 'openapi'])(
  '%s --help has the options, an example and the exit codes',
  async (name) => {
    const { status, output } = await run(name, '--help')
    const expected = `Usage: stemma ${name} .*Options:.*Examples:\n  stemma ${name} .*Exit codes:`.replaceAll(
      '.*',
      '[^]*',
    )
    expect([status, output]).toEqual([0, expect.stringMatching(expected)])
    expect(help.stdout).toContain(`\n  ${name} `)
  },
)
