// Writes projects with `stemma init`, one for each combination of its options, and resolves, compiles, tests, checks and starts each of them. Needs a
// build, PostgreSQL, MariaDB and a registry: `node scripts/check-projects.js`.
// - `--sample`: a few combinations, in which each two choices occur together;
// - words: only combinations whose names contain one of them, such as `postgres-jest`.
// All projects share one installation of the packages. Each sees only those that it names.
const { execFileSync } = require('node:child_process')
const {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { allCombinations, nameOf, optionsOf, pairedCombinations } = require('./projects/combinations')
const { linkPackages } = require('./projects/link-packages')
const { createDatabase, dropDatabases } = require('./projects/project-databases')
const { startProject } = require('./projects/start-project')

const ROOT = join(__dirname, '..')
const TEMPLATES = join(ROOT, 'templates')

/** Compiling it takes minutes, so projects use the driver of this project. */
const DRIVER = 'better-sqlite3'

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { sample: { type: 'boolean' } } })
  const combinations = (values.sample ? pairedCombinations() : allCombinations()).filter(
    (each) => positionals.length === 0 || positionals.some((word) => nameOf(each).includes(word)),
  )
  if (combinations.length === 0) throw new Error('No combination has such a name.')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stemma-projects-')))
  const failed = []
  try {
    const packages = installAll(join(folder, 'packages'))
    for (const combination of combinations) {
      const started = performance.now()
      const project = join(folder, nameOf(combination))
      try {
        await checkProject(combination, { project, packages })
        console.log(`${nameOf(combination)}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
        rmSync(project, { recursive: true })
      } catch (error) {
        failed.push(nameOf(combination))
        console.error(`${nameOf(combination)}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`)
      }
    }
    await dropDatabases()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (failed.length > 0) throw new Error(`These projects failed: ${failed.join(', ')}`)
  console.log(`${combinations.length} projects of stemma init can be installed, compiled, tested, checked and started.`)
}

/** Installs the packed package, and the packages that any project needs. */
function installAll(folder) {
  mkdirSync(folder)
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
  })
  const tarball = join(folder, JSON.parse(packed.toString())[0].filename)
  const dependencies = Object.assign({}, ...readdirSync(TEMPLATES).map(packagesOf))
  delete dependencies[DRIVER]
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { ...dependencies, stemma: tarball } }),
  )
  run(folder, 'npm', 'install', ...QUIET)
  linkDriver(folder)
  return { folder, tarball, resolved: new Set() }
}

const QUIET = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

function packagesOf(part) {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(TEMPLATES, part, 'package.json'), 'utf8'))
    return { ...dependencies, ...devDependencies }
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

function linkDriver(folder) {
  symlinkSync(join(ROOT, 'node_modules', DRIVER), join(folder, 'node_modules', DRIVER))
}

async function checkProject(combination, { project, packages }) {
  const { database, auth, migrations } = combination
  const stemma = join(packages.folder, 'node_modules', '.bin', 'stemma')
  run(packages.folder, stemma, 'init', project, '--name', 'written', '--no-install', ...optionsOf(combination))
  resolvePackages(project, packages)
  linkPackages(project, packages.folder)
  const env = { ...process.env, ...(await createDatabase(database, join(project, 'written.sqlite'))) }
  const npm = (...words) => run(project, 'npm', ...words, { env })
  npm('test')
  npm('run', 'check')
  npm('run', 'explain', '--', '/books?include=author')
  if (migrations) checkMigrations(project, env)
  const printToken = () => run(project, process.execPath, 'dist/src/print-token.js', 'ada', 'editor').trim()
  await startProject(project, {
    env,
    use: (url) => checkWrite(url, auth ? printToken() : undefined),
  })
}

/** Resolves the packages of each package.json once, with all of their peers. */
function resolvePackages(project, { tarball, resolved }) {
  const file = join(project, 'package.json')
  const text = readFileSync(file, 'utf8')
  const { dependencies, devDependencies } = JSON.parse(text)
  const names = JSON.stringify({ ...dependencies, ...devDependencies })
  if (resolved.has(names)) return
  writeFileSync(file, JSON.stringify({ ...JSON.parse(text), dependencies: { ...dependencies, stemma: tarball } }))
  run(project, 'npm', 'install', '--package-lock-only', ...QUIET)
  writeFileSync(file, text)
  resolved.add(names)
}

/** The first migration creates exactly the tables of the classes, and can be reverted. */
function checkMigrations(project, env) {
  const program = join(project, 'node_modules', '.bin', 'typeorm')
  const typeorm = (...words) => run(project, program, ...words, '-d', 'dist/src/data-source.js', { env })
  typeorm('migration:run')
  typeorm('migration:generate', 'src/migrations/changes', '--check')
  typeorm('migration:revert')
}

/** Writes to the running API: without a token, and with the one that the project prints. */
async function checkWrite(url, token) {
  const write = (headers) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json', ...headers },
      body: JSON.stringify({ data: { type: 'books', attributes: { title: 'Oaks', pages: 120 } } }),
    })
  const expected =
    token === undefined
      ? [[{}, 201]]
      : [
          [{}, 401],
          [{ Authorization: `Bearer ${token}` }, 201],
        ]
  for (const [headers, status] of expected) {
    const answer = await write(headers)
    if (answer.status !== status) throw new Error(`Expected ${status}, found ${answer.status}: ${await answer.text()}`)
  }
}

/** Returns what the command prints. An object as the last argument has options of the process. */
function run(cwd, command, ...words) {
  const options = typeof words.at(-1) === 'object' ? words.pop() : {}
  return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options })
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
