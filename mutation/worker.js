// Runs files of tests in this process, one after the other, each with one change switched on or with none. What is not ours stays loaded.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const Environment = require('../test/support/jest/environment')
const runTests = require('../test/support/jest/runner')
const { BUILD } = require('./config')

const { globalConfig, config } = JSON.parse(readFileSync(join(BUILD, 'jest.json'), 'utf8'))

/** A change may make a loop that never ends. */
const HITS = 1_000_000

/** Of what a file does before its tests, and between them. */
const OUTSIDE = 'outside of tests'

const switches = { mutantCoverage: { static: {}, perTest: {} } }
globalThis.__stryker__ = switches

/** What jest-circus asks of a runtime beside what the runner gives it. */
const runtime = { getSourceMaps: () => sourceMaps, enterTestCode() {}, leaveTestCode() {} }
const sourceMaps = new Map()

class Watching extends Environment {
  constructor({ only, tell }) {
    super()
    this.only = only && new Set(only)
    this.tell = tell
    this.keys = new Map()
  }

  handleTestEvent(event, state) {
    if (event.name === 'run_start') this.choose(state.rootDescribeBlock, '', new Map())
    if (event.name === 'test_start') this.start(event.test)
    if (event.name === 'test_done') this.finish(event.test)
    if (event.name === 'run_finish' && state.unhandledErrors.length > 0) this.fail(OUTSIDE, state.unhandledErrors[0])
  }

  choose(block, prefix, taken) {
    for (const child of block.children) {
      const name = `${prefix} ${child.name}`.trim()
      if (child.type === 'describeBlock') this.choose(child, name, taken)
      else this.name(child, name, taken)
    }
  }

  name(test, name, taken) {
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    const key = count === 1 ? name : `${name} #${count}`
    this.keys.set(test, key)
    if (this.only?.has(key) === false) test.mode = 'skip'
  }

  start(test) {
    if (this.failed !== undefined && this.only !== undefined) test.mode = 'skip'
    if (test.mode !== 'skip') switches.currentTestId = this.keys.get(test)
  }

  finish(test) {
    switches.currentTestId = OUTSIDE
    if (test.errors.length > 0) this.fail(this.keys.get(test), test.errors[0])
    else this.tell?.(this.keys.get(test))
  }

  fail(test, error) {
    const [told] = [error].flat()
    if (this.failed !== undefined) return
    this.failed = { test, message: String(told?.message ?? told).slice(0, 400) }
    process.send({ kind: 'failed', ...this.failed })
  }
}

async function runFile({ file, mutant, only }) {
  const passed = []
  const environment = new Watching({ only, tell: (test) => passed.push(test) })
  const started = performance.now()
  switches.mutantCoverage.perTest = {}
  switches.currentTestId = OUTSIDE
  Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit: HITS })
  try {
    await runTests(globalConfig, config, environment, runtime, join(config.rootDir, file), () => {})
  } catch (error) {
    environment.fail(OUTSIDE, error)
  }
  switches.activeMutant = undefined
  await environment.teardown()
  const seconds = (performance.now() - started) / 1000
  const covered = mutant === undefined ? coverage() : undefined
  process.send({ kind: 'done', seconds, passed, covered, memory: process.memoryUsage().rss })
}

function coverage() {
  const tests = Object.entries(switches.mutantCoverage.perTest)
  return tests.map(([test, hits]) => ({ test, mutants: toBits(Object.keys(hits)), outside: test === OUTSIDE }))
}

/** As text: thousands of tests run thousands of changes each. */
function toBits(ids) {
  const bits = Buffer.alloc(Math.floor(Math.max(0, ...ids) / 8) + 1)
  for (const id of ids) bits[id >> 3] |= 1 << (id & 7)
  return bits.toString('base64')
}

// The parent goes when it is ended from outside.
process.on('disconnect', () => process.exit(1))
process.on('message', runFile)
