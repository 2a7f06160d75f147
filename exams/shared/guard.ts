import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { signalAll } from './programs'

// Ends the servers of a program after the program has ended, also by a signal, and removes their folders. Hooks of the program itself would not run
// after SIGKILL, and jest never runs them. Each line of the input is the id of a process, `-` and the id of a process that has ended, or a folder.

const running = new Set<number>()
const folders: string[] = []

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line.startsWith('/')) folders.push(line)
    else if (line.startsWith('-')) running.delete(-Number(line))
    else running.add(Number(line))
  })
  .on('close', () => {
    for (const pid of running) signalAll(pid, 'SIGKILL')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
