/**
 * Sends random and hostile input, for longer than the tests: `npm run fuzz`, or `npm run fuzz -- 7` to repeat the requests of that seed.
 * Further options go to jest. `STEMMA_RUNS` sets the number of cases: fifty by default, a hundred times as many as in a run of all tests.
 * `TEST_DATABASE_URL` selects the database, as in scripts/databases.js.
 */
const { spawnSync } = require('node:child_process')
const { randomInt } = require('node:crypto')

const words = process.argv.slice(2)
const [seed = String(randomInt(2 ** 31))] = words.filter((word) => !word.startsWith('-'))
const { STEMMA_RUNS = '50' } = process.env
console.log(`STEMMA_SEED=${seed} STEMMA_RUNS=${STEMMA_RUNS}`)

const FILES = ['test/properties/hostile', 'test/hostile/injection', 'test/hostile/growth']
const { status } = spawnSync('npx', ['jest', ...FILES, '--ci', ...words.filter((word) => word.startsWith('-'))], {
  env: { ...process.env, STEMMA_SEED: seed, STEMMA_RUNS },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
