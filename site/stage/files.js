import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.js'

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })

/** The files that the site may show, as paths relative to the root, with slashes. */
export const FILES = new Set(listed.toString().split('\0').filter(isShowable).sort())

function isShowable(path) {
  return path !== '' && !/(^|\/)(\.|package-lock\.json$)/.test(path)
}

export function isImage(path) {
  return /\.(png|svg)$/.test(path)
}

export function read(path) {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function isFolder(path) {
  return childrenOf(path).length > 0
}

/** Returns the folders and files in a folder, folders first. */
export function childrenOf(folder) {
  const descendants = [...FILES]
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1))
  const folders = new Set(descendants.filter((path) => path.includes('/')).map((path) => path.split('/')[0]))
  return [...folders, ...descendants.filter((path) => !path.includes('/'))].map((name) => `${folder}/${name}`)
}

/** Returns the first heading of a page. */
export function titleOf(text) {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}
