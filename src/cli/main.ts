#!/usr/bin/env node
import { runCommand } from './run-command'

async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), console.log)
}

void main()
