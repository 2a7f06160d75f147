// `npm run mutation`: mutation tests of four modules with Stryker's mutants. Reports mutants that no test detects.
// Exit codes: 0 every module reaches its threshold, 1 a module does not, 2 the run failed.
const { execFileSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { BUILD, MAX_TEST_FILES, MODULES, SAMPLE } = require('./config')

const OPTIONS = {
  module: { type: 'string', multiple: true, default: Object.keys(MODULES) },
  sample: { type: 'string', default: String(SAMPLE) },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '60' },
  'max-test-files': { type: 'string', default: String(MAX_TEST_FILES) },
  tests: { type: 'string', multiple: true, default: ['test/'] },
  source: { type: 'string', default: 'src/' },
  all: { type: 'boolean', default: false },
  survivors: { type: 'boolean', default: false },
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS })
  const unknown = values.module.find((module) => MODULES[module] === undefined)
  if (unknown !== undefined)
    throw new Error(`Expected a module of ${Object.keys(MODULES).join(', ')}, found ${unknown}.`)
  if (!existsSync(join(__dirname, 'node_modules', '@stryker-mutator', 'instrumenter'))) {
    throw new Error('The mutation packages are not installed. Run: npm ci --prefix mutation')
  }
  process.chdir(join(__dirname, '..'))
  mkdirSync(BUILD, { recursive: true })
  const { instrumentModules } = require('./instrument')
  const { sources, mutants } = await instrumentModules()
  writeFileSync(join(BUILD, 'instrumented.json'), JSON.stringify(sources))
  writeFileSync(join(BUILD, 'jest.json'), JSON.stringify(jestConfig()))
  const results = await testMutants(mutants, sources, values)
  writeFileSync(join(BUILD, 'results.json'), JSON.stringify(results, undefined, 1))
  const { printReport } = require('./print-report')
  if (!printReport(results, mutants, values)) process.exitCode = 1
}

async function testMutants(mutants, sources, options) {
  const { startWorker } = require('./start-worker')
  const { measureCoverage } = require('./measure-coverage')
  const { createMutantTester } = require('./test-mutant')
  const worker = startWorker()
  const coverage = await measureCoverage(worker, { sources, tests: options.tests, log })
  const testMutant = createMutantTester({ worker, coverage, maxTestFiles: Number(options['max-test-files']) })
  const idsOf = idsByFile(mutants)
  const chosen = chooseMutants(mutants, options)
  const end = Date.now() + Number(options.minutes) * 60_000
  const results = []
  for (const [index, mutant] of chosen.entries()) {
    if (Date.now() > end) break
    const { outcome, by } = await testMutant(mutant, idsOf.get(mutant.file))
    results.push({ ...mutant, outcome, by })
    log(`${index + 1} of ${chosen.length}: ${outcome} ${mutant.file}:${mutant.line}`)
    if (outcome === 'survived' || index % 50 === 0)
      writeFileSync(join(BUILD, 'partial-results.json'), JSON.stringify(results))
  }
  worker.stop()
  return results
}

function chooseMutants(mutants, { module: modules, source, survivors, all, sample, seed }) {
  const byModule = modules.map((module) => {
    const ofModule = mutants.filter((mutant) => mutant.module === module && mutant.file.startsWith(source))
    if (survivors) return lastSurvivors(ofModule)
    return drawSample(ofModule, all ? ofModule.length : Number(sample), seed)
  })
  // The modules take turns, so that a run that reaches its time limit has tested as many of each.
  const longest = Math.max(...byModule.map(({ length }) => length))
  return Array.from({ length: longest }).flatMap((_, index) => byModule.flatMap((list) => list.slice(index, index + 1)))
}

/** Draws by hash, so that a seed gives the same mutants when others are added. */
function drawSample(mutants, size, seed) {
  const rank = ({ name }) => createHash('sha1').update(`${seed} ${name}`).digest('hex')
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
  return ranked.slice(0, size).map(({ mutant }) => mutant)
}

/** Returns the mutants that no test detected in the last run. */
function lastSurvivors(mutants) {
  const last = JSON.parse(readFileSync(join(BUILD, 'results.json'), 'utf8'))
  const names = new Set(
    last.filter(({ outcome }) => ['survived', 'no coverage'].includes(outcome)).map(({ name }) => name),
  )
  return mutants.filter((mutant) => names.has(mutant.name))
}

function idsByFile(mutants) {
  const files = new Map(mutants.map(({ file }) => [file, []]))
  for (const { id, file } of mutants) files.get(file).push(id)
  return files
}

function jestConfig() {
  const options = ['--config', 'mutation/jest.config.js', '--showConfig', '--ci', '--testTimeout', '15000']
  const { configs, globalConfig } = JSON.parse(
    execFileSync('node', [require.resolve('jest/bin/jest'), ...options], { encoding: 'utf8' }),
  )
  return { config: configs[0], globalConfig }
}

function log(line) {
  process.stderr.write(`${line}\n`)
}

main().catch((error) => {
  console.error(error)
  process.exit(2)
})
