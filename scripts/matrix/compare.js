// Compares the code that a test file executes on a configuration and on the one that scripts/databases.js compares it with.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('../databases')
const { differenceOf, unionOf, without } = require('./coverage')
const { SECOND_RUN, PROBES } = require('./data')
const { SKIPPED, RUNS, UNKNOWN } = require('./table')

const NOTHING = []

/** `recordsOf(name)` gives the records of a configuration by file, `patternOf(id)` the list of that id. */
exports.createComparison = (recordsOf, patternOf) => {
  const noise = findNoise(recordsOf('sqlite'), recordsOf(SECOND_RUN), patternOf)

  /** By path: the parts that only one of two records has executed. */
  function differences(one, other) {
    const found = new Map()
    for (const path of new Set([...Object.keys(one.executed), ...Object.keys(other.executed)])) {
      const [first, second] = [one.executed[path], other.executed[path]]
      if (first === second) continue
      const parts = differenceOf(
        first === undefined ? NOTHING : patternOf(first),
        second === undefined ? NOTHING : patternOf(second),
      )
      const quiet = without(parts, noise.get(path) ?? NOTHING)
      if (quiet.length > 0) found.set(path, quiet)
    }
    return found
  }

  const ofProbes = new Map()
  function probeDifferences(name) {
    const { probe, comparedWith } = DATABASES[name]
    if (probe === undefined) return new Map()
    if (!ofProbes.has(name)) {
      const [one, other] = [name, comparedWith].map((each) => recordsOf(each).get(PROBES[probe]))
      ofProbes.set(name, one === undefined || other === undefined ? undefined : differences(one, other))
    }
    return ofProbes.get(name)
  }

  /** Returns the functions of TypeORM that this file calls and the probe doesn't. Another TypeORM version may behave differently there. */
  function typeormBeyondProbe(file, { comparedWith }) {
    const records = recordsOf(comparedWith)
    const usual = new Set(patternOf(records.get(PROBES['basic-use'])?.typeorm))
    return patternOf(records.get(file).typeorm).filter((each) => !usual.has(each) && isRelevant(each))
  }

  /** Returns the differences between two configurations, or `undefined` if one was not measured. */
  function findDifferences(file, name) {
    const configuration = DATABASES[name]
    const [one, other] = [name, configuration.comparedWith].map((each) => recordsOf(each).get(file))
    const ofProbe = probeDifferences(name)
    if (one === undefined || other === undefined || ofProbe === undefined) return undefined
    const code = new Map()
    for (const [path, parts] of differences(one, other)) {
      const own = without(parts, ofProbe.get(path) ?? NOTHING)
      if (own.length > 0) code.set(path, own)
    }
    const otherTests = one.tests.passed !== other.tests.passed
    const isOtherLine = configuration.typeorm !== DATABASES[configuration.comparedWith].typeorm
    const typeorm = isOtherLine ? typeormBeyondProbe(file, configuration) : []
    return { code, otherTests, typeorm }
  }

  function mark(file, name, marks) {
    const { comparedWith, skippedWith } = DATABASES[name]
    if (comparedWith === undefined) return RUNS
    if (skippedWith !== undefined && marks[skippedWith] === SKIPPED) return SKIPPED
    const onSqlite = recordsOf('sqlite').get(file)
    if (onSqlite !== undefined && isIndependent(onSqlite, name)) return SKIPPED
    const found = findDifferences(file, name)
    if (found === undefined) return UNKNOWN
    return found.code.size > 0 || found.otherTests || found.typeorm.length > 0 ? RUNS : SKIPPED
  }

  /** Returns true if no code that the file loads depends on the configuration. Such a file needs no measuring. */
  function isIndependent({ executed, typeorm }, name) {
    if (Object.keys(executed).some(readsConfiguration)) return false
    return name !== 'sqlite-0.3' || patternOf(typeorm).length === 0
  }

  /** Returns the marks of a file. Computes those that others depend on first. */
  function marksOf(file) {
    const marks = {}
    const names = Object.keys(DATABASES)
    for (const name of names.toSorted((one, other) => rank(one) - rank(other))) marks[name] = mark(file, name, marks)
    return marks
  }

  return { findDifferences, isIndependent, mark, marksOf }
}

const reading = new Map()

/** Returns true if a file in `test` reads the configuration. */
function readsConfiguration(path) {
  if (!reading.has(path)) {
    const filename = join(ROOT, path)
    const isReading =
      path.startsWith('test/') && existsSync(filename) && CONFIGURATION.test(readFileSync(filename, 'utf8'))
    reading.set(path, isReading)
  }
  return reading.get(path)
}

const ROOT = join(__dirname, '..', '..')
const CONFIGURATION = /process\.env\.TEST_\w+/

/** Decorators and metadata are left out: their effect shows in the statements and documents of each test. */
function isRelevant(name) {
  return !/^typeorm\/(?:decorator|metadata|metadata-args|metadata-builder|schema-builder|naming-strategy|util|error)\//.test(
    name,
  )
}

function rank(name) {
  return DATABASES[name].skippedWith === undefined ? 0 : 1
}

/** Returns by path the parts that differ between two runs on the same configuration. */
function findNoise(first, second, patternOf) {
  const noise = new Map()
  for (const [file, { executed }] of first) {
    const other = second.get(file)?.executed
    if (other === undefined) continue
    for (const path of new Set([...Object.keys(executed), ...Object.keys(other)])) {
      if (executed[path] === other[path]) continue
      const [left, right] = [executed[path], other[path]].map((id) => (id === undefined ? NOTHING : patternOf(id)))
      noise.set(path, unionOf(noise.get(path) ?? NOTHING, differenceOf(left, right)))
    }
  }
  return noise
}
