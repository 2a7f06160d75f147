import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export const SCAFFOLD_DATABASES = ['sqlite', 'postgres', 'mariadb'] as const
export const TEST_RUNNERS = ['jest', 'vitest'] as const
export const FRAMEWORKS = ['express', 'nestjs'] as const

/** What a new project is made of. */
export interface NewProjectOptions {
  readonly name: string
  readonly database: (typeof SCAFFOLD_DATABASES)[number]
  readonly tests: (typeof TEST_RUNNERS)[number]
  readonly framework: (typeof FRAMEWORKS)[number]
  readonly auth: boolean
  readonly migrations: boolean
}

/** A folder for each part of a project, next to `dist` in the package. */
const TEMPLATES = join(__dirname, '..', '..', 'templates')

/** npm does not pack files with these names. */
const RENAMED = { gitignore: '.gitignore', 'env.example': '.env.example' }

/**
 * Writes a project. Copies its parts over each other: a file replaces the same file of an earlier part, except that JSON files are merged, and
 * that the lines of `README.md` and `gitignore` are added.
 */
export function writeProject(folder: string, options: NewProjectOptions): void {
  for (const part of partsOf(options)) copyPart(join(TEMPLATES, part), folder)
  mergeJson(join(folder, 'package.json'), { name: options.name })
  for (const file of NAMED) fillInNames(join(folder, file), options.name)
  for (const [file, renamed] of Object.entries(RENAMED)) {
    if (existsSync(join(folder, file))) renameSync(join(folder, file), join(folder, renamed))
  }
  if (options.auth) writeSecrets(folder)
}

/** The files of the templates that name the project or its database. */
const NAMED = ['README.md', 'compose.yaml', 'src/connection.ts']

function fillInNames(file: string, name: string): void {
  if (!existsSync(file)) return
  const text = readFileSync(file, 'utf8').replaceAll('__DATABASE__', databaseNameOf(name))
  writeFileSync(file, text.replaceAll('__PROJECT__', name))
}

/**
 * Returns a database name of letters, digits and `_`. It is short enough for the suffix of test databases: PostgreSQL allows 63 characters.
 *
 * `@people/my-api` -> `my_api`
 */
function databaseNameOf(name: string): string {
  return name
    .replace(/^.*\//, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 40)
}

/** Returns the folders of the templates, in the order in which they are copied. */
function partsOf({ database, tests, framework, auth, migrations }: NewProjectOptions): readonly string[] {
  return [
    ...['project', framework, database, tests],
    ...(framework === 'nestjs' && tests === 'jest' ? ['nestjs-jest'] : []),
    ...(auth ? ['auth'] : []),
    ...(migrations ? ['migrations', `migrations-${database}`] : []),
  ]
}

function copyPart(part: string, folder: string): void {
  for (const entry of readdirSync(part, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const source = join(entry.parentPath, entry.name)
    copyFile(source, join(folder, source.slice(part.length)))
  }
}

function copyFile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  if (!existsSync(target)) cpSync(source, target)
  else if (source.endsWith('.json')) mergeJson(target, JSON.parse(readFileSync(source, 'utf8')))
  else if (/(?:README\.md|gitignore)$/.test(source)) appendFileSync(target, readFileSync(source))
  else cpSync(source, target)
}

interface JsonObject {
  readonly [name: string]: unknown
}

function mergeJson(file: string, added: JsonObject): void {
  const merged = merge(JSON.parse(readFileSync(file, 'utf8')), added)
  writeFileSync(file, `${JSON.stringify(merged, null, 2)}\n`)
}

/** Adds the members of an object to those of another, at all depths. Sorts dependencies, as npm does. */
function merge(base: JsonObject, added: JsonObject): JsonObject {
  const merged = { ...base, ...added }
  for (const [name, value] of Object.entries(added)) {
    const former = base[name]
    if (!isObject(former) || !isObject(value)) continue
    const members = merge(former, value)
    merged[name] = /dependencies$/i.test(name) ? sortMembers(members) : members
  }
  return merged
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Git ignores `.env`, so each clone has secrets of its own. */
function writeSecrets(folder: string): void {
  const example = readFileSync(join(folder, '.env.example'), 'utf8')
  writeFileSync(
    join(folder, '.env'),
    example.replaceAll(/^\w+_SECRET=$/gm, (start) => start + randomBytes(32).toString('hex')),
    { mode: 0o600 },
  )
}
