/**
 * Runs mixed reads and writes for some minutes, at half of the highest rate that the machine sustains: `npm run soak`, or `npm run soak --
 * --seconds 60 --database postgres --seed 7`. `--overload`: sends three times the sustained rate (soak/overload.js). `--rejections`: measures
 * the cost of a 503. `--compare`: measures the cost of the option `loadShedding` under overload.
 *
 * Exit code 1: a response was unexpected, memory grows, the database differs from the confirmed writes, or load shedding did not protect
 * the server or the server did not recover (runs of 10 seconds and more).
 */
const { parseArgs } = require('node:util')
const { compareLoadShedding } = require('./soak/compare-load-shedding')
const { openDatabase } = require('./soak/databases')
const { overload } = require('./soak/overload')
const { measureRejections } = require('./soak/measure-rejections')
const { soak } = require('./soak/soak')

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    overload: { type: 'boolean', default: false },
    rejections: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
  },
})

async function main() {
  const { seed, rate, seconds = options.overload || options.compare ? '30' : '600' } = options
  const numbers = {
    seconds: Number(seconds),
    seed: Number(seed),
    rate: rate && Number(rate),
  }
  const database = await openDatabase(options.database)
  try {
    const problems = await chooseTest()(database, numbers)
    for (const problem of problems) console.error(`PROBLEM: ${problem}`)
    console.log(problems.length === 0 ? '\nNo problems found.' : `\n${problems.length} problems found.`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await database.remove()
  }
}

function chooseTest() {
  if (options.compare) return compareLoadShedding
  if (options.rejections) return measureRejections
  return options.overload ? overload : soak
}

main()
