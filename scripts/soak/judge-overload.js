const { LONGEST } = require('./find-rate')

/** Seconds from which on times are judged: in less, one moment of other work decides. */
const SHORT = 10

exports.isShort = (seconds) => seconds < SHORT

/**
 * What became of an overload, as overload.js has watched it: `phases` are what came before, the overload itself, the moments after it and what came
 * later, and `rate` is what holds in a second. What was unexpected, in words.
 */
exports.judgeOverload = (phases, { overload, rate, seconds }) => {
  const sum = (of) => phases.reduce((total, phase) => total + of(phase), 0)
  const refused = sum((phase) => phase.refusals.count)
  const givenUp = sum((phase) => phase.givenUp)
  if (overload === false) return refused > 0 ? [`${refused} were refused, though nobody should have been`] : []
  return [
    ...(refused === 0 ? ['nobody was refused'] : []),
    ...(givenUp > 0 ? [`${givenUp} had no answer in time`] : []),
    ...(exports.isShort(seconds) ? [] : judgeTimes(phases, rate)),
  ]
}

/** That a server does what it can while it has too much to do, and is as before once it has not. */
exports.judgeTimes = judgeTimes
function judgeTimes([before, crowded, , later], rate) {
  const inTime = crowded.inTime / crowded.seconds
  const told = `${crowded.name}: ${Math.round(inTime)} a second were answered in time`
  return [
    ...judgeRest(before),
    ...(inTime < rate / 2 ? [`${told}, of ${Math.round(rate)} that hold`] : []),
    ...judgeRest(later),
  ]
}

/** While no more is asked for than holds. */
function judgeRest({ name, times, refusals }) {
  const p99 = times.percentile(99) / 1000
  return [
    ...(refusals.count > 0 ? [`${name}: ${refusals.count} were refused`] : []),
    ...(times.count === 0 ? [`${name}: nobody was answered`] : []),
    ...(p99 > LONGEST ? [`${name}: p99 is ${Math.round(p99)} ms, and ${LONGEST} at most hold`] : []),
  ]
}
