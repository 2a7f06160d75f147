import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const { RUNS_ON, runsOn, testFiles } = require('../../scripts/runs-on') as {
  readonly RUNS_ON: readonly { readonly files: RegExp; readonly on: readonly string[]; readonly why: string }[]
  runsOn(file: string, name: string): boolean
  testFiles(): readonly string[]
}
const { DATABASES } = require('../../scripts/databases') as { readonly DATABASES: object }

// A file that runs on SQLite alone must not be about what is different elsewhere.

const ROOT = join(__dirname, '..', '..')
const files = testFiles()
const names = Object.keys(DATABASES)

it('sees the files, and most of them run everywhere', () => {
  expect(files).toContain('test/packaging/runs-on.test.ts')
  expect(files.filter((file) => names.every((name) => runsOn(file, name))).length).toBeGreaterThan(200)
})

it('has a reason for files that are there, on databases that are there', () => {
  const mistakes = RUNS_ON.filter(({ files: pattern, on }) => {
    return !files.some((file) => pattern.test(file)) || on.length === 0 || on.some((name) => !names.includes(name))
  })
  expect(mistakes).toEqual([])
})

it('runs each file somewhere', () => {
  expect(files.filter((file) => !names.some((name) => runsOn(file, name)))).toEqual([])
})

const ALONE = ['sqlite', 'sqlite-0.3']

it.each(RUNS_ON.filter(({ on }) => on.every((name) => ALONE.includes(name))))(
  'what runs on $on needs nothing else: $why',
  ({ files: pattern, on }) => {
    const found = files
      .filter((file) => pattern.test(file))
      .flatMap((file) => [...reached(file)].filter((path) => depends(path, on)).map((path) => `${file}: ${path}`))
    expect(found).toEqual([])
  },
)

it('knows what depends on a database when it sees it', () => {
  const paths = [...reached('test/reading/rules.test.ts')]
  expect(paths.filter((path) => depends(path, ALONE))).toContain('test/support/database.ts')
  expect([...reached('test/public-api.test.ts')].some((path) => depends(path, ['sqlite']))).toBe(true)
})

/** What tells the runs apart gets into tests by their environment; the line of TypeORM also by its import. */
function depends(path: string, on: readonly string[]): boolean {
  const text = readFileSync(join(ROOT, path), 'utf8')
  if (path.startsWith('test/') && /process\.env\.TEST_(?!TYPEORM\b)\w+/.test(text)) return true
  return on.length === 1 && /^(?:import|export)\b(?! type\b).*from 'typeorm(?:\/.*)?'$/m.test(text)
}

/** The file, and all of ours that it loads. */
function reached(file: string): ReadonlySet<string> {
  const found = new Set([file])
  for (const path of found)
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(/^(?:.*\bfrom |import )'([^']+)'$/gm)) {
      const place = placeOf(name, path)
      if (place !== undefined) found.add(place)
    }
  return found
}

/** `undefined`: not ours, or no program. */
function placeOf(name: string, importer: string): string | undefined {
  const path = /^stemma(?:\/|$)/.test(name)
    ? join('src', name.slice('stemma/'.length) || 'index')
    : join(dirname(importer), name)
  return existsSync(join(ROOT, `${path}.ts`)) ? `${path}.ts` : undefined
}
