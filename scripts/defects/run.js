// Puts one small defect after the other into a copy of the project, and runs the tests that a level of checking would run until one fails:
//   npm run defects -- --level ci           what `.ci/run` notices
//   npm run defects -- --level verify       what `npm run verify` notices
//   npm run defects -- --level ci --only 3,17   only these; `--minutes 2`: for each defect at most
// `npm run matrix -- --all` before makes it quick: then it is known which test files execute the changed code.
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { copyTree } = require('./copy-tree')
const { DEFECTS } = require('./defects')
const { LEVELS, planOf } = require('./plan')
const { makeReach, placeOf } = require('./reach')
const { runFiles } = require('./run-files')

const ROOT = join(__dirname, '..', '..')
const TREE = join(ROOT, 'build', 'defects', 'tree')
const REPORT = join(ROOT, 'build', 'defects')

/** For one defect, if the command does not say otherwise. */
const MOST_MINUTES = 4

async function main(words) {
  const { level, only, minutes } = readWords(words)
  for (const defect of DEFECTS) replacedIn(ROOT, defect)
  copyTree(ROOT, TREE)
  const reach = makeReach()
  const results = []
  const started = performance.now()
  for (const defect of only === undefined ? DEFECTS : DEFECTS.filter(({ id }) => only.includes(id))) {
    const result = await tryDefect(defect, { level, reach, milliseconds: minutes * 60_000 })
    results.push({ id: defect.id, what: defect.what, ...result })
    console.log(lineOf(defect, result))
    writeFileSync(join(REPORT, `${level}.json`), `${JSON.stringify(results, undefined, 2)}\n`)
  }
  const caught = results.filter(({ by }) => by !== undefined).length
  const took = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`\n${level}: ${caught} of ${results.length} defects caught, in ${took} minutes`)
  for (const { id, what } of results.filter(({ by }) => by === undefined)) console.log(`missed: ${id} ${what}`)
}

function readWords(words) {
  const wordBehind = (flag) => {
    const at = words.indexOf(flag)
    return at < 0 ? undefined : words[at + 1]
  }
  const level = wordBehind('--level')
  if (!LEVELS.includes(level)) throw new Error(`Expected --level ${LEVELS.join(' or ')}, found ${level}.`)
  return {
    level,
    only: wordBehind('--only')?.split(',').map(Number),
    minutes: Number(wordBehind('--minutes') ?? MOST_MINUTES),
  }
}

/** The text of the file with the defect. */
function replacedIn(root, { id, file, find, replace }) {
  const text = readFileSync(join(root, file), 'utf8')
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`Defect ${id}: expected its text once in ${file}, found it ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

async function tryDefect(defect, { level, reach, milliseconds }) {
  const started = performance.now()
  const end = started + milliseconds
  const secondsSince = () => Number(((performance.now() - started) / 1000).toFixed(1))
  const target = join(TREE, defect.file)
  const original = readFileSync(join(ROOT, defect.file), 'utf8')
  const changed = replacedIn(ROOT, defect)
  let count = 0
  for (const { name, files } of planOf(defect, placeOf(defect), level, reach)) {
    const rest = [...files]
    while (rest.length > 0) {
      const left = end - performance.now()
      if (left <= 0) return { seconds: secondsSince(), files: count, isCutOff: true }
      writeFileSync(target, changed)
      const { failure, isOver } = await runFiles(TREE, { name, files: rest }, left).finally(() =>
        writeFileSync(target, original),
      )
      if (failure === undefined && isOver) return { seconds: secondsSince(), files: count, isCutOff: true }
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

/** Whether the file passes without a defect: else its failure says nothing. */
async function passes(name, file) {
  const key = `${name} ${file}`
  if (!passing.has(key)) {
    const { failure, isOver } = await runFiles(TREE, { name, files: [file] }, MOST_MINUTES * 60_000)
    passing.set(key, failure === undefined && !isOver)
    if (!passing.get(key)) console.error(`Fails without a defect: ${file} on ${name}: ${failure?.test}`)
  }
  return passing.get(key)
}

function lineOf({ id, what }, { by, seconds, files, isCutOff }) {
  const number = String(id).padStart(2)
  const time = `${seconds} s`.padStart(8)
  if (by !== undefined) return `${number} ${time}  caught  ${what}\n              ${by.name}: ${by.file} › ${by.test}`
  return `${number} ${time}  MISSED  ${what} (${files} files${isCutOff ? ', time is up' : ''})`
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
