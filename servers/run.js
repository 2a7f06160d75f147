// Runs the tests that `.ci/run` runs on PostgreSQL on each major version that the library supports: `npm run test:servers`, `npm run test:servers -- 16 18`.
// Exit codes: 0 all passed, 1 a test failed or a version ran no test, 2 unknown version.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdirSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const { countTests } = require('../scripts/checks/count-tests')
const { VERSIONS, startServer } = require('./postgres')

const ROOT = join(__dirname, '..')
const REPORTS = join(ROOT, 'build', 'servers')

async function main(names) {
  const unknown = names.filter((name) => !VERSIONS.includes(name))
  if (unknown.length > 0) {
    console.error(`Unknown version: ${unknown.join(', ')}. Expected ${VERSIONS.join(', ')}.`)
    process.exitCode = 2
    return
  }
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const lines = []
  for (const version of VERSIONS.filter((each) => names.length === 0 || names.includes(each))) {
    const { line, isGood } = await testOn(version).catch((error) => ({
      line: `PostgreSQL ${version}: ${error.message}`,
    }))
    lines.push(line)
    if (!isGood) process.exitCode = 1
  }
  console.log(lines.join('\n'))
}

async function testOn(version) {
  const report = join(REPORTS, `postgres-${version}.json`)
  const { url, release, stop } = await startServer(version)
  try {
    if (!release.startsWith(`${version}.`)) throw new Error(`Expected PostgreSQL ${version}, found ${release}.`)
    const started = performance.now()
    const status = await runTests(url, report)
    const seconds = Math.round((performance.now() - started) / 1000)
    const { passed, failed, problem } = countTests([report])
    const line = `PostgreSQL ${release}: ${passed} passed, ${failed} failed, ${seconds} s${problem ? `. ${problem}` : ''}`
    return { line, isGood: status === 0 && problem === undefined && passed > 0 && failed === 0 }
  } finally {
    await stop()
  }
}

/** Returns the exit status. In one process, since another step uses the other core. */
async function runTests(url, report) {
  const jest = ['--runInBand', '--forceExit', '--silent', '--json', `--outputFile=${report}`]
  const child = spawn(process.execPath, ['scripts/test-on.js', 'postgres', '--quick', ...jest], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TEST_POSTGRES_URL: url },
  })
  const [status] = await once(child, 'exit')
  return status
}

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
main(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
