// Writes the ES module faces of the package: each re-exports its CommonJS build name by name, so that there is one copy of each class
// whichever way it is loaded. See docs/internals/decisions/001-dependencies-and-packaging.md.
const { writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { exports: entries } = require('../package.json')

const root = join(__dirname, '..')

for (const { require: built, import: face } of Object.values(entries).filter((entry) => typeof entry === 'object')) {
  const names = Object.keys(require(join(root, built.default))).sort()
  if (names.length === 0) throw new Error(`${built.default} exports nothing.`)
  const file = `./${basename(built.default)}`
  const lines = names.map((name) => `export const ${name} = stemma.${name}\n`)
  writeFileSync(join(root, face.default), `import stemma from '${file}'\n\n${lines.join('')}`)
  // Types keep their CommonJS declaration, so those that exist only as types are there as well.
  writeFileSync(join(root, face.types), `export * from '${file}'\n`)
}
