import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..', '..')
const PAGES = ['frameworks.md', 'testing.md'].map((name) => join(ROOT, 'docs', 'guide', name))
const START = join(ROOT, 'docs', 'start.md')

/** Below `frameworks`, where programs find the frameworks, and above them the packages of the project. */
export const BUILD = join(__dirname, '..', 'build')

/**
 * Writes a project with programs of the guide, and compiles it into `dist`. A file of a variant, such as `postgres/data-source.ts`, replaces the
 * common one. The port 3000 becomes that of the environment variable `PORT`. `edit` changes the text of a file.
 */
export function writeProject(
  name: string,
  variant?: string,
  edit: (text: string, path: string) => string = (text) => text,
): string {
  const folder = join(BUILD, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const programs = readPrograms()
  const common = [...programs].filter(([path]) => !path.includes('/'))
  const own = [...programs].filter(([path]) => path.startsWith(`${variant}/`))
  if (variant !== undefined && own.length === 0) throw new Error(`The guide has no program of ${variant}.`)
  for (const [path, text] of [...common, ...own]) {
    const program = edit(text, path).replace(/\b3000\b/, 'Number(process.env.PORT)')
    writeFileSync(join(folder, path.slice(path.indexOf('/') + 1)), program)
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }')
  writeFileSync(join(folder, 'tsconfig.json'), readCompilerOptions())
  compile(folder)
  return folder
}

/** Checks the types of the programs, but not those of the frameworks: @types/koa does not compile with Koa's own dependencies. */
function compile(folder: string): void {
  const words = ['--project', folder, '--skipLibCheck']
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'tsc'), words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
}

/** Returns the programs of the guides by path: each is in a code block such as ` ```ts nestjs/main.ts `. */
function readPrograms(): ReadonlyMap<string, string> {
  const text = PAGES.map((page) => readFileSync(page, 'utf8')).join('\n')
  return new Map(
    [...text.matchAll(/^```ts (\S+\.ts)\n(.*?)^```$/gms)].map(([, path = '', program = '']) => [path, program]),
  )
}

/** The `tsconfig.json` of docs/start.md. */
function readCompilerOptions(): string {
  const [, text] = /^```json\n(\{\n {2}"compilerOptions".*?)^```$/ms.exec(readFileSync(START, 'utf8')) ?? []
  if (text === undefined) throw new Error('docs/start.md has no tsconfig.json.')
  return text
}
