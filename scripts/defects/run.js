// Inserts one small defect at a time into a copy of the project, and runs the tests of `.ci/run` or `npm run verify` until one fails:
//   npm run defects -- --level ci           with the tests of `.ci/run`
//   npm run defects -- --level verify       with the tests of `npm run verify`
//   npm run defects -- --level ci --only 3,17   only these; `--minutes 2`: time limit for each defect
// The file that `noticedBy` of a defect names runs first. If it passes, all other files of the level follow, and the last lines say which of them failed instead. Only then
// the data of `npm run matrix -- --all` helps: it records which test files execute the changed code.
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { copyTree } = require('./copy-tree')
const { DEFECTS } = require('./defects')
const { LEVELS, noticingStepOf, planOf } = require('./plan')
const { createCoverageLookup, positionOf } = require('./coverage-lookup')
const { runFiles } = require('./run-files')

const ROOT = join(__dirname, '..', '..')
const TREE = join(ROOT, 'build', 'defects', 'tree')
const REPORT = join(ROOT, 'build', 'defects')

/** Default time limit for each defect. */
const MAX_MINUTES = 4

async function main(args) {
  const { level, only, minutes } = parseCliArguments(args)
  for (const defect of DEFECTS) insertDefect(ROOT, defect)
  copyTree(ROOT, TREE)
  const coverage = createCoverageLookup()
  const results = []
  const started = performance.now()
  for (const defect of only === undefined ? DEFECTS : DEFECTS.filter(({ id }) => only.includes(id))) {
    const result = await testDefect(defect, { level, coverage, milliseconds: minutes * 60_000 })
    results.push({ id: defect.id, what: defect.what, ...result })
    console.log(lineOf(defect, result))
    writeFileSync(join(REPORT, `${level}.json`), `${JSON.stringify(results, undefined, 2)}\n`)
  }
  const caught = results.filter(({ by }) => by !== undefined).length
  const took = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`\n${level}: ${caught} of ${results.length} defects caught, in ${took} minutes`)
  for (const { id, what } of results.filter(({ by }) => by === undefined)) console.log(`missed: ${id} ${what}`)
  for (const { id, by } of results.filter((result) => isNoticedElsewhere(result)))
    console.log(`update \`noticedBy\`: ${id} is noticed by ${by.file} on ${by.name}`)
}

/** Returns true if another file than the one of `noticedBy` has failed. */
function isNoticedElsewhere({ id, by }) {
  const { name, files } = noticingStepOf(DEFECTS.find((defect) => defect.id === id))
  return by !== undefined && (by.name !== name || !files.includes(by.file))
}

function parseCliArguments(args) {
  const optionValue = (flag) => {
    const index = args.indexOf(flag)
    return index < 0 ? undefined : args[index + 1]
  }
  const level = optionValue('--level')
  if (!LEVELS.includes(level)) throw new Error(`Expected --level ${LEVELS.join(' or ')}, found ${level}.`)
  return {
    level,
    only: optionValue('--only')?.split(',').map(Number),
    minutes: Number(optionValue('--minutes') ?? MAX_MINUTES),
  }
}

/** Returns the text of the file with the defect. */
function insertDefect(root, { id, file, find, replace }) {
  const text = readFileSync(join(root, file), 'utf8')
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`Defect ${id}: expected its text once in ${file}, found it ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

async function testDefect(defect, { level, coverage, milliseconds }) {
  const started = performance.now()
  const end = started + milliseconds
  const secondsSince = () => Number(((performance.now() - started) / 1000).toFixed(1))
  const target = join(TREE, defect.file)
  const original = readFileSync(join(ROOT, defect.file), 'utf8')
  const changed = insertDefect(ROOT, defect)
  let count = 0
  for (const { name, files } of planOf(defect, positionOf(defect), level, coverage)) {
    const rest = [...files]
    while (rest.length > 0) {
      const left = end - performance.now()
      if (left <= 0) return { seconds: secondsSince(), files: count, isTimedOut: true }
      writeFileSync(target, changed)
      const { failure, isOver } = await runFiles(TREE, { name, files: rest }, left).finally(() =>
        writeFileSync(target, original),
      )
      if (failure === undefined && isOver) return { seconds: secondsSince(), files: count, isTimedOut: true }
      count += failure === undefined ? rest.length : rest.indexOf(failure.file) + 1
      if (failure === undefined) break
      const seconds = secondsSince()
      if (await passes(name, failure.file)) return { by: { name, ...failure }, seconds, files: count }
      rest.splice(0, rest.indexOf(failure.file) + 1)
    }
  }
  return { seconds: secondsSince(), files: count }
}

const passing = new Map()

/** Returns false if the file fails without the defect too. Its failure proves nothing then. */
async function passes(name, file) {
  const key = `${name} ${file}`
  if (!passing.has(key)) {
    const { failure, isOver } = await runFiles(TREE, { name, files: [file] }, MAX_MINUTES * 60_000)
    passing.set(key, failure === undefined && !isOver)
    if (!passing.get(key)) console.error(`Fails without a defect: ${file} on ${name}: ${failure?.test}`)
  }
  return passing.get(key)
}

function lineOf({ id, what }, { by, seconds, files, isTimedOut }) {
  const number = String(id).padStart(2)
  const time = `${seconds} s`.padStart(8)
  if (by !== undefined) return `${number} ${time}  caught  ${what}\n              ${by.name}: ${by.file} › ${by.test}`
  return `${number} ${time}  MISSED  ${what} (${files} files${isTimedOut ? ', timed out' : ''})`
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
