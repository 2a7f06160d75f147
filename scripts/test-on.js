// Runs the tests on a configuration: `node scripts/test-on.js postgres test/modules/store`. Other arguments go to jest. Without a path it runs the files
// that scripts/runs-on.js names for the configuration, with `--sample` those of scripts/matrix/sample.js.
const { spawnSync } = require('node:child_process')
const { connect } = require('node:net')
const { DATABASES, environmentOf } = require('./databases')
const { sampleOf } = require('./matrix/sample')

/** The whole suite on one configuration takes two to four minutes. */
const LONGEST = 30 * 60_000

async function main([name, ...words]) {
  const configuration = DATABASES[name]
  if (configuration === undefined) throw new Error(`Expected ${Object.keys(DATABASES).join(', ')}, found ${name}.`)
  if (configuration.setBy !== undefined) await checkServer(configuration)
  const { jestArguments, isWhole } = readWords(name, words)
  const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...jestArguments], {
    stdio: 'inherit',
    env: { ...process.env, ...environmentOf(configuration), TEST_RUN: isWhole ? name : '' },
    timeout: LONGEST,
  })
  process.exit(status ?? 1)
}

function readWords(name, words) {
  const rest = words.filter((word) => word !== '--sample')
  if (rest.length < words.length)
    return { jestArguments: [...rest, '--runTestsByPath', ...sampleOf(name)], isWhole: false }
  return { jestArguments: rest, isWhole: rest.every((word) => word.startsWith('-')) }
}

/** One message instead of one for each test file. */
function checkServer({ title, place, setBy }) {
  const { hostname, port } = new URL(place)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(void socket.destroy()))
    const message = `${title} does not answer at ${hostname}:${port}. Start it, or set ${setBy} to its URL.`
    socket.once('error', (cause) => reject(new Error(message, { cause })))
  })
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exit(2)
})
