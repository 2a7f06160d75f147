// Runs checks in stages: `npm run verify`, `npm run verify -- --release`, `npm run verify -- layouts faults`, `npm run verify -- --list`. A stage that
// fails does not stop the others. Exit codes: 0 all passed, 1 a stage failed or saw nothing, 2 wrong arguments.
// build/verify has the reports of jest, the output of each step, and result.json: which stages have passed on which commit.
const { execFileSync } = require('node:child_process')
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { printTable } = require('./checks/print-table')
const { endStepsWithProcess, lineOf, runSteps } = require('./checks/run-steps')
const { STAGES } = require('./checks/stages')
const { stepsWith } = require('./checks/steps')

// Random tests run twice as many cases as in `npm test`; steps that run more set it themselves.
process.env.STEMMA_RUNS ??= '1'

const ROOT = join(__dirname, '..')
const FOLDER = join(ROOT, 'build', 'verify')
const RESULT = join(FOLDER, 'result.json')
const STEPS = stepsWith(join(FOLDER, 'reports'))
/** The stages that a release needs, and those of a run without arguments. */
const RELEASE = Object.keys(STAGES).filter((name) => !STAGES[name].onlyByName)
const USUAL = RELEASE.filter((name) => !STAGES[name].forRelease)
const FLAGS = ['--list', '--release']

async function main(words) {
  const unknown = words.filter((word) => !Object.hasOwn(STAGES, word) && !FLAGS.includes(word))
  if (unknown.length > 0) {
    console.error(`Unknown stage: ${unknown.join(', ')}. These are known:\n`)
    list(console.error)
    process.exitCode = 2
    return
  }
  const flag = words.find((word) => FLAGS.includes(word))
  const others = words.filter((word) => word !== flag)
  if (flag && others.length > 0) {
    console.error(`${flag} takes no other arguments, but got: ${others.join(', ')}. Run one of them without the other.`)
    process.exitCode = 2
    return
  }
  if (flag === '--list') return list(console.log)
  if (flag === '--release') return verify(RELEASE)
  await verify(words.length === 0 ? USUAL : Object.keys(STAGES).filter((name) => words.includes(name)))
}

function list(print) {
  for (const [name, { purpose, steps, onlyByName, forRelease }] of Object.entries(STAGES)) {
    print(`${name}: ${purpose}${onlyByName ? ' (only when it is named)' : forRelease ? ' (with --release)' : ''}`)
    for (const step of steps) print(`    ${lineOf(STEPS[step])}`)
  }
}

async function verify(names) {
  const started = performance.now()
  const state = stateOf()
  const earlier = openFolder(state)
  const results = await runSteps(withNeeded(names), join(FOLDER, 'logs'))
  const stages = names.map((name) => summarise(name, results))
  const total = (performance.now() - started) / 1000
  const isGood = results.every(({ outcome }) => outcome === 'passed')
  console.log()
  printTable(
    ['stage', 'result', 'seconds', 'passed', 'failed'],
    [
      ...stages.map(({ name, outcome, seconds, passed, failed }) => [name, outcome, seconds, passed, failed]),
      ['all', isGood ? 'passed' : 'failed', total],
    ],
  )
  console.log('Seconds of a stage are the sum of its steps; two stages may run at the same time.')
  for (const { name, outcome, why, log } of results.filter((each) => each.outcome !== 'passed'))
    console.error([`${name}: ${outcome}. ${why}`, log && `Output: ${log}`].filter(Boolean).join(' '))
  keep(state, [...earlier, ...stages])
  process.exitCode = isGood ? 0 : 1
}

/** Returns the steps of the stages, preceded by required steps whose results do not exist yet. */
function withNeeded(names) {
  const chosen = new Set(names.flatMap((name) => STAGES[name].steps))
  const found = new Set()
  const add = (name) => {
    const { needs, once, makes, unless } = STEPS[name]
    if (!chosen.has(name) && once && isThere(makes) && !(unless && isThere(unless))) return
    for (const each of needs) add(each)
    found.add(name)
  }
  for (const name of chosen) add(name)
  return [...found].map((name) => STEPS[name])
}

/** The worst outcome of the steps, and the sums of their counts. */
function summarise(name, results) {
  const own = results.filter((result) => STAGES[name].steps.includes(result.name))
  const outcome = ['failed', 'saw nothing', 'not run'].find((each) => own.some((result) => result.outcome === each))
  const counted = own.filter(({ passed }) => passed !== undefined)
  const sum = (values) => values.reduce((one, other) => one + other, 0)
  return {
    name,
    outcome: outcome ?? 'passed',
    seconds: sum(own.map(({ seconds }) => seconds)),
    ...(counted.length > 0 && {
      passed: sum(counted.map(({ passed }) => passed)),
      failed: sum(counted.map(({ failed }) => failed)),
    }),
  }
}

/** Returns the stages that were run in the same state of the repository. Reports and results of another state are removed. */
function openFolder(state) {
  try {
    const { commit, stages } = JSON.parse(readFileSync(RESULT, 'utf8'))
    if (commit === state) return stages
  } catch {
    // There is no earlier result.
  }
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(RESULT, JSON.stringify({ commit: state, stages: [], missing: RELEASE }))
  return []
}

/** `npm run release` reads this. The last result of a stage counts. */
function keep(state, stages) {
  if (stateOf() !== state) {
    console.error('The repository has changed during the run. The results are not stored.')
    return
  }
  const last = new Map(stages.map((stage) => [stage.name, stage]))
  const missing = RELEASE.filter((name) => last.get(name)?.outcome !== 'passed')
  writeFileSync(RESULT, `${JSON.stringify({ commit: state, stages: [...last.values()], missing }, null, 2)}\n`)
}

/** The commit, marked if there are uncommitted changes. */
function stateOf() {
  const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
  return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes')
}

function isThere(path) {
  return existsSync(resolve(ROOT, path))
}

endStepsWithProcess()
main(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
