// Runs the tests on a configuration: `node scripts/test-on.js postgres test/modules/store`. Other arguments go to jest. Without a path it runs the files
// that scripts/runs-on.js names for the configuration, with `--quick` those of them that `.ci/run` runs, with `--sample` those of scripts/matrix/sample.js.
const { spawnSync } = require('node:child_process')
const { connect } = require('node:net')
const { DATABASES, environmentOf } = require('./databases')
const { sampleOf } = require('./matrix/sample')

/** Milliseconds. The whole suite on one configuration takes two to four minutes. */
const TIMEOUT = 30 * 60_000

async function main([name, ...args]) {
  const configuration = DATABASES[name]
  if (configuration === undefined) throw new Error(`Expected ${Object.keys(DATABASES).join(', ')}, found ${name}.`)
  if (configuration.urlVariable !== undefined) await checkServer(configuration)
  const { jestArguments, run, level } = parseCliArguments(name, args)
  const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...jestArguments], {
    stdio: 'inherit',
    env: { ...process.env, ...environmentOf(configuration), TEST_RUN: run, TEST_LEVEL: level },
    timeout: TIMEOUT,
  })
  process.exit(status ?? 1)
}

function parseCliArguments(name, args) {
  const rest = args.filter((arg) => arg !== '--sample' && arg !== '--quick')
  if (args.includes('--sample'))
    return { jestArguments: [...rest, '--runTestsByPath', ...sampleOf(name)], run: '', level: '' }
  const isWhole = rest.every((arg) => arg.startsWith('-'))
  return { jestArguments: rest, run: isWhole ? name : '', level: args.includes('--quick') ? 'ci' : 'verify' }
}

/** One message instead of one for each test file. */
function checkServer({ title, url, urlVariable }) {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(void socket.destroy()))
    const message = `${title} does not answer at ${hostname}:${port}. Start it, or set ${urlVariable} to its URL.`
    socket.once('error', (cause) => reject(new Error(message, { cause })))
  })
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exit(2)
})
