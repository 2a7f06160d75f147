const { LONGEST } = require('./find-rate')

/** Runs shorter than this are too short to judge times. */
const SHORT = 10

exports.isShort = (seconds) => seconds < SHORT

/**
 * Returns the unexpected findings of an overload as texts. `phases`: before, the overload, directly afterwards, later. `rate`: the
 * sustained rate per second.
 */
exports.judgeOverload = (phases, { overload, rate, seconds }) => {
  const sum = (of) => phases.reduce((total, phase) => total + of(phase), 0)
  const refused = sum((phase) => phase.refusals.count)
  const givenUp = sum((phase) => phase.givenUp)
  if (overload === false) return refused > 0 ? [`${refused} requests were rejected without load shedding`] : []
  return [
    ...(refused === 0 ? ['no request was rejected'] : []),
    ...(givenUp > 0 ? [`${givenUp} requests timed out`] : []),
    ...(exports.isShort(seconds) ? [] : judgeTimes(phases, rate)),
  ]
}

/** Checks that a server sustains its throughput during an overload, and recovers afterwards. */
exports.judgeTimes = judgeTimes
function judgeTimes([before, crowded, , later], rate) {
  const inTime = crowded.inTime / crowded.seconds
  const told = `${crowded.name}: ${Math.round(inTime)} timely responses per second`
  return [
    ...judgeRest(before),
    ...(inTime < rate / 2 ? [`${told}, the sustained rate is ${Math.round(rate)}`] : []),
    ...judgeRest(later),
  ]
}

/** Checks a phase below the sustained rate. */
function judgeRest({ name, times, refusals }) {
  const p99 = times.percentile(99) / 1000
  return [
    ...(refusals.count > 0 ? [`${name}: ${refusals.count} requests were rejected`] : []),
    ...(times.count === 0 ? [`${name}: no request succeeded`] : []),
    ...(p99 > LONGEST ? [`${name}: p99 is ${Math.round(p99)} ms, at most ${LONGEST} are allowed`] : []),
  ]
}
