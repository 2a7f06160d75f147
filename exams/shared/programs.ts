import { execFileSync, spawn } from 'node:child_process'
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export const { findPort } = require('../../scripts/find-port') as { findPort(): Promise<number> }

/** Returns the path of a program; `undefined` if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...postgresFolders()]
  return folders.map((folder) => join(folder, name)).find(canRun)
}

export function requireProgram(name: string): string {
  const found = findProgram(name)
  if (found === undefined) throw new Error(`${name} is not installed.`)
  return found
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql'
  try {
    return readdirSync(root).map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The account that runs a server, since servers refuse to run as root. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** Returns the account of a server's package for root; the current account for other users. */
export function accountOf(name: string): Account {
  if (process.getuid?.() !== 0) return {}
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** Creates a temporary folder that belongs to the account. */
export function makeFolder({ uid, gid }: Account, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'stemma-faults-'))
  chmodSync(folder, 0o700)
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

export function run(program: string, programArguments: readonly string[], account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    let errorOutput = ''
    child.stderr?.on('data', (piece) => {
      errorOutput += piece
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}: ${errorOutput}`)),
    )
  })
}

/** Sends a signal to a process, and does nothing if it has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid)
}

function parentOf(pid: number): number | undefined {
  try {
    const [, parent] = /\) \w (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(parent)
  } catch {
    return undefined
  }
}
