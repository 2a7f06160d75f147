// Measures which mutants each test covers, by running each test file without a mutant.
const { createHash } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { testFiles } = require('../scripts/runs-on')
const { BUILD, EXCLUDED_TESTS } = require('./config')

const PATH = join(BUILD, 'coverage.json')

/** Milliseconds for one test file. */
const TIMEOUT = 120_000

/** Returns the coverage by test file. Reuses earlier measurements if neither the modules nor the test file have changed. */
exports.measureCoverage = async (worker, { sources, tests, log }) => {
  const earlier = existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {}
  const modulesHash = hash(JSON.stringify(sources))
  const measured = {}
  const files = coveringTestFiles().filter((file) => tests.some((prefix) => file.startsWith(prefix)))
  for (const [index, file] of files.entries()) {
    const version = hash(`${modulesHash} ${readFileSync(file, 'utf8')}`)
    measured[file] =
      earlier[file]?.version === version ? earlier[file] : { version, ...(await measureFile(worker, file)) }
    if (measured[file] === earlier[file]) continue
    log(`${index + 1} of ${files.length}: ${file}`)
    if (index % 20 === 0) save({ ...earlier, ...measured })
  }
  save({ ...earlier, ...measured })
  return withSetup(
    Object.entries(measured).map(([file, { seconds, covered }]) => ({ file, seconds, ...decode(covered) })),
  )
}

/** Separates loading, which is what all files run outside of tests, from the setup of each file. */
function withSetup(files) {
  const outsides = files.map(({ outside }) => outside).filter((outside) => outside !== undefined)
  const loading = outsides.reduce(
    (left, right) => left.map((bits, index) => bits & (right[index] ?? 0)),
    outsides[0] ?? Buffer.alloc(0),
  )
  return new Map(
    files.map((file) => [
      file.file,
      { ...file, setup: (file.outside ?? Buffer.alloc(0)).map((bits, index) => bits & ~(loading[index] ?? 0)) },
    ]),
  )
}

/** Called during the measurement too, so that an interrupted run resumes. */
function save(measured) {
  writeFileSync(PATH, JSON.stringify(measured))
}

async function measureFile(worker, file) {
  const { seconds, passed, covered, failed } = await worker.run({ file }, TIMEOUT)
  if (failed !== undefined) process.stderr.write(`Fails without a mutant: ${file}: ${failed.test}\n${failed.message}\n`)
  if (passed === undefined) return { seconds: 0, covered: [] }
  const passing = new Set(passed)
  return { seconds, covered: covered.filter(({ test, outside }) => outside || passing.has(test)) }
}

function decode(covered) {
  const tests = covered.map(({ test, mutants, outside }) => ({
    test,
    outside,
    mutants: Buffer.from(mutants, 'base64'),
  }))
  return { tests: tests.filter(({ outside }) => !outside), outside: tests.find(({ outside }) => outside)?.mutants }
}

/** Returns true if the set of mutants contains this id. */
exports.includes = (bits, id) => bits !== undefined && (bits[id >> 3] & (1 << (id & 7))) > 0

function coveringTestFiles() {
  const isExcluded = (file) =>
    EXCLUDED_TESTS.some((each) => file.startsWith(`test/${each}/`) || file === `test/${each}.test.ts`)
  return testFiles().filter((file) => !isExcluded(file))
}

function hash(text) {
  return createHash('sha1').update(text).digest('hex')
}
