// Runs steps (steps.js) in as many lanes as there are processors. The output of a step is printed in one piece when it has ended.
const { spawn } = require('node:child_process')
const { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const { dirname, join, resolve } = require('node:path')
const { countTests } = require('./count-tests')

const ROOT = join(__dirname, '..', '..')
/** More lanes would open too many connections to a server. */
const LANES = Math.min(availableParallelism(), 4)
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 10_000

const running = new Map()

/**
 * Returns a result for each step: `outcome` is 'passed', 'failed', 'saw nothing' or 'not run', `why` explains it. A step starts as soon as those in its
 * `needs` and `after` have ended and a lane is free; steps that run `alone` wait until nothing else runs.
 */
exports.runSteps = async (steps, logs, lanes = LANES) => {
  mkdirSync(logs, { recursive: true })
  const waiting = [...steps]
  const results = new Map()
  const lanesInUse = new Map()
  const names = new Set(steps.map(({ name }) => name))
  const isReady = ({ needs = [], after = [] }) =>
    [...needs, ...after].every((name) => !names.has(name) || results.has(name))
  const hasRoom = ({ alone }) =>
    lanesInUse.size === 0 || (!alone && lanesInUse.size < lanes && ![...lanesInUse.values()].some((each) => each.alone))
  const next = () => waiting.find((step) => isReady(step) && hasRoom(step))
  for (;;) {
    for (let step = next(); step !== undefined; step = next()) {
      waiting.splice(waiting.indexOf(step), 1)
      const { name, alone } = step
      const ended = perform(step, results, logs).then((result) => {
        results.set(name, result)
        lanesInUse.delete(name)
      })
      lanesInUse.set(name, { alone, ended })
    }
    if (lanesInUse.size === 0) break
    await Promise.race([...lanesInUse.values()].map(({ ended }) => ended))
  }
  if (waiting.length > 0)
    throw new Error(`These steps wait for each other: ${waiting.map(({ name }) => name).join(', ')}`)
  return steps.map(({ name }) => results.get(name))
}

/** Ends the programs of all steps when this process is interrupted or ends. */
exports.endStepsWithProcess = () => {
  process.on('exit', () => {
    for (const end of running.values()) end('SIGKILL')
  })
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
}

async function perform(step, results, logs) {
  const { name, needs = [] } = step
  const broken = needs.find((each) => results.has(each) && results.get(each).outcome !== 'passed')
  if (broken !== undefined) return { name, outcome: 'not run', why: `It needs '${broken}'.`, seconds: 0 }
  console.log(`-- ${name} ...`)
  const report = step.report && resolve(ROOT, step.report)
  if (report !== undefined) {
    mkdirSync(dirname(report), { recursive: true })
    rmSync(report, { force: true })
  }
  const started = performance.now()
  const log = join(logs, `${name.replace(/\W+/g, '-')}.log`)
  const end = await execute(step, log)
  const seconds = (performance.now() - started) / 1000
  const output = readFileSync(log, 'utf8')
  const result = { name, seconds, log, ...(report && countTests([report])), ...judge(step, end, output, report) }
  console.log(`\n== ${name}, ${seconds.toFixed(1)} s: ${lineOf(step)}\n${output.trimEnd()}`)
  console.log(`== ${name}: ${result.outcome}${result.why ? `. ${result.why}` : ''}\n`)
  return result
}

/** Runs a step with its output in a file: a pipe would stay open while a leftover child process holds it. */
function execute({ command: [program, ...words], env, minutes = 10, name }, log) {
  const output = openSync(log, 'w')
  return new Promise((settle) => {
    // A separate process group, so that all processes of the step can be ended.
    const child = spawn(program, words, {
      cwd: ROOT,
      // With CI jest does not write snapshots.
      env: { ...process.env, CI: 'true', ...env },
      stdio: ['ignore', output, output],
      detached: true,
    })
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch {
        // All processes have ended.
      }
    }
    let isLate = false
    const timers = [
      setTimeout(() => {
        isLate = true
        end('SIGTERM')
        timers.push(setTimeout(end, GRACE, 'SIGKILL'))
      }, minutes * 60_000),
    ]
    const finish = (status) => {
      for (const timer of timers) clearTimeout(timer)
      if (child.pid !== undefined) end('SIGKILL')
      running.delete(name)
      closeSync(output)
      settle(isLate ? `It took more than ${minutes} minutes.` : status)
    }
    child.once('error', (error) => {
      writeSync(output, error.message)
      finish(`It can't be started: ${error.message}`)
    })
    child.once('exit', (code, signal) => finish(code === 0 ? undefined : `It ended with ${code ?? signal}.`))
    running.set(name, end)
  })
}

/** Returns the outcome of a step. `end`: the failure of its program, or undefined. */
function judge({ shows, makes }, end, output, report) {
  if (end !== undefined) return { outcome: 'failed', why: end }
  if (shows !== undefined && !shows.test(output)) return { outcome: 'saw nothing', why: `Its output lacks ${shows}.` }
  if (makes !== undefined && !existsSync(resolve(ROOT, makes)))
    return { outcome: 'saw nothing', why: `${makes} is not there.` }
  if (report === undefined) return { outcome: 'passed' }
  const { passed, failed, problem } = countTests([report])
  if (failed > 0) return { outcome: 'failed', why: `${failed} tests failed.` }
  return problem === undefined && passed > 0 ? { outcome: 'passed' } : { outcome: 'saw nothing', why: problem }
}

/** Returns the command line of a step, quoted for a shell. */
exports.lineOf = lineOf
function lineOf({ command, env = {} }) {
  const quoted = command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
  return [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...quoted].join(' ')
}
