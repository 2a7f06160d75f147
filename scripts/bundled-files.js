const { readFileSync } = require('node:fs')

const startsByBundle = new Map()

/**
 * Returns the file of src that a line of a bundle in dist comes from, such as `store/typeorm/sql/sql.ts`. Lines count from 0. The bundler writes
 * a comment with the path before the code of each file.
 */
exports.sourceFileAt = (bundle, line) => startsOf(bundle).findLast((start) => start.line <= line)?.file

function startsOf(bundle) {
  if (!startsByBundle.has(bundle)) startsByBundle.set(bundle, readStarts(bundle))
  return startsByBundle.get(bundle)
}

function readStarts(bundle) {
  const lines = readFileSync(bundle, 'utf8').split('\n')
  return lines.flatMap((text, line) => {
    const [, file] = /^ *\/\/ src\/(.+\.ts)$/.exec(text) ?? []
    return file === undefined ? [] : [{ line, file }]
  })
}
