#!/usr/bin/env node
import { runCommand } from './run-command'

async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), console.log)
  // What was printed gets out; what a module has opened that was looked at, such as connections, does not keep the command from its end.
  process.stdout.write('', () => process.exit())
}

void main()
