// Which changes each test runs.
const { createHash } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { testFiles } = require('../scripts/runs-on')
const { BLIND, BUILD } = require('./config')

const PATH = join(BUILD, 'coverage.json')

/** One file without any change. */
const LONGEST = 120_000

/** By file of tests. What was measured before is taken over where neither the modules nor the file have changed. */
exports.measure = async (worker, { texts, tests, tell }) => {
  const known = existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {}
  const modules = digest(JSON.stringify(texts))
  const measured = {}
  const files = filesOfTests().filter((file) => tests.some((start) => file.startsWith(start)))
  for (const [index, file] of files.entries()) {
    const state = digest(`${modules} ${readFileSync(file, 'utf8')}`)
    measured[file] = known[file]?.state === state ? known[file] : { state, ...(await measureFile(worker, file)) }
    if (measured[file] === known[file]) continue
    tell(`${index + 1} of ${files.length}: ${file}`)
    if (index % 20 === 0) save({ ...known, ...measured })
  }
  save({ ...known, ...measured })
  return withSetUps(
    Object.entries(measured).map(([file, { seconds, covered }]) => ({ file, seconds, ...read(covered) })),
  )
}

/** What all files run outside of their tests is what loading runs; the rest of a file's is its set-up. */
function withSetUps(files) {
  const some = files.map(({ outside }) => outside).filter((outside) => outside !== undefined)
  const loading = some.reduce(
    (one, other) => one.map((bits, at) => bits & (other[at] ?? 0)),
    some[0] ?? Buffer.alloc(0),
  )
  return new Map(
    files.map((file) => [
      file.file,
      { ...file, setUp: (file.outside ?? Buffer.alloc(0)).map((bits, at) => bits & ~(loading[at] ?? 0)) },
    ]),
  )
}

/** Also on the way: it takes minutes. */
function save(measured) {
  writeFileSync(PATH, JSON.stringify(measured))
}

async function measureFile(worker, file) {
  const { seconds, passed, covered, failed } = await worker.run({ file }, LONGEST)
  if (failed !== undefined)
    process.stderr.write(`Fails without any change: ${file}: ${failed.test}\n${failed.message}\n`)
  if (passed === undefined) return { seconds: 0, covered: [] }
  const passing = new Set(passed)
  return { seconds, covered: covered.filter(({ test, outside }) => outside || passing.has(test)) }
}

function read(covered) {
  const tests = covered.map(({ test, mutants, outside }) => ({
    test,
    outside,
    mutants: Buffer.from(mutants, 'base64'),
  }))
  return { tests: tests.filter(({ outside }) => !outside), outside: tests.find(({ outside }) => outside)?.mutants }
}

/** Whether a change is among those that were run. */
exports.has = (bits, id) => bits !== undefined && (bits[id >> 3] & (1 << (id & 7))) > 0

/** Those of `npm test`. */
function filesOfTests() {
  const isBlind = (file) => BLIND.some((blind) => file.startsWith(`test/${blind}/`) || file === `test/${blind}.test.ts`)
  return testFiles().filter((file) => !isBlind(file))
}

function digest(text) {
  return createHash('sha1').update(text).digest('hex')
}
