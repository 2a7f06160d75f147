import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const RUN_TYPESCRIPT = join(__dirname, 'run-typescript.js')

export interface ServerProcess<Message> {
  readonly process: ChildProcess
  /** The first message of the process. */
  readonly message: Message
}

/** Starts a TypeScript program and waits for its first message. */
export async function startProcess<Message = string>(
  program: string,
  programArguments: readonly string[],
): Promise<ServerProcess<Message>> {
  const child = fork(program, programArguments, { execArgv: ['--require', RUN_TYPESCRIPT] })
  const [[message], name] = await Promise.race(
    (['message', 'exit'] as const).map(async (event) => [await once(child, event), event] as const),
  )
  if (name === 'exit') throw new Error(`The process ended with ${message}.`)
  return { process: child, message }
}
