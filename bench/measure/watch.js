// Preloaded into each server. Reports its CPU time, memory and statements to the parent process. Recording statements costs time, so that
// it is off while load is measured (`BENCH_STATEMENTS`).
const { readFileSync, writeFileSync } = require('node:fs')
const { Session } = require('node:inspector/promises')

const statements = process.env.BENCH_STATEMENTS === undefined ? [] : require('./watch-statements').watch()

process.on('message', async (command) => process.send(await COMMANDS[command]()))
// The parent process has ended.
process.on('disconnect', () => process.exit())

const session = new Session()
/** Microseconds. */
const PROFILE_INTERVAL = 200

const COMMANDS = {
  resetPeak() {
    try {
      writeFileSync('/proc/self/clear_refs', '5')
    } catch {
      // Only Linux can reset the peak. Elsewhere it covers the lifetime of the process.
    }
    return 'reset'
  },
  usage() {
    const { user, system } = process.cpuUsage()
    return { cpu: user + system, peak: peakMegabytes() }
  },
  statements: () => statements.splice(0),
  async startProfile() {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL })
    await session.post('Profiler.start')
    return 'started'
  },
  async stopProfile() {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return profile
  },
}

function peakMegabytes() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}
