const { MAX_P99 } = require('./find-rate')

/** Runs shorter than this are too short to judge times. */
const SHORT = 10

exports.isShort = (seconds) => seconds < SHORT

/**
 * Returns the problems of a run under overload. `phases`: before, the overload, directly afterwards, later. `rate`: the
 * sustained rate per second.
 */
exports.judgeOverload = (phases, { loadShedding, rate, seconds }) => {
  const sum = (of) => phases.reduce((total, phase) => total + of(phase), 0)
  const rejected = sum((phase) => phase.rejections.count)
  const timedOut = sum((phase) => phase.timedOut)
  if (loadShedding === false) return rejected > 0 ? [`${rejected} requests were rejected without load shedding`] : []
  return [
    ...(rejected === 0 ? ['no request was rejected'] : []),
    ...(timedOut > 0 ? [`${timedOut} requests timed out`] : []),
    ...(exports.isShort(seconds) ? [] : judgeTimes(phases, rate)),
  ]
}

/** Checks that a server sustains its throughput during an overload, and recovers afterwards. */
exports.judgeTimes = judgeTimes
function judgeTimes([before, overloaded, , later], rate) {
  const inTime = overloaded.inTime / overloaded.seconds
  const throughput = `${overloaded.name}: ${Math.round(inTime)} timely responses per second`
  return [
    ...judgeRest(before),
    ...(inTime < rate / 2 ? [`${throughput}, the sustained rate is ${Math.round(rate)}`] : []),
    ...judgeRest(later),
  ]
}

/** Checks a phase below the sustained rate. */
function judgeRest({ name, times, rejections }) {
  const p99 = times.percentile(99) / 1000
  return [
    ...(rejections.count > 0 ? [`${name}: ${rejections.count} requests were rejected`] : []),
    ...(times.count === 0 ? [`${name}: no request succeeded`] : []),
    ...(p99 > MAX_P99 ? [`${name}: p99 is ${Math.round(p99)} ms, at most ${MAX_P99} are allowed`] : []),
  ]
}
