// Loaded into a server before anything else: answers what it has used up, and which statements it has sent. Counting statements costs
// something, so that servers which are measured don't (`BENCH_STATEMENTS`).
const { readFileSync, writeFileSync } = require('node:fs')
const { Session } = require('node:inspector/promises')

const statements = process.env.BENCH_STATEMENTS === undefined ? [] : require('./watch-statements').watch()

process.on('message', async (question) => process.send(await ANSWERS[question]()))
// The parent process has ended.
process.on('disconnect', () => process.exit())

const session = new Session()
const PROFILE_INTERVAL = 200

const ANSWERS = {
  forgetPeak() {
    try {
      writeFileSync('/proc/self/clear_refs', '5')
    } catch {
      // Only Linux can forget it; elsewhere it is that of the life of the process.
    }
    return 'forgotten'
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
