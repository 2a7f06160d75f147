#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import type { AskInTerminal } from './command'
import { runCli } from './run-cli'

async function main(): Promise<void> {
  for (const output of [process.stdout, process.stderr]) output.on('error', exitIfClosed)
  process.exitCode = await runCli(process.argv.slice(2), {
    writeOutput: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    ...(process.stdin.isTTY && process.stdout.isTTY ? { ask } : {}),
  })
  // Exits after the output is written. Connections that a loaded module has opened must not keep the command running.
  process.stdout.write('', () => process.exit())
}

/** Ends the process without a stack trace if the reader of its output has ended, as in `stemma --help | head -1`. */
function exitIfClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

/** Ends the process if the user presses Ctrl+C or Ctrl+D instead of an answer. */
const ask: AskInTerminal = async (question) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const giveUp = () => process.exit(1)
  terminal.once('close', giveUp)
  const answer = await terminal.question(question)
  terminal.off('close', giveUp).close()
  return answer
}

void main()
