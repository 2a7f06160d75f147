// Runs the tests on a database: `node scripts/test-on.js postgres test/store`. Arguments behind the name go to jest. Without a path, what
// scripts/runs-on.js has for other databases is left out.
const { spawnSync } = require('node:child_process')
const { connect } = require('node:net')
const { DATABASES } = require('./databases')

/** Tests on SQLite take two minutes. */
const LONGEST = 30 * 60_000

async function main([name, ...jestArguments]) {
  const database = DATABASES[name]
  if (database === undefined) throw new Error(`Expected ${Object.keys(DATABASES).join(', ')}, found ${name}.`)
  if (database.setBy !== undefined) await checkServer(database)
  const isWhole = jestArguments.every((each) => each.startsWith('-'))
  const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...jestArguments], {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_RUN: isWhole ? name : '',
      TEST_DATABASE_URL: database.place,
      TEST_TYPEORM: database.typeorm,
      TEST_DOOR: database.door ?? 'router',
      TEST_TABLES: database.tables ?? 'single',
      TEST_LOGGER: database.logger ?? 'off',
    },
    timeout: LONGEST,
  })
  process.exit(status ?? 1)
}

/** One message, in place of one for each file of tests. */
function checkServer({ title, place, setBy }) {
  const { hostname, port } = new URL(place)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(void socket.destroy()))
    const told = `${title} does not answer at ${hostname}:${port}. ${setBy} says where else it is.`
    socket.once('error', (cause) => reject(new Error(told, { cause })))
  })
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exit(2)
})
