// Finds what a test file runs on one configuration and not on the one that scripts/databases.js compares it with.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('../databases')
const { differenceOf, unionOf, without } = require('./coverage')
const { AGAIN, PROBES } = require('./data')
const { IDLE, RUNS, UNKNOWN } = require('./table')

const NOTHING = []

/** `recordsOf(name)` gives the records of a configuration by file, `patternOf(id)` the list of that id. */
exports.makeComparison = (recordsOf, patternOf) => {
  const noise = findNoise(recordsOf('sqlite'), recordsOf(AGAIN), patternOf)

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
    const { beside, comparedWith } = DATABASES[name]
    if (beside === undefined) return new Map()
    if (!ofProbes.has(name)) {
      const [one, other] = [name, comparedWith].map((each) => recordsOf(each).get(PROBES[beside]))
      ofProbes.set(name, one === undefined || other === undefined ? undefined : differences(one, other))
    }
    return ofProbes.get(name)
  }

  /** Functions of TypeORM that this file calls and the probe doesn't: another line may do otherwise there. */
  function typeormBeyondProbe(file, { comparedWith }) {
    const records = recordsOf(comparedWith)
    const usual = new Set(patternOf(records.get(PROBES['basic-use'])?.typeorm))
    return patternOf(records.get(file).typeorm).filter((each) => !usual.has(each) && isOfUse(each))
  }

  /** What tells the two apart: `undefined` where one of them was not measured. */
  function evidence(file, name) {
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
    const { comparedWith, onlyWith } = DATABASES[name]
    if (comparedWith === undefined) return RUNS
    if (onlyWith !== undefined && marks[onlyWith] === IDLE) return IDLE
    const onSqlite = recordsOf('sqlite').get(file)
    if (onSqlite !== undefined && isIndependent(onSqlite, name)) return IDLE
    const found = evidence(file, name)
    if (found === undefined) return UNKNOWN
    return found.code.size > 0 || found.otherTests || found.typeorm.length > 0 ? RUNS : IDLE
  }

  /** Whether nothing that the file loads can know of the configuration, so that it needs no measuring. */
  function isIndependent({ executed, typeorm }, name) {
    if (Object.keys(executed).some(readsConfiguration)) return false
    return name !== 'sqlite-0.3' || patternOf(typeorm).length === 0
  }

  /** The marks of a file, with those of partners first. */
  function marksOf(file) {
    const marks = {}
    const names = Object.keys(DATABASES)
    for (const name of names.toSorted((one, other) => rank(one) - rank(other))) marks[name] = mark(file, name, marks)
    return marks
  }

  return { evidence, isIndependent, mark, marksOf }
}

const reading = new Map()

/** Whether a file of tests asks for the configuration. */
function readsConfiguration(path) {
  if (!reading.has(path)) {
    const place = join(ROOT, path)
    const isAsking = path.startsWith('test/') && existsSync(place) && ASKS.test(readFileSync(place, 'utf8'))
    reading.set(path, isAsking)
  }
  return reading.get(path)
}

const ROOT = join(__dirname, '..', '..')
const ASKS = /process\.env\.TEST_\w+/

/** Decorators and the description of entities are compared by their results: the statements and documents of each test. */
function isOfUse(name) {
  return !/^typeorm\/(?:decorator|metadata|metadata-args|metadata-builder|schema-builder|naming-strategy|util|error)\//.test(
    name,
  )
}

function rank(name) {
  return DATABASES[name].onlyWith === undefined ? 0 : 1
}

/** By path: what was executed in one of two runs on the same configuration. */
function findNoise(once, again, patternOf) {
  const noise = new Map()
  for (const [file, { executed }] of once) {
    const other = again.get(file)?.executed
    if (other === undefined) continue
    for (const path of new Set([...Object.keys(executed), ...Object.keys(other)])) {
      if (executed[path] === other[path]) continue
      const [first, second] = [executed[path], other[path]].map((id) => (id === undefined ? NOTHING : patternOf(id)))
      noise.set(path, unionOf(noise.get(path) ?? NOTHING, differenceOf(first, second)))
    }
  }
  return noise
}
