#!/usr/bin/env node
import { runCommand } from './run-command'

async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), console.log)
  // Exits after the output is written. Connections that a checked module has opened must not keep the command running.
  process.stdout.write('', () => process.exit())
}

void main()
