// The measurements in build/matrix: a file for each configuration with a line of JSON for each test file, and the lists that they reference.
const { existsSync, mkdirSync, readFileSync, rmSync } = require('node:fs')
const { join } = require('node:path')

const FOLDER = join(__dirname, '..', '..', 'build', 'matrix')

/** The second run on SQLite. Differences between the two runs are noise. */
exports.SECOND_RUN = 'sqlite-again'
exports.PROBES = {
  'start-up': 'scripts/matrix/probes/start-up.test.ts',
  'basic-use': 'scripts/matrix/probes/basic-use.test.ts',
}

exports.PATTERNS = join(FOLDER, 'patterns.txt')

exports.pathOf = (name) => join(FOLDER, `${name}.jsonl`)

exports.prepareFolder = (isNew) => {
  if (isNew) rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
}

/** Of one configuration, by test file: the last time that it was measured. */
exports.readRecords = (name) => {
  const path = exports.pathOf(name)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  // The last line may have been cut off when a run was ended.
  return new Map(
    lines
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line))
      .map((record) => [record.file, record]),
  )
}

/** Lists of offsets or names by id, which are read on demand. */
exports.readPatterns = () => {
  const texts = new Map()
  const lists = new Map()
  if (existsSync(exports.PATTERNS))
    for (const line of readFileSync(exports.PATTERNS, 'utf8').split('\n')) texts.set(line.slice(0, 12), line.slice(13))
  return (id) => {
    if (!lists.has(id)) {
      const text = texts.get(id) ?? ''
      const parts = text === '' ? [] : text.split(',')
      lists.set(id, /^\d/.test(text) ? parts.map(Number) : parts)
    }
    return lists.get(id)
  }
}
