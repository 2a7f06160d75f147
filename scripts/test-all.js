// Runs the tests on every database, one after the other, and compares them: what passes on one passes on all, but for the differences that
// scripts/differences.js names. Arguments are names of databases; default: all.
const { spawnSync } = require('node:child_process')
const { mkdirSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const { compare } = require('./compare-reports')
const { DATABASES } = require('./databases')

const FOLDER = join(__dirname, '..', 'build', 'databases')
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(DATABASES)

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const failed = names.filter((name) => {
  console.log(`\n== ${name}: ${DATABASES[name]?.title} on TypeORM ${DATABASES[name]?.typeorm}`)
  const report = join(FOLDER, `${name}.json`)
  const parameters = [join(__dirname, 'test-on.js'), name, '--silent', '--json', '--outputFile', report]
  return spawnSync(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0
})
const { lines, mistakes } = compare(names, FOLDER)
console.log(`\n${lines.join('\n')}`)
for (const mistake of [...mistakes, ...failed.map((name) => `The tests fail on ${name}.`)]) console.error(mistake)
process.exit(failed.length > 0 || mistakes.length > 0 ? 1 : 0)
