// Shows that changes which tests run are noticed, and that the command fails on changes which none of them runs.
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

const words = ['--tests', 'test/modules/query/parse-query', '--module', 'query', '--sample', '5']

function run(file) {
  const run = spawnSync(process.execPath, [join(__dirname, 'run.js'), ...words, '--of', file], { encoding: 'utf8' })
  console.log(run.stdout, run.stderr)
  return run
}

const noticed = run('src/query/parsing/parse-page.ts')
const missed = run('src/query/parsing/suggest-filter.ts')
const isRight = /: killed /.test(noticed.stderr) && missed.status === 1 && /not run: src\/query/.test(missed.stdout)
if (!isRight) throw new Error('Expected that changes are noticed where tests run them, and told of where not.')
