// Runs the tests and lists the branches that no test takes: `npm run coverage`, or `npm run coverage -- sqlite postgres mariadb`.
const { spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { DATABASES } = require('./databases')

const root = join(__dirname, '..')

/** `src/store/typeorm` has code for each database, so a run on one database cannot take all branches. */
const MODULES = ['src/query', 'src/plan', 'src/definitions', 'src/store/typeorm']

/** Branches that no request can reach call one of these. */
const GUARD = /\bassertNever\(|\bInvariantError\b/

function main([...words]) {
  const databases = words.filter((word) => DATABASES[word] !== undefined)
  const rest = words.filter((word) => DATABASES[word] === undefined)
  const maps = (databases.length === 0 ? ['sqlite'] : databases).map((database) => runOn(database, rest))
  const files = merge(maps)
  for (const module of MODULES) printBranches(module, files)
}

function runOn(database, words) {
  const directory = join('build', 'coverage', database)
  const sources = MODULES.flatMap((module) => ['--collectCoverageFrom', `${module}/**/*.ts`])
  const output = ['--coverageReporters', 'json', '--coverageDirectory', directory]
  const jest = ['--silent', '--coverage', ...sources, ...output, ...words]
  const { status } = spawnSync(process.execPath, [join(__dirname, 'test-on.js'), database, ...jest], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
  return JSON.parse(readFileSync(join(root, directory, 'coverage-final.json'), 'utf8'))
}

/** A branch counts as taken if one of the databases takes it. */
function merge(maps) {
  const files = new Map()
  for (const [path, { branchMap, b: hits }] of maps.flatMap((map) => Object.entries(map))) {
    const file = relative(root, path)
    const branches = files.get(file) ?? new Map()
    files.set(file, branches)
    for (const { at, taken, guard } of branchesOf(path, branchMap, hits)) {
      const known = branches.get(at)
      branches.set(at, { taken: taken || known?.taken === true, guard })
    }
  }
  return files
}

function branchesOf(path, branchMap, hits) {
  const lines = readFileSync(path, 'utf8').split('\n')
  return Object.entries(branchMap).flatMap(([id, { type, loc, locations }]) =>
    locations.map((location, index) => {
      const [start, end] = location.start?.line === undefined ? [loc.start, loc.start] : [location.start, location.end]
      const text = lines.slice(start.line - 1, end.line).join('\n')
      const at = `${start.line}:${start.column + 1} ${type} ${index + 1} of ${locations.length}`
      return { at, taken: hits[id][index] > 0, guard: GUARD.test(text) }
    }),
  )
}

function printBranches(module, files) {
  const branches = [...files]
    .filter(([file]) => file.startsWith(`${module}/`))
    .flatMap(([file, known]) => [...known].map(([at, branch]) => ({ name: `${file}:${at}`, ...branch })))
  const open = branches.filter(({ taken }) => !taken)
  const missing = open.filter(({ guard }) => !guard)
  const share = ((100 * (branches.length - missing.length)) / branches.length).toFixed(1)
  console.log(
    `\n${module}: ${branches.length} branches, ${missing.length} not taken, ${open.length - missing.length} guards: ${share} %`,
  )
  for (const { name } of missing) console.log(`  ${name}`)
}

main(process.argv.slice(2))
