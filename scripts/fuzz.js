/**
 * Sends what makes no sense, for longer than the tests have time: `npm run fuzz`, or `npm run fuzz -- 7` for the requests of that seed again.
 * Options go to jest. `STEMMA_RUNS` says how much: fifty by default, a hundred times as much as in a run of all tests; `TEST_DATABASE_URL` on which database, as in
 * scripts/databases.js.
 */
const { spawnSync } = require('node:child_process')
const { randomInt } = require('node:crypto')

const words = process.argv.slice(2)
const [seed = String(randomInt(2 ** 31))] = words.filter((word) => !word.startsWith('-'))
const { STEMMA_RUNS = '50' } = process.env
console.log(`STEMMA_SEED=${seed} STEMMA_RUNS=${STEMMA_RUNS}`)

const FILES = ['test/properties/hostile', 'test/hostile/places', 'test/hostile/growth']
const { status } = spawnSync('npx', ['jest', ...FILES, '--ci', ...words.filter((word) => word.startsWith('-'))], {
  env: { ...process.env, STEMMA_SEED: seed, STEMMA_RUNS },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
