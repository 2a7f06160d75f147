import { existsSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { JsonApi, JsonApiOptions } from '../express/create-json-api'

/** The exports that are tried, in this order. */
const NAMES = ['configuration', 'api', 'default']

/**
 * Loads a module and returns its export `configuration`, `api` or `default`, or the one with the given name. The export is an API, its
 * options, a promise of either, or a function that returns either. Returns an error message if there is no such export.
 */
export async function loadExportOrErrorMessage(
  module: string,
  name?: string,
): Promise<JsonApi | JsonApiOptions | string> {
  if (!isModule(resolve(module)))
    return `There is no module at ${resolve(module)}. Compile the project first, or correct the path.`
  const exported = await load(module)
  if (exported === 'unreadable') return `${module} is TypeScript, and Node.js cannot load it. ${REMEDY}`
  const names = Object.keys(exported)
  const found = (name === undefined ? NAMES : [name]).find((each) => names.includes(each))
  const expected = name === undefined ? "'configuration', 'api' or a default one" : `'${name}'`
  if (found === undefined) return `${module} has no export ${expected}, but ${formatNames(names)}.${HINT}`
  const value: unknown = exported[found]
  const result: unknown = await (typeof value === 'function' ? value() : value)
  if (isJsonApiOptions(result) || isApi(result)) return result
  return `The export '${found}' of ${module} is neither the configuration of an API nor an API.${HINT}`
}

const HINT = ' Export the options of createJsonApi, or its result. Use --export for another name.'

export function isJsonApiOptions(value: unknown): value is JsonApiOptions {
  return isObject(value) && 'dataSource' in value && 'resources' in value
}

/** Checks the members, since the module may load another copy of the library. */
function isApi(value: unknown): value is JsonApi {
  return isObject(value) && 'summary' in value && 'indexes' in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function formatNames(names: readonly string[]): string {
  return names.length === 0 ? 'none at all' : names.map((each) => `'${each}'`).join(', ')
}

/** Returns true for the path of a file, also without its extension, and for a folder with an index. */
function isModule(path: string): boolean {
  try {
    return require.resolve(path) !== ''
  } catch {
    return existsSync(path) && !statSync(path).isDirectory()
  }
}

type Exports = Readonly<Record<string, unknown>>

/** Loads a CommonJS or ES module. Modules with a top-level `await` cannot be required. */
async function load(module: string): Promise<Exports | 'unreadable'> {
  const file = resolve(module)
  try {
    return require(file) as Exports
  } catch (error) {
    if (codeOf(error) === 'ERR_REQUIRE_ASYNC_MODULE') return (await import(pathToFileURL(file).href)) as Exports
    if (isTypeScriptFailure(error, file)) return 'unreadable'
    throw error
  }
}

/**
 * Returns true if Node can't load a TypeScript module. Without a loader, it parses TypeScript as JavaScript, or removes the types. It doesn't
 * support decorators, nor imports without an extension.
 */
function isTypeScriptFailure(error: unknown, file: string): boolean {
  if (!/^\.[cm]?ts$/.test(extname(file))) return false
  return error instanceof SyntaxError || codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION' || isTypeScriptImport(error)
}

function isTypeScriptImport(error: unknown): boolean {
  if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' || !isObject(error) || !('url' in error)) return false
  return existsSync(`${fileURLToPath(String(error.url))}.ts`)
}

const REMEDY =
  "Compile it and pass the JavaScript file, or load it with tsx: NODE_OPTIONS='--import tsx' npx stemma check …"

function codeOf(error: unknown): unknown {
  return isObject(error) && 'code' in error ? error.code : undefined
}
