import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const RUN_TYPESCRIPT = join(__dirname, 'run-typescript.js')

/** A server in another process. */
export interface ServingProcess<Told> {
  readonly process: ChildProcess
  /** The first message of the process. */
  readonly told: Told
}

/** Runs a TypeScript program until its first message. */
export async function startProcess<Told = string>(
  program: string,
  programArguments: readonly string[],
): Promise<ServingProcess<Told>> {
  const child = fork(program, programArguments, { execArgv: ['--require', RUN_TYPESCRIPT] })
  const [[told], name] = await Promise.race(
    (['message', 'exit'] as const).map(async (event) => [await once(child, event), event] as const),
  )
  if (name === 'exit') throw new Error(`The process ended with ${told}.`)
  return { process: child, told }
}
