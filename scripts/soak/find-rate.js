const { runLoad } = require('./run-load')

/** Requests per second. */
const FIRST_RATE = 40
const FACTOR = 1.25
/** Leaves a reserve for short peaks. */
const MAX_UTILIZATION = 0.9
/** Maximum p99 in milliseconds. */
const MAX_P99 = 250
exports.MAX_P99 = MAX_P99

/** Attempts per step, because the machine may have had other load. */
const ATTEMPTS = 3

/**
 * Increases the rate in steps until the event loop is saturated, responses are late, or throughput falls short. Returns the last step
 * before that.
 */
exports.findRate = async ({ server, seconds, perform, startMetrics, onStep }) => {
  const attempt = async (rate) => {
    await server.query('eventLoop')
    const metrics = startMetrics()
    const { unfinished } = await runLoad({ rate, seconds, perform })
    const { utilization } = await server.query('eventLoop')
    const p99 = metrics.all.percentile(99) / 1000
    onStep({ rate, utilization, p99, unfinished })
    return limitOf({ utilization, p99, isBehind: unfinished > rate / 4 })
  }
  for (let rate = FIRST_RATE, last = FIRST_RATE; ; rate *= FACTOR) {
    let limit = await attempt(rate)
    for (let attempts = 1; limit !== undefined && attempts < ATTEMPTS; attempts += 1) limit = await attempt(rate)
    if (limit !== undefined) return { rate: last, limit }
    last = rate
  }
}

function limitOf({ utilization, p99, isBehind }) {
  if (isBehind) return 'responses fall behind'
  if (utilization > MAX_UTILIZATION) return `the server is busy for ${Math.round(utilization * 100)} % of the time`
  return p99 > MAX_P99 ? `p99 is ${Math.round(p99)} ms` : undefined
}
