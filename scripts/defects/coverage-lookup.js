// Finds the test files that execute a position in src, by the last measurement of scripts/matrix.
const { readFileSync } = require('node:fs')
const { SourceMap } = require('node:module')
const { join } = require('node:path')
const { transformSync } = require('@swc/core')
const { transform } = require('../../jest.config')
const { readPatterns, readRecords } = require('../matrix/data')

const ROOT = join(__dirname, '..', '..')
const [[, options]] = Object.values(transform)

/** `covers(configuration, file, position)` returns `yes`, `no` or `unknown`; `secondsOf(configuration, file)` the duration, if known. */
exports.createCoverageLookup = () => {
  const records = new Map()
  const recordOf = (name, file) => {
    if (!records.has(name)) records.set(name, readRecords(name))
    return records.get(name).get(file)
  }
  const patternOf = readPatterns()
  return {
    secondsOf: (name, file) => recordOf(name, file)?.seconds,
    covers(name, file, { path, offset }) {
      const record = recordOf(name, file)
      if (record === undefined) return 'unknown'
      const executed = record.executed[path]
      return executed !== undefined && isWithin(offset, patternOf(executed)) ? 'yes' : 'no'
    },
  }
}

function isWithin(offset, intervals) {
  const next = intervals.findIndex((bound) => bound > offset)
  return next >= 0 && next % 2 === 1
}

/** Returns the position of the change in the compiled file. */
exports.positionOf = ({ file, find, replace }) => {
  const filename = join(ROOT, file)
  const source = readFileSync(filename, 'utf8')
  let same = 0
  while (find[same] === replace[same]) same += 1
  const before = source.slice(0, source.indexOf(find) + same)
  const line = before.split('\n').length - 1
  const column = before.length - before.lastIndexOf('\n') - 1
  const { code, map } = transformSync(source, { ...options, filename, swcrc: false, sourceMaps: true })
  return { path: file, offset: compiledOffset(code, new SourceMap(JSON.parse(map)), line, column) }
}

/** Returns the offset of the last mapped piece that starts at or before the source position. */
function compiledOffset(code, map, line, column) {
  let found = 0
  let best = [-1, -1]
  for (const [row, text] of lines(code)) {
    for (let at = 0; at < text.length; at += 1) {
      const { originalLine, originalColumn } = map.findEntry(row.number, at)
      const isBefore = originalLine < line || (originalLine === line && originalColumn <= column)
      const isLater = originalLine > best[0] || (originalLine === best[0] && originalColumn > best[1])
      if (isBefore && isLater) [found, best] = [row.start + at, [originalLine, originalColumn]]
    }
  }
  return found
}

function lines(code) {
  let start = 0
  return code.split('\n').map((text, number) => {
    const row = { number, start }
    start += text.length + 1
    return [row, text]
  })
}
