// Runs a test file as test/support/jest/runner.js does, and appends to MATRIX_OUT what it has executed: a line of JSON for each file.
const { createHash } = require('node:crypto')
const { appendFileSync, existsSync, readFileSync } = require('node:fs')
const { join, relative, sep } = require('node:path')
const { executedOf, startCoverage } = require('./coverage')
const { digestOf } = require('./table')

// Before anything of src is compiled.
const take = startCoverage()
const run = require('../../test/support/jest/runner')

const ROOT = join(__dirname, '..', '..')
const { MATRIX_OUT: OUT, MATRIX_PATTERNS: PATTERNS } = process.env
const known = new Set(
  existsSync(PATTERNS)
    ? readFileSync(PATTERNS, 'utf8')
        .split('\n')
        .map((line) => line.slice(0, 12))
    : [],
)

module.exports = async (...given) => {
  // What the test file before has left running.
  take()
  const path = given[4]
  const started = performance.now()
  const result = await run(...given)
  const seconds = Number(((performance.now() - started) / 1000).toFixed(2))
  const scripts = take()
  const statuses = { passed: [], pending: [], failed: [] }
  for (const { fullName, status } of result.testResults)
    statuses[status === 'todo' ? 'pending' : status]?.push(fullName)
  const executed = {}
  const typeorm = []
  for (const script of scripts) {
    const name = pathOf(script.url)
    if (name === undefined) continue
    if (/^(?:src|test|examples|scripts\/matrix)\/.*\.ts$/.test(name)) executed[name] = remember(executedOf(script))
    else typeorm.push(...functionsOf(name, script))
  }
  const tests = {
    passed: nameOf(statuses.passed.sort().join('\n')),
    count: statuses.passed.length,
    failed: statuses.failed,
  }
  const state = digestOf(readFileSync(path, 'utf8'))
  const record = {
    file: pathOf(path),
    digest: state,
    seconds,
    tests,
    executed,
    typeorm: remember([...new Set(typeorm)].sort()),
  }
  appendFileSync(OUT, `${JSON.stringify(record)}\n`)
  return result
}

function pathOf(url) {
  const path = url.replace(/^file:\/\//, '')
  const typeorm = /\/node_modules\/(?:typeorm|typeorm-0\.3)\/(.*)$/.exec(path)
  if (typeorm !== null) return `typeorm/${typeorm[1]}`
  if (!path.startsWith(ROOT) || path.includes('/node_modules/')) return undefined
  return relative(ROOT, path).split(sep).join('/')
}

/** Lists that many files have in common are written once. */
function remember(list) {
  const text = list.join(',')
  const id = nameOf(text)
  if (!known.has(id)) appendFileSync(PATTERNS, `${id} ${text}\n`)
  known.add(id)
  return id
}

function functionsOf(path, { functions }) {
  return functions
    .filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
    .map(({ functionName }) => `${path}:${functionName}`)
}

function nameOf(text) {
  return createHash('sha1').update(text).digest('hex').slice(0, 12)
}
