// Writes the ES module face of the package: it re-exports the CommonJS build name by name, so that there is one copy of each class
// whichever way it is loaded. See docs/internals/decisions/002-commonjs-with-es-module-wrapper.md.
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')

const dist = join(__dirname, '..', 'dist')
const names = Object.keys(require(join(dist, 'index.js'))).sort()
if (names.length === 0) throw new Error('dist/index.js exports nothing.')

writeFileSync(
  join(dist, 'index.mjs'),
  `import stemma from './index.js'\n\n${names.map((name) => `export const ${name} = stemma.${name}\n`).join('')}`,
)
// Types keep their CommonJS declaration, so those that exist only as types are there as well.
writeFileSync(join(dist, 'index.d.mts'), "export * from './index.js'\n")
