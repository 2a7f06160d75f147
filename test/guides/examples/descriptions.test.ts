import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createJsonApi, type OpenApiDocument } from 'stemma'
import { configuration as blogs } from '../../../examples/blogs/configuration'
import { configuration as humans } from '../../../examples/humans/configuration'

/**
 * The OpenAPI documents of the examples, without HEAD, OPTIONS and the list of errors. A changed document is a change for clients.
 * `UPDATE_DESCRIPTIONS=1 npx jest test/guides/examples/descriptions` writes the files.
 */
const FOLDER = join(__dirname, 'descriptions')

it.each([
  ['humans', humans],
  ['blogs', blogs],
])('the OpenAPI document of %s has not changed', async (name, configure) => {
  const { dataSource, ...parts } = configure()
  await dataSource.initialize()
  const description = createJsonApi({ dataSource, ...parts, startupLog: false }).openApi()
  await dataSource.destroy()
  const file = join(FOLDER, `${name}.json`)
  if (process.env.UPDATE_DESCRIPTIONS === '1') writeFileSync(file, print(description))
  expect(print(description).split('\n')).toEqual(readFileSync(file, 'utf8').split('\n'))
})

/** Prints one operation, schema or parameter per line. */
function print({ paths, components, ...head }: OpenApiDocument): string {
  const { responses: _errors, ...others } = components
  const parts = [
    ...Object.entries(head).map(([name, value]) => member(name, JSON.stringify(value))),
    member(
      'paths',
      list(paths, (item) => list(withoutFollowing(item as object))),
    ),
    member(
      'components',
      list(others, (section) => list(section as object)),
    ),
  ]
  return `{\n${parts.join(',\n')}\n}\n`
}

function list(values: object, show: (value: unknown) => string = JSON.stringify): string {
  return `{\n${Object.entries(values)
    .map(([name, value]) => member(name, show(value)))
    .join(',\n')}\n}`
}

function member(name: string, text: string): string {
  return `${JSON.stringify(name)}: ${text}`
}

function withoutFollowing(item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'head' && name !== 'options'))
}
