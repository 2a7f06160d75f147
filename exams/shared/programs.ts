import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
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

/** Creates a temporary folder that belongs to the account. It is removed at the latest when this process has ended. */
export function makeFolder({ uid, gid }: Account, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'stemma-faults-'))
  chmodSync(folder, 0o700)
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  tellGuard(folder)
  return folder
}

/** Starts a server that runs until this process has ended, at the latest. `output`: an open file. */
export function startServerProgram(
  name: string,
  words: readonly string[],
  account: Account,
  output: number | 'ignore' = 'ignore',
): ChildProcess {
  const options = { ...account, cwd: '/', stdio: ['ignore', output, output] } satisfies SpawnOptions
  return endWithThisProcess(spawn(requireProgram(name), words, options))
}

/** Makes the child end when this process has ended for any reason, also while the child is suspended. */
export function endWithThisProcess(child: ChildProcess): ChildProcess {
  if (child.pid === undefined) return child
  tellGuard(`${child.pid}`)
  child.once('exit', () => tellGuard(`-${child.pid}`))
  return child
}

let guard: Socket | undefined

function tellGuard(line: string): void {
  guard ??= startGuard()
  guard.write(`${line}\n`)
}

/** Starts `guard.ts`, whose input ends when this process has ended. The guard does not keep this process running. */
function startGuard(): Socket {
  const words = ['--require', join(__dirname, '../../test/support/run-typescript.js'), join(__dirname, 'guard.ts')]
  // In a process group of its own, it does not get the signals of the terminal.
  const child = spawn(process.execPath, words, { detached: true, stdio: ['pipe', 'ignore', 'inherit'] })
  child.unref()
  const input = child.stdin as Socket
  input.unref()
  return input
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

/** Sends a signal to a process and its children. A suspended parent starts no further ones, so that none is left out. */
export function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  sendSignal(pid, signal === 'SIGCONT' ? 'SIGCONT' : 'SIGSTOP')
  for (const each of childrenOf(pid)) sendSignal(each, signal)
  if (signal === 'SIGKILL') sendSignal(pid, signal)
}

/** Ends a process and its children at once, and waits until it has ended. */
export async function killAll(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  signalAll(child.pid, 'SIGKILL')
  await ended
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
