const { MODULES } = require('./config')

/** The changes that count for the threshold: those that some test runs. */
const HELD = 'of those run'

/** Prints what became of the changes. Gives whether enough of them were noticed. */
exports.report = (results, mutants, { module: modules, seed, files, again }) => {
  const rows = modules.map((module) =>
    rowOf(
      module,
      results.filter((result) => result.module === module),
      mutants,
    ),
  )
  const unnoticed = results.filter(({ outcome }) => outcome === 'survived' || outcome === 'not run')
  for (const { file, line, column, mutator, original, replacement, outcome } of unnoticed) {
    console.log(`${outcome}: ${file}:${line}:${column} ${mutator}: ${short(original)} -> ${short(replacement)}`)
  }
  console.log('')
  console.table(Object.fromEntries(rows.map(({ module, ...figures }) => [module, figures])))
  console.log(`Drawn with seed ${seed}; each by at most ${files} files of tests.`)
  if (again) return true
  const low = rows.filter((row) => row.tried > 0 && row[HELD] < MODULES[row.module].threshold)
  for (const { module, [HELD]: share } of low) {
    console.log(`${module}: ${share} % are noticed of those run, and ${MODULES[module].threshold} % should be.`)
  }
  return low.length === 0
}

function rowOf(module, results, mutants) {
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length
  const noticed = count('killed') + count('timed out')
  return {
    module,
    changes: mutants.filter((mutant) => mutant.module === module).length,
    tried: results.length,
    killed: count('killed'),
    'timed out': count('timed out'),
    survived: count('survived'),
    'not run': count('not run'),
    score: shareOf(noticed, results.length),
    [HELD]: shareOf(noticed, results.length - count('not run')),
  }
}

function shareOf(part, whole) {
  return whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10
}

function short(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 80)} ...` : line
}
