import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const { findPort } = require('../../scripts/find-port') as { findPort(): Promise<number> }

/** A program that serves an API. */
export interface RunningProgram {
  readonly url: string
  /** Sends SIGTERM. */
  terminate(): void
  /** Returns the exit status, or the signal that has ended the program. */
  waitForEnd(): Promise<unknown>
}

/** Starts a program and waits until it accepts connections. */
export async function startProgram(
  command: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunningProgram> {
  const port = await findPort()
  const program = run(command, folder, { ...env, PORT: String(port) })
  const ended = once(program, 'exit')
  const output = readOutput(program)
  const url = `http://localhost:${port}`
  while (!(await isListening(url))) {
    if (program.exitCode !== null || program.signalCode !== null) throw new Error(`The program ended: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    terminate: () => program.kill('SIGTERM'),
    waitForEnd: async () => {
      const [status, signal] = await ended
      return status ?? signal
    },
  }
}

/** Runs a program that fails, and returns its output. */
export async function outputOfFailure(command: readonly string[], folder: string): Promise<string> {
  const program = run(command, folder, { PORT: '0' })
  const output = readOutput(program)
  const [status] = await once(program, 'close')
  if (status === 0) throw new Error(`The program has not failed: ${output()}`)
  return output()
}

function run([program = '', ...words]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, words, { cwd, env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', ...env } })
}

function readOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  return () => text
}

async function isListening(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).text()
    return true
  } catch {
    return false
  }
}
