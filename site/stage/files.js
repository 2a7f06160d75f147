import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './places.js'

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })

/** What belongs to the project and is for reading, with slashes, from its root. */
export const FILES = new Set(listed.toString().split('\0').filter(isForReading).sort())

function isForReading(path) {
  return path !== '' && !/(^|\/)(\.|package-lock\.json$)/.test(path)
}

export function read(path) {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function isFolder(path) {
  return childrenOf(path).length > 0
}

/** Files and folders right below a folder: folders first. */
export function childrenOf(folder) {
  const below = [...FILES].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
  const folders = new Set(below.filter((path) => path.includes('/')).map((path) => path.split('/')[0]))
  return [...folders, ...below.filter((path) => !path.includes('/'))].map((name) => `${folder}/${name}`)
}

/** The first heading of a page. */
export function titleOf(text) {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}
