// Runs test files in this process, one after the other, each with one mutant or none. Dependencies stay loaded.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const Environment = require('../test/support/jest/environment')
const runTests = require('../test/support/jest/runner')
const { BUILD } = require('./config')

const { globalConfig, config } = JSON.parse(readFileSync(join(BUILD, 'jest.json'), 'utf8'))

/** Executions of a mutant after which it counts as an endless loop. */
const HIT_LIMIT = 1_000_000

/** The name for code that a file runs before and between its tests. */
const OUTSIDE = 'outside of tests'

const stryker = { mutantCoverage: { static: {}, perTest: {} } }
globalThis.__stryker__ = stryker

/** The members of a runtime that jest-circus uses in addition to those that the runner adds. */
const runtime = { getSourceMaps: () => sourceMaps, enterTestCode() {}, leaveTestCode() {} }
const sourceMaps = new Map()

class RecordingEnvironment extends Environment {
  constructor({ only, onPass }) {
    super()
    this.only = only && new Set(only)
    this.onPass = onPass
    this.keys = new Map()
  }

  handleTestEvent(event, state) {
    if (event.name === 'run_start') this.nameTests(state.rootDescribeBlock, '', new Map())
    if (event.name === 'test_start') this.start(event.test)
    if (event.name === 'test_done') this.finish(event.test)
    if (event.name === 'run_finish' && state.unhandledErrors.length > 0) this.fail(OUTSIDE, state.unhandledErrors[0])
  }

  nameTests(block, prefix, counts) {
    for (const child of block.children) {
      const name = `${prefix} ${child.name}`.trim()
      if (child.type === 'describeBlock') this.nameTests(child, name, counts)
      else this.nameTest(child, name, counts)
    }
  }

  /** Tests of the same name get a number. */
  nameTest(test, name, counts) {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const key = count === 1 ? name : `${name} #${count}`
    this.keys.set(test, key)
    if (this.only?.has(key) === false) test.mode = 'skip'
  }

  start(test) {
    if (this.failed !== undefined && this.only !== undefined) test.mode = 'skip'
    if (test.mode !== 'skip') stryker.currentTestId = this.keys.get(test)
  }

  finish(test) {
    stryker.currentTestId = OUTSIDE
    if (test.errors.length > 0) this.fail(this.keys.get(test), test.errors[0])
    else this.onPass(this.keys.get(test))
  }

  fail(test, error) {
    const [cause] = [error].flat()
    if (this.failed !== undefined) return
    this.failed = { test, message: String(cause?.message ?? cause).slice(0, 400) }
    process.send({ kind: 'failed', ...this.failed })
  }
}

async function runFile({ file, mutant, only }) {
  const passed = []
  const environment = new RecordingEnvironment({ only, onPass: (test) => passed.push(test) })
  const started = performance.now()
  stryker.mutantCoverage.perTest = {}
  stryker.currentTestId = OUTSIDE
  Object.assign(stryker, { activeMutant: mutant, hitCount: 0, hitLimit: HIT_LIMIT })
  try {
    await runTests(globalConfig, config, environment, runtime, join(config.rootDir, file), () => {})
  } catch (error) {
    environment.fail(OUTSIDE, error)
  }
  stryker.activeMutant = undefined
  await environment.teardown()
  const seconds = (performance.now() - started) / 1000
  const covered = mutant === undefined ? coverage() : undefined
  process.send({ kind: 'done', seconds, passed, covered, memory: process.memoryUsage().rss })
}

function coverage() {
  const tests = Object.entries(stryker.mutantCoverage.perTest)
  return tests.map(([test, hits]) => ({ test, mutants: toBits(Object.keys(hits)), outside: test === OUTSIDE }))
}

/** A compact form: thousands of tests cover thousands of mutants each. */
function toBits(ids) {
  const bits = Buffer.alloc(Math.floor(Math.max(0, ...ids) / 8) + 1)
  for (const id of ids) bits[id >> 3] |= 1 << (id & 7)
  return bits.toString('base64')
}

// The parent process was killed.
process.on('disconnect', () => process.exit(1))
process.on('message', runFile)
