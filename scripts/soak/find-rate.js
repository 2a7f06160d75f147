const { runLoad } = require('./run-load')

const FIRST = 40
const STEP = 1.25
/** Keeps a reserve for short peaks. */
const MOST_UTILIZED = 0.9
/** Maximum p99 in milliseconds. */
const LONGEST = 250
exports.LONGEST = LONGEST

/** Attempts per step, because the machine may have had other load. */
const ATTEMPTS = 3

/**
 * Increases the rate in steps until the event loop is saturated, responses are late, or throughput falls short. Returns the last step
 * before that.
 */
exports.findRate = async ({ server, seconds, perform, startRecords, tell }) => {
  const attempt = async (rate) => {
    await server.ask('loop')
    const records = startRecords()
    const { left } = await runLoad({ rate, seconds, perform })
    const { utilization } = await server.ask('loop')
    const p99 = records.all.percentile(99) / 1000
    tell({ rate, utilization, p99, left })
    return limitOf({ utilization, p99, isBehind: left > rate / 4 })
  }
  for (let rate = FIRST, last = FIRST; ; rate *= STEP) {
    let limit = await attempt(rate)
    for (let attempts = 1; limit !== undefined && attempts < ATTEMPTS; attempts += 1) limit = await attempt(rate)
    if (limit !== undefined) return { rate: last, limit }
    last = rate
  }
}

function limitOf({ utilization, p99, isBehind }) {
  if (isBehind) return 'answers fall behind'
  if (utilization > MOST_UTILIZED) return `the server is busy for ${Math.round(utilization * 100)} % of the time`
  return p99 > LONGEST ? `p99 is ${Math.round(p99)} ms` : undefined
}
