// The CPU time of database processes, which only Linux tells.
const { readFileSync } = require('node:fs')

/** Returns microseconds by process id, or undefined if one of the processes does not run under this kernel. */
exports.readTimes = (processes) => {
  try {
    return new Map(processes.map((id) => [id, timeOf(id)]))
  } catch {
    return undefined
  }
}

/** The utime and stime of /proc/PID/stat are the same time, but rounded to ten milliseconds. */
function timeOf(id) {
  // A database in a container has process ids of its own, which may belong to other programs here.
  if (readFileSync(`/proc/${id}/comm`, 'utf8').trim() !== 'postgres') throw new Error('The database runs elsewhere.')
  return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1000
}

/** Returns the microseconds that all processes took between two results of `readTimes`, or undefined without processes. */
exports.timeBetween = (before, after) => {
  if (before === undefined || after === undefined || after.size === 0) return undefined
  return [...after].reduce((sum, [id, time]) => sum + time - (before.get(id) ?? 0), 0)
}
