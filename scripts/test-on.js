// Runs the tests on a database server: `node scripts/test-on.js postgres --json`. Arguments behind the name go to jest.
const { spawnSync } = require('node:child_process')

const SERVERS = {
  postgres: process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
  mariadb: process.env.TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/test',
}

const [name, ...jestArguments] = process.argv.slice(2)
const url = SERVERS[name]
if (url === undefined) {
  console.error(`Expected ${Object.keys(SERVERS).join(' or ')}, found ${name}.`)
  process.exit(2)
}
const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), ...jestArguments], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
})
process.exit(status ?? 1)
