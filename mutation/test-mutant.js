const { includes } = require('./measure-coverage')

/** An endless loop shows as a timeout or as Stryker's hit limit. */
const TIMED_OUT = /Exceeded timeout|Hit count limit|Took too long/

/** Milliseconds for a test file: a fixed part, and a multiple of each second that it took without a mutant. */
const MIN_TIMEOUT = 60_000
const TIMEOUT_PER_SECOND = 5_000

/** Seconds that each file takes before its first test. */
const LOADING_TIME = 0.2

/** Returns a function that runs the tests that cover a mutant until one fails. It returns `{ outcome, by }`. */
exports.createMutantTester = ({ worker, coverage, maxTestFiles }) => {
  const affinitiesBySource = new Map()
  const passesAlone = new Map()
  const sizes = new Map([...coverage.values()].map((file) => [file.file, countCovered(file)]))
  const timeoutOf = ({ seconds }) => MIN_TIMEOUT + seconds * TIMEOUT_PER_SECOND

  /**
   * Chooses the files that are most likely to detect the mutant. Three rankings contribute equally: files that cover most of the mutated
   * file, that cover little else, and that cover the mutant in most of their tests. Fast files run first.
   */
  function chooseJobs(mutant, ids) {
    if (!affinitiesBySource.has(mutant.file)) affinitiesBySource.set(mutant.file, affinitiesOf(coverage, ids))
    const affinities = affinitiesBySource.get(mutant.file)
    const jobs = jobsOf(mutant, coverage)
    const rankedBy = (value) => jobs.toSorted((left, right) => value(right) - value(left))
    const rankings = [
      rankedBy(({ file: { file } }) => affinities.get(file)),
      rankedBy(({ file: { file } }) => affinities.get(file) / sizes.get(file)),
      rankedBy(({ tests }) => tests.length),
    ]
    const best = new Set(jobs.flatMap((_, rank) => rankings.map((ranking) => ranking[rank])))
    const efficiency = ({ file: { file, seconds } }) => affinities.get(file) / (seconds + LOADING_TIME)
    return [...best].slice(0, maxTestFiles).sort((left, right) => efficiency(right) - efficiency(left))
  }

  /** Returns false if the test fails without a mutant when the other tests of its file don't run. Its failure proves nothing then. */
  async function passesUnmutated(file, test, tests) {
    const key = `${file.file} ${test}`
    if (!passesAlone.has(key)) {
      const only = tests.includes(test) ? [test] : tests
      const { failed } = await worker.run({ file: file.file, only }, timeoutOf(file))
      passesAlone.set(key, failed === undefined)
    }
    return passesAlone.get(key)
  }

  /** Returns the failure that a mutant causes, if any. */
  async function findFailure({ file, tests }, mutant) {
    const run = (only) => worker.run({ file: file.file, mutant: String(mutant.id), only }, timeoutOf(file))
    const { failed } = await run(tests)
    if (failed === undefined) return undefined
    if (!(await passesUnmutated(file, failed.test, tests))) return (await run(namesOf(file))).failed
    // A busy machine can cause a timeout too.
    return TIMED_OUT.test(failed.message) ? (await run(tests)).failed : failed
  }

  return async (mutant, ids) => {
    const jobs = chooseJobs(mutant, ids)
    if (jobs.length === 0) return { outcome: 'no coverage' }
    for (const job of jobs) {
      const failed = await findFailure(job, mutant)
      if (failed === undefined) continue
      return {
        outcome: TIMED_OUT.test(failed.message) ? 'timed out' : 'killed',
        by: `${job.file.file}: ${failed.test}`,
      }
    }
    return { outcome: 'survived', by: `${jobs.length} test files` }
  }
}

/** Returns the tests that cover a mutant by file. If the setup of a file covers it, all tests of that file do. */
function jobsOf({ id }, coverage) {
  const files = [...coverage.values()].filter(({ tests }) => tests.length > 0)
  const jobs = files.flatMap((file) => {
    const covering = includes(file.setup, id) ? file.tests : file.tests.filter(({ mutants }) => includes(mutants, id))
    return covering.length === 0 ? [] : [{ file, tests: namesOf({ tests: covering }) }]
  })
  const isCoveredByLoading = jobs.length === 0 && files.some(({ outside }) => includes(outside, id))
  return isCoveredByLoading ? files.map((file) => ({ file, tests: namesOf(file) })) : jobs
}

function namesOf({ tests }) {
  return tests.map(({ test }) => test)
}

/** Returns by test file how many of the mutants it covers. */
function affinitiesOf(coverage, ids) {
  const covers = ({ setup, tests }, id) => includes(setup, id) || tests.some(({ mutants }) => includes(mutants, id))
  return new Map([...coverage.values()].map((file) => [file.file, ids.filter((id) => covers(file, id)).length]))
}

/** Returns how many mutants a test file covers. */
function countCovered({ setup, tests }) {
  const covered = new Set()
  for (const mutants of [setup, ...tests.map(({ mutants }) => mutants)]) {
    for (let id = 0; id < mutants.length * 8; id += 1) if (includes(mutants, id)) covered.add(id)
  }
  return covered.size
}
