// Which parts of files V8 has executed, as lists of intervals: [from, to, from, to, …], offsets into the JavaScript of a file, sorted and disjoint.
const { Session } = require('node:inspector')

/** Starts to count. The function that it returns gives the functions that were called since it was last called itself. */
exports.startCoverage = () => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  // With counts, V8 begins anew each time; without, it reports each function once in the life of a process.
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return () => {
    let taken
    // The answer comes at once: the session is in this thread.
    session.post('Profiler.takePreciseCoverage', (error, { result } = {}) => {
      if (error) throw new Error(error.message)
      taken = result
    })
    return taken
  }
}

/** The executed ranges of a script. */
exports.executedOf = ({ functions }) => {
  const ranges = functions.flatMap((each) => each.ranges)
  // Outer ranges before the ranges within them: the innermost one counts.
  ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
  const executed = []
  const open = []
  let at = 0
  const advance = (to) => {
    if (to > at && open.at(-1)?.count > 0) add(executed, at, to)
    at = Math.max(at, to)
  }
  for (const range of ranges) {
    while (open.length > 0 && open.at(-1).endOffset <= range.startOffset) {
      advance(open.at(-1).endOffset)
      open.pop()
    }
    advance(range.startOffset)
    open.push(range)
  }
  while (open.length > 0) {
    advance(open.at(-1).endOffset)
    open.pop()
  }
  return executed
}

function add(intervals, from, to) {
  if (intervals.length > 0 && intervals.at(-1) === from) intervals[intervals.length - 1] = to
  else intervals.push(from, to)
}

/** Returns the symmetric difference. */
exports.differenceOf = (one, other) => combine(one, other, (inOne, inOther) => inOne !== inOther)
exports.unionOf = (one, other) => combine(one, other, (inOne, inOther) => inOne || inOther)
exports.without = (one, other) => combine(one, other, (inOne, inOther) => inOne && !inOther)

function combine(one, other, isIn) {
  const combined = []
  let [first, second, at] = [0, 0, 0]
  while (first < one.length || second < other.length) {
    const to = Math.min(one[first] ?? Number.POSITIVE_INFINITY, other[second] ?? Number.POSITIVE_INFINITY)
    // Behind an odd number of bounds is inside.
    if (to > at && isIn(first % 2 === 1, second % 2 === 1)) add(combined, at, to)
    if (one[first] === to) first += 1
    if (other[second] === to) second += 1
    at = to
  }
  return combined
}
