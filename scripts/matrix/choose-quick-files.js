// Chooses the test files that `.ci/run` runs on PostgreSQL and MariaDB: the quickest ones that together execute each part of the library that SQLite
// never executes, several times if that is quick, and almost all other parts of the store. `npm run verify` runs the others too.
const { unionOf } = require('./coverage')

/** Number of chosen files that execute a part of the library which SQLite never executes, or all files that execute it if there are fewer. */
const FILES_PER_OWN_PART = 3
/** The same for the other parts of `src/store`. */
const FILES_PER_SHARED_PART = 1
/** A file that executes fewer missing parts per second is chosen only for a part that SQLite never executes and no chosen file does. */
const MIN_GAIN = 0.5
/** Seconds for loading a file. */
const LOADING = 0.3

/**
 * `records` and `onSqlite`: the records by file of the configuration and of SQLite. `candidates`: the files to choose from. `always`: those of them that
 * are chosen in any case. Returns the chosen files as a set.
 */
exports.chooseQuickFiles = ({ records, onSqlite, candidates, always, patternOf }) => {
  const { partsOf, missing, unexecuted } = findParts({ records, onSqlite, candidates, patternOf })
  const chosen = new Set()
  const choose = (file) => {
    chosen.add(file)
    for (const part of partsOf.get(file)) {
      missing.set(part, missing.get(part) - 1)
      unexecuted.delete(part)
    }
  }
  const gainOf = (file) => {
    const useful = partsOf.get(file).filter((part) => missing.get(part) > 0).length
    return useful / (records.get(file).seconds + LOADING)
  }
  for (const file of always) choose(file)
  for (;;) {
    const rest = candidates
      .filter((file) => !chosen.has(file))
      .map((file) => ({ file, gain: gainOf(file), isNeeded: partsOf.get(file).some((part) => unexecuted.has(part)) }))
    const useful = rest.filter(({ gain, isNeeded }) => gain >= MIN_GAIN || isNeeded)
    if (useful.length === 0) return chosen
    choose(useful.reduce((best, other) => (other.gain > best.gain ? other : best)).file)
  }
}

/**
 * Returns the parts of `src` that each file executes, how many chosen files each part still misses, and the parts that SQLite never executes. A part is
 * executed as a whole or not at all.
 */
function findParts({ records, onSqlite, candidates, patternOf }) {
  const executedBy = (file, path) => patternOf(records.get(file).executed[path])
  const partsOf = new Map(candidates.map((file) => [file, []]))
  const missing = new Map()
  const unexecuted = new Set()
  for (const [path, files] of groupByPath(records, candidates)) {
    const bySqlite = executedIn(onSqlite, path, patternOf)
    for (const start of new Set(files.flatMap((file) => executedBy(file, path)))) {
      const shared = path.startsWith('src/store/') ? FILES_PER_SHARED_PART : 0
      const wanted = isWithin(start, bySqlite) ? shared : FILES_PER_OWN_PART
      const executing = wanted === 0 ? [] : files.filter((file) => isWithin(start, executedBy(file, path)))
      if (executing.length === 0) continue
      const part = `${path}:${start}`
      missing.set(part, Math.min(wanted, executing.length))
      if (wanted > shared) unexecuted.add(part)
      for (const file of executing) partsOf.get(file).push(part)
    }
  }
  return { partsOf, missing, unexecuted }
}

function groupByPath(records, candidates) {
  const files = new Map()
  for (const file of candidates)
    for (const path of Object.keys(records.get(file).executed))
      if (path.startsWith('src/')) files.set(path, [...(files.get(path) ?? []), file])
  return files
}

function executedIn(records, path, patternOf) {
  const ids = new Set([...records.values()].map(({ executed }) => executed[path]).filter((id) => id !== undefined))
  return [...ids].map(patternOf).reduce(unionOf, [])
}

/** Returns true if the offset is in one of the sorted intervals. */
function isWithin(offset, intervals) {
  let [low, high] = [0, intervals.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (intervals[middle] <= offset) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}
