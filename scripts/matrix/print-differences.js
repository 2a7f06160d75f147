// Prints why a test file runs on each configuration: the source lines that only one of two configurations executes.
const { readFileSync } = require('node:fs')
const { SourceMap } = require('node:module')
const { join } = require('node:path')
const { transformSync } = require('@swc/core')
const { transform } = require('../../jest.config')
const { DATABASES } = require('../databases')
const { createComparison } = require('./compare')
const { readPatterns, readRecords } = require('./data')

const ROOT = join(__dirname, '..', '..')
const [[, options]] = Object.values(transform)

/** Printed lines for each configuration. */
const MAX_LINES = 8

exports.printDifferences = (file) => {
  const { findDifferences } = createComparison(readRecords, readPatterns())
  for (const [name, { comparedWith }] of Object.entries(DATABASES)) {
    if (comparedWith === undefined) continue
    const found = findDifferences(file, name)
    console.log(`${name}: ${found === undefined ? 'not measured' : summary(found, comparedWith)}`)
    if (found === undefined) continue
    const lines = [...found.code].flatMap(([path, parts]) => linesOf(path, parts).map((line) => `${path}:${line}`))
    for (const each of [...lines, ...found.typeorm].slice(0, MAX_LINES)) console.log(`    ${each}`)
  }
}

function summary({ code, otherTests, typeorm }, comparedWith) {
  if (code.size === 0 && !otherTests && typeorm.length === 0) return `same as ${comparedWith}`
  const tests = otherTests ? ', other tests' : ''
  return `differs from ${comparedWith}: ${code.size} source files, ${typeorm.length} TypeORM functions${tests}`
}

/** Of the source, from 1: where the parts of the compiled file begin. */
function linesOf(path, parts) {
  return [...new Set(exports.partLines(path, parts).map(([from]) => from))]
}

/** By part: the first and the last line of the source. */
exports.partLines = (path, parts) => {
  const lineOf = lineFinder(path)
  const found = []
  for (let at = 0; at < parts.length; at += 2) found.push([lineOf(parts[at]), lineOf(parts[at + 1] - 1)])
  return found
}

const finders = new Map()

function lineFinder(path) {
  if (!finders.has(path)) {
    const filename = join(ROOT, path)
    const source = readFileSync(filename, 'utf8')
    const { code, map } = transformSync(source, { ...options, filename, swcrc: false, sourceMaps: true })
    const sourceMap = new SourceMap(JSON.parse(map))
    const starts = [0]
    for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
    finders.set(path, (offset) => {
      const line = starts.findLastIndex((start) => start <= offset)
      return (sourceMap.findEntry(line, offset - starts[line]).originalLine ?? 0) + 1
    })
  }
  return finders.get(path)
}
