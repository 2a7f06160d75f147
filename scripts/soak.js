/**
 * Runs mixed reads and writes for some minutes, at half of the highest rate that the machine sustains: `npm run soak`, or `npm run soak --
 * --seconds 60 --database postgres --seed 7`. `--overload`: sends three times the sustained rate (soak/overload.js). `--refusals`: measures
 * the cost of a 503. `--beside`: measures the cost of the option `loadShedding` under overload.
 *
 * Exit code 1: a response was unexpected, memory grows, the database differs from the confirmed writes, or load shedding did not protect
 * the server or the server did not recover (runs of 10 seconds and more).
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
