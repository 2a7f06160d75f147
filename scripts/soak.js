/**
 * Mixed reads and writes for some minutes, at the highest rate that the machine sustains: `npm run soak`, or
 * `npm run soak -- --seconds 60 --database postgres --seed 7`. `--overload`: what becomes of three times as many (soak/overload.js); `--refusals`: what it
 * takes to send one away; `--beside`: what the option `loadShedding` costs meanwhile.
 * It ends with 1 where an answer was not what it had to be, where memory grows, where the database is not what was acknowledged, and where a server
 * with the option `loadShedding` does not do what it could, or is not as before when it has no more to do than it can (10 seconds and more).
 */
const { parseArgs } = require('node:util')
const { beside } = require('./soak/beside')
const { openDatabase } = require('./soak/databases')
const { overload } = require('./soak/overload')
const { refusals } = require('./soak/refusals')
const { soak } = require('./soak/soak')

const { values: given } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    overload: { type: 'boolean', default: false },
    refusals: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
  },
})

async function main() {
  const { seed, rate, seconds = given.overload || given.beside ? '30' : '600' } = given
  const numbers = {
    seconds: Number(seconds),
    seed: Number(seed),
    rate: rate && Number(rate),
  }
  const database = await openDatabase(given.database)
  try {
    const problems = await chosen()(database, numbers)
    for (const problem of problems) console.error(`UNEXPECTED: ${problem}`)
    console.log(problems.length === 0 ? '\nNothing was unexpected.' : `\n${problems.length} things were unexpected.`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await database.remove()
  }
}

function chosen() {
  if (given.beside) return beside
  if (given.refusals) return refusals
  return given.overload ? overload : soak
}

main()
