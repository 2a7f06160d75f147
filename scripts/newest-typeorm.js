// Runs the sample of tests on the newest release of each line of TypeORM that the registry has: `npm run newest-typeorm`. It reports and does not fail,
// since a new release is no defect of a change. `npm run newest-typeorm -- 1.1.0` tries the named releases instead.
const { execFileSync, spawnSync } = require('node:child_process')
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { DATABASES, environmentOf } = require('./databases')
const { sampleOf } = require('./matrix/sample')

const ROOT = join(__dirname, '..')
const FOLDER = join(ROOT, 'build', 'newest-typeorm')
const LINES = [
  { range: '1', installed: 'typeorm', configuration: DATABASES.sqlite, files: sampleOf('sqlite3-1') },
  { range: '0.3', installed: 'typeorm-0.3', configuration: DATABASES['sqlite-0.3'], files: sampleOf('sqlite-0.3') },
]
/** Milliseconds. npm and the tests take less than a minute each. */
const TIMEOUT = 5 * 60_000

function main(versions) {
  for (const line of LINES) {
    const named = versions.filter((version) => version.startsWith(`${line.range}.`))
    if (versions.length === 0 || named.length > 0) console.log(`TypeORM ${line.range}: ${report(line, named[0])}`)
  }
}

function report(line, named) {
  const tested = JSON.parse(readFileSync(join(ROOT, 'node_modules', line.installed, 'package.json'), 'utf8')).version
  const newest = named ?? findNewest(line.range)
  if (newest === undefined) return 'the registry did not answer.'
  if (newest === tested) return `${tested} is the newest release, and all tests run on it.`
  const { passed, failed, names } = runSample(line, newest)
  if (passed + failed === 0) return `${newest} is the newest release; the sample of tests does not start on it.`
  return [`${newest} is the newest release; on it ${passed} tests pass, ${failed} fail.`, ...names].join('\n  ')
}

/** Returns the highest release of the line without nightly builds and release candidates. */
function findNewest(range) {
  const { status, stdout } = spawnSync('npm', ['view', `typeorm@${range}`, 'version', '--json'], { timeout: TIMEOUT })
  if (status !== 0) return undefined
  const versions = [JSON.parse(stdout)].flat().filter((version) => /^[\d.]+$/.test(version))
  return versions.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true })).at(-1)
}

function runSample({ configuration, files }, version) {
  const folder = join(FOLDER, version)
  const outputFile = join(folder, 'report.json')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  // Without the peers, so that TypeORM and the tests share drivers and reflect-metadata.
  const install = ['install', `typeorm@${version}`, '--legacy-peer-deps', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', install, { cwd: folder, stdio: 'ignore', timeout: TIMEOUT })
  const jest = [require.resolve('jest/bin/jest'), '--silent', '--json', `--outputFile=${outputFile}`, '--forceExit']
  spawnSync(process.execPath, [...jest, '--runTestsByPath', ...files], {
    cwd: ROOT,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...environmentOf(configuration),
      TEST_RUN: '',
      TEST_TYPEORM_FOLDER: join(folder, 'node_modules', 'typeorm'),
    },
    timeout: TIMEOUT,
  })
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(outputFile, 'utf8'))
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    names: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${relative(ROOT, name)}: ${fullName}`),
    ),
  }
}

main(process.argv.slice(2))
