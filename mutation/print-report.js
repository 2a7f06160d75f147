const { MODULES } = require('./config')

/** Column of the score that the threshold applies to. */
const COVERED_SCORE = 'score of covered'

/** Prints the results. Returns true if every module reaches its threshold. */
exports.printReport = (results, mutants, { module: modules, seed, 'max-test-files': maxTestFiles, survivors }) => {
  const rows = modules.map((module) =>
    rowOf(
      module,
      results.filter((result) => result.module === module),
      mutants,
    ),
  )
  const undetected = results.filter(({ outcome }) => outcome === 'survived' || outcome === 'no coverage')
  for (const { file, line, column, mutator, original, replacement, outcome } of undetected) {
    console.log(`${outcome}: ${file}:${line}:${column} ${mutator}: ${truncate(original)} -> ${truncate(replacement)}`)
  }
  console.log('')
  console.table(Object.fromEntries(rows.map(({ module, ...figures }) => [module, figures])))
  console.log(`Seed ${seed}, at most ${maxTestFiles} test files for each mutant.`)
  if (survivors) return true
  const low = rows.filter((row) => row.tested > 0 && row[COVERED_SCORE] < MODULES[row.module].threshold)
  for (const { module, [COVERED_SCORE]: share } of low) {
    console.log(
      `${module}: ${share} % of the covered mutants were detected; the minimum is ${MODULES[module].threshold} %.`,
    )
  }
  return low.length === 0
}

function rowOf(module, results, mutants) {
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length
  const detected = count('killed') + count('timed out')
  return {
    module,
    mutants: mutants.filter((mutant) => mutant.module === module).length,
    tested: results.length,
    killed: count('killed'),
    'timed out': count('timed out'),
    survived: count('survived'),
    'no coverage': count('no coverage'),
    score: percentageOf(detected, results.length),
    [COVERED_SCORE]: percentageOf(detected, results.length - count('no coverage')),
  }
}

function percentageOf(part, whole) {
  return whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10
}

function truncate(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 80)} ...` : line
}
