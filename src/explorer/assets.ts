import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { TextFile } from '../request-handler/page'

/** Where the files of the page are, below the path of the API. No type has such a name. */
export const ASSETS_PATH = '/explorer.page/'

/** Looked up by its name, so that a path leads nowhere but to what is in the folder of the page. */
export function findAsset(path: string): TextFile | undefined {
  const { version, files } = assets()
  const folder = `${ASSETS_PATH}${version}/`
  return path.startsWith(folder) ? files.get(path.slice(folder.length)) : undefined
}

/** The path of a file of the page, which changes when any of them does. */
export function assetPath(name: string): string {
  return `${ASSETS_PATH}${assets().version}/${name}`
}

interface Assets {
  /** Says what is in the files. */
  readonly version: string
  readonly files: ReadonlyMap<string, TextFile>
}

let known: Assets | undefined

/** Read once, when somebody looks. */
function assets(): Assets {
  known ??= readAssets(join(__dirname, 'page'))
  return known
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
