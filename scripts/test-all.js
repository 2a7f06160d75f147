// Runs the tests on every database, as many side by side as there are processors, and compares them: what passes on one passes on all, but
// for what scripts/runs-on.js and scripts/differences.js name. Arguments are names of databases; default: all.
const { spawn } = require('node:child_process')
const { mkdirSync, rmSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { text } = require('node:stream/consumers')
const { compare } = require('./compare-reports')
const { DATABASES } = require('./databases')
const { testFiles } = require('./runs-on')

const FOLDER = join(__dirname, '..', 'build', 'databases')
/** More of them would be too many connections for a server. */
const MOST_LANES = 4

async function main(names) {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const failed = await runAll(names)
  const { lines, mistakes } = compare(names, FOLDER, testFiles())
  console.log(`\n${lines.join('\n')}`)
  for (const mistake of [...mistakes, ...failed.map((name) => `The tests fail on ${name}.`)]) console.error(mistake)
  process.exitCode = failed.length > 0 || mistakes.length > 0 ? 1 : 0
}

/** Each lane takes the next one when it has done with one. Those that wait for a server share the time with those that compute. */
async function runAll(names) {
  const waiting = [...names]
  const failed = []
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      if ((await run(name)) !== 0) failed.push(name)
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), MOST_LANES) }, lane))
  return failed
}

/** What a run has to say is printed in one piece. */
async function run(name) {
  const started = performance.now()
  const report = join(FOLDER, `${name}.json`)
  const parameters = [
    join(__dirname, 'test-on.js'),
    name,
    '--runInBand',
    // A connection that a test has left open would keep the process for half an hour; processes of workers are ended too.
    '--forceExit',
    '--silent',
    '--json',
    `--outputFile=${report}`,
  ]
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const said = await text(child.stderr)
  const status = await ended
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`\n== ${name}: ${DATABASES[name]?.title} on TypeORM ${DATABASES[name]?.typeorm}, ${minutes} minutes`)
  console.error(said)
  return status
}

main(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(DATABASES)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
