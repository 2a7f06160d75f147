// `npm run mutation`: changes the code in small ways, one at a time, and tells which changes no test notices.
const { execFileSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { BUILD, FILES, MODULES, SAMPLE } = require('./config')

const OPTIONS = {
  module: { type: 'string', multiple: true, default: Object.keys(MODULES) },
  sample: { type: 'string', default: String(SAMPLE) },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '60' },
  files: { type: 'string', default: String(FILES) },
  tests: { type: 'string', multiple: true, default: ['test/'] },
  of: { type: 'string', default: 'src/' },
  all: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS })
  const unknown = values.module.find((module) => MODULES[module] === undefined)
  if (unknown !== undefined)
    throw new Error(`Expected a module of ${Object.keys(MODULES).join(', ')}, found ${unknown}.`)
  if (!existsSync(join(__dirname, 'node_modules', '@stryker-mutator', 'instrumenter'))) {
    throw new Error('What makes the changes is not installed. Run: npm ci --prefix mutation')
  }
  process.chdir(join(__dirname, '..'))
  mkdirSync(BUILD, { recursive: true })
  const { instrumentRooms } = require('./instrument')
  const { texts, mutants } = await instrumentRooms()
  writeFileSync(join(BUILD, 'instrumented.json'), JSON.stringify(texts))
  writeFileSync(join(BUILD, 'jest.json'), JSON.stringify(jestConfig()))
  const results = await tryAll(mutants, texts, values)
  writeFileSync(join(BUILD, 'results.json'), JSON.stringify(results, undefined, 1))
  const { report } = require('./report')
  if (!report(results, mutants, values)) process.exitCode = 1
}

async function tryAll(mutants, texts, { module: modules, sample, seed, minutes, files, tests, of, all, again }) {
  const { openWorker } = require('./open-worker')
  const { measure } = require('./measure')
  const { tryMutants } = require('./try-mutant')
  const worker = openWorker()
  const measured = await measure(worker, { texts, tests, tell })
  const attempt = tryMutants({ worker, measured, limit: Number(files) })
  const idsOf = idsByFile(mutants)
  const ofModules = modules.map((module) => {
    const ofModule = mutants.filter((mutant) => mutant.module === module && mutant.file.startsWith(of))
    return again ? survivors(ofModule) : draw(ofModule, all ? ofModule.length : Number(sample), seed)
  })
  const chosen = inTurns(ofModules)
  const end = Date.now() + Number(minutes) * 60_000
  const results = []
  for (const [index, mutant] of chosen.entries()) {
    if (Date.now() > end) break
    const { outcome, by } = await attempt(mutant, idsOf.get(mutant.file))
    results.push({ ...mutant, outcome, by })
    tell(`${index + 1} of ${chosen.length}: ${outcome} ${mutant.file}:${mutant.line}`)
    if (outcome === 'survived' || index % 50 === 0)
      writeFileSync(join(BUILD, 'under-way.json'), JSON.stringify(results))
  }
  worker.end()
  return results
}

/** The same of one seed, wherever they stand among others. */
function draw(mutants, size, seed) {
  const rank = ({ name }) => createHash('sha1').update(`${seed} ${name}`).digest('hex')
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
  return ranked.slice(0, size).map(({ mutant }) => mutant)
}

/** As many of each module, wherever it ends. */
function inTurns(lists) {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }).flatMap((_, index) => lists.flatMap((list) => list.slice(index, index + 1)))
}

/** Those that nothing noticed last time. */
function survivors(mutants) {
  const last = JSON.parse(readFileSync(join(BUILD, 'results.json'), 'utf8'))
  const names = new Set(last.filter(({ outcome }) => ['survived', 'not run'].includes(outcome)).map(({ name }) => name))
  return mutants.filter((mutant) => names.has(mutant.name))
}

function idsByFile(mutants) {
  const files = new Map(mutants.map(({ file }) => [file, []]))
  for (const { id, file } of mutants) files.get(file).push(id)
  return files
}

function jestConfig() {
  const words = ['--config', 'mutation/jest.config.js', '--showConfig', '--ci', '--testTimeout', '15000']
  const { configs, globalConfig } = JSON.parse(
    execFileSync('node', [require.resolve('jest/bin/jest'), ...words], { encoding: 'utf8' }),
  )
  return { config: configs[0], globalConfig }
}

function tell(line) {
  process.stderr.write(`${line}\n`)
}

main().catch((error) => {
  console.error(error)
  process.exit(2)
})
