// Runs a test file as test/support/jest/runner.js does, and appends the executed code to MATRIX_OUT: a line of JSON for each file.
const { createHash } = require('node:crypto')
const { appendFileSync, existsSync, readFileSync } = require('node:fs')
const { join, relative, sep } = require('node:path')
const { executedOf, startCoverage } = require('./coverage')
const { digestOf } = require('./table')

// Starts before any code of src is compiled.
const takeCoverage = startCoverage()
const run = require('../../test/support/jest/runner')

const ROOT = join(__dirname, '..', '..')
const { MATRIX_OUT: OUT, MATRIX_PATTERNS: PATTERNS } = process.env
const storedIds = new Set(
  existsSync(PATTERNS)
    ? readFileSync(PATTERNS, 'utf8')
        .split('\n')
        .map((line) => line.slice(0, 12))
    : [],
)

module.exports = async (...args) => {
  // Drops what the previous test file executed after its end.
  takeCoverage()
  const path = args[4]
  const started = performance.now()
  const result = await run(...args)
  const seconds = Number(((performance.now() - started) / 1000).toFixed(2))
  const scripts = takeCoverage()
  const statuses = { passed: [], pending: [], failed: [] }
  for (const { fullName, status } of result.testResults)
    statuses[status === 'todo' ? 'pending' : status]?.push(fullName)
  const executed = {}
  const typeorm = []
  for (const script of scripts) {
    const name = pathOf(script.url)
    if (name === undefined) continue
    if (/^(?:src|test|examples|scripts\/matrix)\/.*\.ts$/.test(name)) executed[name] = storeList(executedOf(script))
    else typeorm.push(...functionsOf(name, script))
  }
  const tests = {
    passed: hashOf(statuses.passed.sort().join('\n')),
    count: statuses.passed.length,
    failed: statuses.failed,
  }
  const record = {
    file: pathOf(path),
    digest: digestOf(readFileSync(path, 'utf8')),
    seconds,
    tests,
    executed,
    typeorm: storeList([...new Set(typeorm)].sort()),
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

/** Stores each list once, since many files have the same, and returns its id. */
function storeList(list) {
  const text = list.join(',')
  const id = hashOf(text)
  if (!storedIds.has(id)) appendFileSync(PATTERNS, `${id} ${text}\n`)
  storedIds.add(id)
  return id
}

function functionsOf(path, { functions }) {
  return functions
    .filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
    .map(({ functionName }) => `${path}:${functionName}`)
}

function hashOf(text) {
  return createHash('sha1').update(text).digest('hex').slice(0, 12)
}
