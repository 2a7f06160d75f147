import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from '@swc/core'
import { ROOT } from './snippets'

interface Export {
  readonly name: string
  /** Where it is declared, from the root of the project. */
  readonly file: string
}

describe.each(['index', 'client', 'testing', 'sqlite3'])('src/%s.ts', (entryPoint) => {
  const exported = exportsOf(join('src', `${entryPoint}.ts`))

  it('has exports', () => {
    expect(exported.length).toBeGreaterThan(1)
  })

  it('has a docstring for each of them', () => {
    expect(exported.filter((each) => !hasDocstring(each))).toEqual([])
  })
})

function exportsOf(path: string): readonly Export[] {
  return parse(path).body.flatMap((item) => {
    if (item.type !== 'ExportNamedDeclaration' || item.source === undefined) return []
    const file = join(dirname(path), `${item.source?.value}.ts`)
    return item.specifiers.flatMap((each) => (each.type === 'ExportSpecifier' ? [{ name: each.orig.value, file }] : []))
  })
}

function parse(path: string) {
  return parseSync(readFileSync(join(ROOT, path), 'utf8'), { syntax: 'typescript', decorators: true })
}

/** Right above the declaration, or above its decorators. */
function hasDocstring({ name, file }: Export): boolean {
  const declared = `export (?:declare |abstract |async )*(?:function|class|const|interface|type) ${name}\\b`
  return new RegExp(`\\*/\\n(?:@.*\\n)*${declared}`).test(readFileSync(join(ROOT, file), 'utf8'))
}
