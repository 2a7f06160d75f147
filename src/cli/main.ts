#!/usr/bin/env node
import { runCli } from './run-cli'

async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), {
    writeOutput: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  })
  // Exits after the output is written. Connections that a loaded module has opened must not keep the command running.
  process.stdout.write('', () => process.exit())
}

void main()
