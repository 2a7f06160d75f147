// Loads packages from two places. The library, the baseline and the hand-written server use the packages of the project. The other servers are
// in node_modules of this folder, some with older versions of TypeORM and Express.
const { existsSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')

const ROOT = join(__dirname, '..')

exports.ROOT = ROOT
exports.requireOfProject = createRequire(join(ROOT, 'package.json'))
exports.requireOfBench = createRequire(join(__dirname, 'package.json'))
exports.hasBenchPackages = () => existsSync(join(__dirname, 'node_modules'))

/** Loads the built library. It requires `npm run build`. */
let entry = 'dist/index.js'
exports.loadStemma = () => require(join(ROOT, entry))

/** From then on, `loadStemma` loads the source, whose modules `loadSource` returns one by one. */
exports.useSource = () => {
  require('../test/support/run-typescript')
  entry = 'src/index.ts'
}
exports.loadSource = (path) => require(join(ROOT, 'src', path))
