import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModuleItem, parseSync } from '@swc/core'
import * as stemma from 'stemma'
import * as client from 'stemma/client'
import * as sqlite3 from 'stemma/sqlite3'
import * as testing from 'stemma/testing'

const SRC = join(__dirname, '..', '..', 'src')

/** A change of this snapshot is a change for users. Explain it in the commit and in CHANGELOG.md. */
describe.each([
  ['stemma', 'index.ts', stemma],
  ['stemma/client', 'client.ts', client],
  ['stemma/sqlite3', 'sqlite3.ts', sqlite3],
  ['stemma/testing', 'testing.ts', testing],
])('the public surface of %s', (_name, entryPoint, exported) => {
  const items = parseSync(readFileSync(join(SRC, entryPoint), 'utf8'), { syntax: 'typescript' }).body
  const names = items.flatMap(exportsOf)

  it('exports the values of the snapshot', () => expect(Object.keys(exported).sort()).toMatchSnapshot())

  it('exports the types of the snapshot', () => {
    expect(names.flatMap(({ isType, name }) => (isType ? [name] : [])).sort()).toMatchSnapshot()
  })

  it('is named re-exports and nothing else', () => {
    expect(items.filter((item) => item.type !== 'ExportNamedDeclaration' || !item.source)).toEqual([])
  })

  // Editors show docstrings, and the site is made of them.
  it('has a docstring for each export', () => {
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter(({ original, file }) => !hasDocstring(original, file))).toEqual([])
  })
})

function exportsOf(item: ModuleItem) {
  if (item.type !== 'ExportNamedDeclaration') return []
  return item.specifiers.flatMap((specifier) => {
    if (specifier.type !== 'ExportSpecifier') return []
    const { orig, exported, isTypeOnly } = specifier
    const name = (exported ?? orig).value
    return [{ name, original: orig.value, isType: item.typeOnly || isTypeOnly, file: `${item.source?.value}.ts` }]
  })
}

/** The docstring is right above the declaration, or above its decorators. */
function hasDocstring(name: string, file: string): boolean {
  const declared = `export (?:declare |abstract |async )*(?:function|class|const|interface|type) ${name}\\b`
  return new RegExp(`\\*/\\n(?:@.*\\n)*${declared}`).test(readFileSync(join(SRC, file), 'utf8'))
}
