import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModuleItem, parseSync } from '@swc/core'
import * as stemma from 'stemma'
import * as client from 'stemma/client'
import * as sqlite3 from 'stemma/sqlite3'
import * as testing from 'stemma/testing'

/** A change of this snapshot is a change for users. Explain it in the commit and in CHANGELOG.md. */
describe.each([
  ['stemma', 'index.ts', stemma],
  ['stemma/client', 'client.ts', client],
  ['stemma/sqlite3', 'sqlite3.ts', sqlite3],
  ['stemma/testing', 'testing.ts', testing],
])('the public surface of %s', (_name, file, exported) => {
  const source = readFileSync(join(__dirname, '..', '..', 'src', file), 'utf8')
  const items = parseSync(source, { syntax: 'typescript' }).body

  it('has these values', () => {
    expect(Object.keys(exported).sort()).toMatchSnapshot()
  })

  it('has these types', () => {
    expect(items.flatMap(typeNames).sort()).toMatchSnapshot()
  })

  it('is named re-exports and nothing else', () => {
    expect(items.filter((item) => item.type !== 'ExportNamedDeclaration' || !item.source)).toEqual([])
  })
})

function typeNames(item: ModuleItem): string[] {
  if (item.type !== 'ExportNamedDeclaration') return []
  return item.specifiers.flatMap((specifier) => {
    const isType = item.typeOnly || (specifier.type === 'ExportSpecifier' && specifier.isTypeOnly)
    return isType && specifier.type === 'ExportSpecifier' ? [(specifier.exported ?? specifier.orig).value] : []
  })
}
