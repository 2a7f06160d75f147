// Reads and writes scripts/matrix/table.txt: which test file tells which configurations apart. `npm run matrix` makes it.
const { createHash } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('../databases')

const PATH = join(__dirname, 'table.txt')

/** `x`: the file can fail on this configuration and pass on the one it is compared with. `.`: it can't. `?`: not measured, so it runs. */
exports.RUNS = 'x'
exports.IDLE = '.'
exports.UNKNOWN = '?'

const HEAD = `# Which test file tells which configurations apart, as scripts/matrix measures it: \`npm run matrix\` makes this file anew.
# x: runs there; .: says the same as on the configuration that scripts/databases.js compares it with; ?: not measured, runs there.
`

/** By path: `{ digest, marks }`, the marks by the name of a configuration. */
exports.readTable = (path = PATH) => {
  const rows = new Map()
  if (!existsSync(path)) return rows
  const lines = readFileSync(path, 'utf8').split('\n')
  const names = (lines.find((line) => line.startsWith('# columns: ')) ?? '').slice('# columns: '.length).split(' ')
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue
    const [marks, digest, file] = line.split(' ')
    rows.set(file, { digest, marks: Object.fromEntries(names.map((name, at) => [name, marks[at]])) })
  }
  return rows
}

exports.writeTable = (rows, path = PATH) => {
  const names = Object.keys(DATABASES)
  const lines = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, { digest, marks }]) => {
      const text = names.map((name) => marks[name] ?? exports.UNKNOWN).join('')
      return `${text} ${digest} ${file}\n`
    })
  writeFileSync(path, `${HEAD}# columns: ${names.join(' ')}\n${lines.join('')}`)
}

/** Stays the same when a file is moved or formatted: folders in imports and white space do not count. */
exports.digestOf = (text) =>
  createHash('sha1')
    .update(text.replaceAll(/((?:from|import|require\() ?['"])[./]+(?:[\w-]+\/)*/g, '$1').replaceAll(/\s+/g, ''))
    .digest('hex')
    .slice(0, 8)
