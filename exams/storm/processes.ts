import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { endWithThisProcess } from '../shared/programs'
import type { ServerOptions } from './server'

export interface ServerProcess {
  readonly port: number
  readonly pid: number
  /** True after `kill`, or after a crash. */
  hasEnded(): boolean
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
  /** Suspends and resumes the process. */
  freeze(): void
  thaw(): void
}

/** Starts servers. The next process has loaded its code in advance. */
export class Servers {
  private spare = load()

  async start(options: ServerOptions): Promise<ServerProcess> {
    const child = this.spare
    this.spare = load()
    await nextMessage(child, 'loaded')
    child.send(options)
    const port = await nextMessage(child)
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    return {
      port: Number(port),
      pid: Number(child.pid),
      hasEnded,
      async kill() {
        if (hasEnded()) return
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      },
      freeze: () => child.kill('SIGSTOP'),
      thaw: () => child.kill('SIGCONT'),
    }
  }

  close(): void {
    this.spare.kill('SIGKILL')
  }
}

const LOADER = join(__dirname, '..', '..', 'test', 'support', 'run-typescript.js')
const messagesByChild = new WeakMap<ChildProcess, unknown[]>()

function load(): ChildProcess {
  const child = fork(join(__dirname, 'server.ts'), {
    execArgv: ['--require', LOADER],
    env: { ...process.env, TZ: 'UTC', NODE_ENV: 'production' },
  })
  const messages: unknown[] = []
  messagesByChild.set(child, messages)
  endWithThisProcess(child)
  child.on('message', (message) => messages.push(message))
  return child
}

/** Resolves to the next message of a child, which may have arrived already. */
async function nextMessage(child: ChildProcess, expected?: string): Promise<unknown> {
  const messages = messagesByChild.get(child) ?? []
  while (messages.length === 0) {
    if (child.exitCode !== null) throw new Error(`A server has ended with ${child.exitCode}.`)
    await Promise.race([once(child, 'message'), once(child, 'exit')])
  }
  const message = messages.shift()
  if (expected !== undefined && message !== expected)
    throw new Error(`Expected '${expected}' of a server, found '${message}'.`)
  return message
}
