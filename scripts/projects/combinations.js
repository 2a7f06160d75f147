// The projects that `stemma init` can write: one for each combination of its options.
const CHOICES = {
  database: ['sqlite', 'postgres', 'mariadb'],
  tests: ['jest', 'vitest'],
  framework: ['express', 'nestjs'],
  auth: [false, true],
  migrations: [false, true],
}

/** Returns all combinations. */
exports.allCombinations = () =>
  Object.entries(CHOICES).reduce(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [{}],
  )

/** Returns combinations in which each two choices of different options occur together. */
exports.pairedCombinations = () => {
  const uncovered = new Set(exports.allCombinations().flatMap(pairsOf))
  const chosen = []
  while (uncovered.size > 0) {
    const gain = (combination) => pairsOf(combination).filter((pair) => uncovered.has(pair)).length
    const best = exports.allCombinations().reduce((best, each) => (gain(each) > gain(best) ? each : best))
    for (const pair of pairsOf(best)) uncovered.delete(pair)
    chosen.push(best)
  }
  return chosen
}

function pairsOf(combination) {
  const choices = Object.entries(combination).map(([name, value]) => `${name}=${value}`)
  return choices.flatMap((one, index) => choices.slice(index + 1).map((other) => `${one} ${other}`))
}

exports.nameOf = ({ database, tests, framework, auth, migrations }) =>
  [database, tests, framework, ...(auth ? ['auth'] : []), ...(migrations ? ['migrations'] : [])].join('-')

/** The options of `stemma init`. */
exports.optionsOf = ({ database, tests, framework, auth, migrations }) => [
  ...['--database', database, '--tests', tests, '--framework', framework],
  ...(auth ? ['--auth'] : []),
  ...(migrations ? ['--migrations'] : []),
]
