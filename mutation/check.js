// Checks that `npm run mutation` kills mutants that tests cover, and fails on mutants that no test covers.
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

const options = ['--tests', 'test/modules/query/parse-query', '--module', 'query', '--sample', '5']

function mutate(source) {
  const run = spawnSync(process.execPath, [join(__dirname, 'run.js'), ...options, '--source', source], {
    encoding: 'utf8',
  })
  console.log(run.stdout, run.stderr)
  return run
}

const covered = mutate('src/query/parsing/parse-page.ts')
const uncovered = mutate('src/query/parsing/foreign-filter-syntax-hint.ts')
if (!/: killed /.test(covered.stderr)) throw new Error('No mutant of a covered file was killed.')
if (uncovered.status !== 1 || !/no coverage: src\/query/.test(uncovered.stdout))
  throw new Error('The run did not fail on a file that no test covers.')
