const { has } = require('./measure')

/** A test that waits, and the loop that a change has made endless: the tests notice by never ending. */
const TIMED_OUT = /Exceeded timeout|Hit count limit|Took too long/

/** Milliseconds: what a file may take beside a multiple of what it took. */
const GRACE = 60_000
const MULTIPLE = 5_000

/** Seconds that each file takes before its first test. */
const LOADING = 0.2

/** Runs the tests that run the change until one fails: `{ outcome, by }`. */
exports.tryMutants = ({ worker, measured, limit }) => {
  const ofSource = new Map()
  const alone = new Map()
  const sizes = new Map([...measured.values()].map((file) => [file.file, sizeOf(file)]))
  const timeOf = ({ seconds }) => GRACE + seconds * MULTIPLE

  /**
   * Who may have most to say: files that run most of the file of the change, that run little else, that run the change in most of their
   * tests; as many of each. The quick ones come first.
   */
  function chosen(mutant, ids) {
    if (!ofSource.has(mutant.file)) ofSource.set(mutant.file, affinities(measured, ids))
    const affinity = ofSource.get(mutant.file)
    const jobs = jobsOf(mutant, measured)
    const by = (value) => jobs.toSorted((one, other) => value(other) - value(one))
    const ranked = [
      by(({ measured: { file } }) => affinity.get(file)),
      by(({ measured: { file } }) => affinity.get(file) / sizes.get(file)),
      by(({ only }) => only.length),
    ]
    const some = new Set(jobs.flatMap((_, place) => ranked.map((list) => list[place])))
    const worth = ({ measured: { file, seconds } }) => affinity.get(file) / (seconds + LOADING)
    return [...some].slice(0, limit).sort((one, other) => worth(other) - worth(one))
  }

  /** A test that needs others before it says nothing when it is run without them; nor does a file that can't be run at all. */
  async function passesUnchanged(file, test, only) {
    const key = `${file.file} ${test}`
    if (!alone.has(key)) {
      const tests = only.includes(test) ? [test] : only
      const { failed } = await worker.run({ file: file.file, only: tests }, timeOf(file))
      alone.set(key, failed === undefined)
    }
    return alone.get(key)
  }

  async function run({ measured: file, only }, mutant) {
    const attempt = (tests) => worker.run({ file: file.file, mutant: String(mutant.id), only: tests }, timeOf(file))
    const { failed } = await attempt(only)
    if (failed === undefined) return undefined
    if (!(await passesUnchanged(file, failed.test, only))) return (await attempt(namesOf(file))).failed
    // A machine that is busy is slow too.
    return TIMED_OUT.test(failed.message) ? (await attempt(only)).failed : failed
  }

  return async (mutant, ids) => {
    const jobs = chosen(mutant, ids)
    if (jobs.length === 0) return { outcome: 'not run' }
    for (const job of jobs) {
      const failed = await run(job, mutant)
      if (failed === undefined) continue
      return {
        outcome: TIMED_OUT.test(failed.message) ? 'timed out' : 'killed',
        by: `${job.measured.file}: ${failed.test}`,
      }
    }
    return { outcome: 'survived', by: `${jobs.length} files of tests` }
  }
}

/** The tests that run it; where what comes before the tests of a file does, all tests of that file. */
function jobsOf({ id }, measured) {
  const files = [...measured.values()].filter(({ tests }) => tests.length > 0)
  const jobs = files.flatMap((file) => {
    const only = has(file.setUp, id) ? file.tests : file.tests.filter(({ mutants }) => has(mutants, id))
    return only.length === 0 ? [] : [{ measured: file, only: namesOf({ tests: only }) }]
  })
  return jobs.length > 0 || !files.some(({ outside }) => has(outside, id))
    ? jobs
    : files.map((file) => ({ measured: file, only: namesOf(file) }))
}

function namesOf({ tests }) {
  return tests.map(({ test }) => test)
}

function affinities(measured, ids) {
  const run = ({ setUp, tests }, id) => has(setUp, id) || tests.some(({ mutants }) => has(mutants, id))
  return new Map([...measured.values()].map((file) => [file.file, ids.filter((id) => run(file, id)).length]))
}

/** How many changes the tests of a file run. */
function sizeOf({ setUp, tests }) {
  const run = new Set()
  for (const mutants of [setUp, ...tests.map(({ mutants }) => mutants)]) {
    for (let id = 0; id < mutants.length * 8; id += 1) if (has(mutants, id)) run.add(id)
  }
  return run.size
}
