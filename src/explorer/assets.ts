import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ServedTextFile } from '../request-handler/non-json-api-route'

/** The path of the page's files, below the path of the API. No type can have this name. */
export const ASSETS_PATH = '/explorer.page/'

/** Looks files up by name, so that a path cannot leave the folder of the page. */
export function findAsset(path: string): ServedTextFile | undefined {
  const { version, files } = assets()
  const folder = `${ASSETS_PATH}${version}/`
  return path.startsWith(folder) ? files.get(path.slice(folder.length)) : undefined
}

/** The path of a file, with a hash of all files for caching. */
export function assetUrlPath(name: string): string {
  return `${ASSETS_PATH}${assets().version}/${name}`
}

interface Assets {
  /** The hash of the files. */
  readonly version: string
  readonly files: ReadonlyMap<string, ServedTextFile>
}

let cached: Assets | undefined

/** Read on the first request. */
function assets(): Assets {
  cached ??= readAssets(join(__dirname, 'explorer-page'))
  return cached
}

function readAssets(folder: string): Assets {
  const files = new Map(
    readdirSync(folder).flatMap((name) => {
      const type = TYPES[extname(name)]
      return type === undefined ? [] : [[name, { text: readFileSync(join(folder, name), 'utf8'), type }] as const]
    }),
  )
  const all = JSON.stringify([...files].map(([name, { text }]) => [name, text]))
  return { version: hash('sha1', all, 'base64url').replace(/\W/g, '').slice(0, 10), files }
}

const TYPES: Readonly<Record<string, string | undefined>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
