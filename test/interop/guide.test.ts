import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setUp } from '../support/api'
import { FOR_SIMPLE_CLIENTS, startFamily } from './support/examples'

// Runs the examples of docs/guide/clients.md with Node.js, one after the other.

const BUILD = join(__dirname, 'build')
const PAGE = readFileSync(join(__dirname, '..', '..', 'docs/guide/clients.md'), 'utf8')

const examples = PAGE.split(/^## /m).flatMap((section) => {
  const [, code, output] = section.match(/^```js client\n(.*?)^```\n\n```text\n(.*?)^```$/ms) ?? []
  return code === undefined || output === undefined ? [] : [{ client: section.split('\n')[0] ?? '', code, output }]
})

const family = setUp(startFamily)
const other = setUp(() => startFamily(FOR_SIMPLE_CLIENTS))
let outputs: ReadonlyMap<string, string>
beforeAll(async () => {
  outputs = await run()
})

it('finds an example of each client', () => {
  expect(examples).toHaveLength(PAGE.match(/^```js client$/gm)?.length ?? 0)
  expect(examples.length).toBeGreaterThan(16)
})

it.each(examples)('$client', ({ client, output }) => expect(outputs.get(client)).toBe(output))

async function run(): Promise<ReadonlyMap<string, string>> {
  rmSync(BUILD, { recursive: true, force: true })
  mkdirSync(BUILD)
  const files = examples.map(({ code }, index) => {
    const file = join(BUILD, `${index}.mjs`)
    const ownServers = code.replaceAll('http://localhost:3000', family.url)
    writeFileSync(file, ownServers.replaceAll('http://localhost:3001', other.url))
    return file
  })
  const importOne = "await import(file).catch((error) => console.log(String(error))); console.log('=====')"
  const all = `for (const file of ${JSON.stringify(files)}) { ${importOne} }`
  const bundler = join(__dirname, 'support', 'import-for-bundlers.js')
  const options = ['--conditions=unpkg', '--require', bundler, '--input-type=module', '--eval', all]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  const parts = stdout.split('=====\n')
  return new Map(examples.map(({ client }, index) => [client, parts[index] ?? '']))
}
