const { execFileSync, spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

/**
 * Returns what counts the instructions of a process here: `perf` of Linux, or the slower `callgrind` of Valgrind where the processor's counters
 * are not accessible, as in many virtual machines. `undefined` if both are missing.
 *
 * `launcher` is the command that a server has to be started with. `share` is the part of the usual number of requests to measure.
 * `count(pid, work)` returns the instructions of all threads until `work` ends.
 */
exports.findCounter = () => [PERF, CALLGRIND].find(({ isAvailable }) => isAvailable())

const PERF = {
  name: 'perf',
  launcher: [],
  share: 1,
  isAvailable() {
    const { status, stderr } = spawnSync('perf', ['stat', '-x,', '-e', 'instructions:u', 'true'], { encoding: 'utf8' })
    return status === 0 && /^\d+,/.test(stderr)
  },
  async count(pid, work) {
    const perf = spawn('perf', ['stat', '-x,', '-e', 'instructions:u', '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    perf.stderr.setEncoding('utf8').on('data', (part) => {
      output += part
    })
    const exit = once(perf, 'exit')
    // perf does not report when it has attached.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await work()
    perf.kill('SIGINT')
    await exit
    return Number(output.split(',')[0])
  },
}

const FOLDER = mkdtempSync(join(tmpdir(), 'instructions-'))
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }))

const CALLGRIND = {
  name: 'callgrind',
  launcher: ['valgrind', '--tool=callgrind', '--instr-atstart=no', `--callgrind-out-file=${join(FOLDER, '%p')}`],
  share: 0.5,
  isAvailable: () => spawnSync('callgrind_control', ['--version']).status === 0,
  async count(pid, work) {
    control(pid, '--instr=on')
    await work()
    control(pid, '--dump')
    control(pid, '--instr=off')
    // A dump is numbered. The file without a number is written when the process ends.
    const dump = join(
      FOLDER,
      readdirSync(FOLDER).find((name) => name.includes('.')),
    )
    const [, total] = /^totals: (\d+)$/m.exec(readFileSync(dump, 'utf8'))
    rmSync(dump)
    return Number(total)
  },
}

function control(pid, command) {
  execFileSync('callgrind_control', [command, String(pid)], { stdio: 'ignore' })
}
