// Two homes of packages. What the library is developed with serves the library, the floors and the hand-written server; this folder's own
// node_modules has the servers of others, some on an older line of TypeORM and of Express.
const { existsSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')

const ROOT = join(__dirname, '..')

exports.ROOT = ROOT
exports.library = createRequire(join(ROOT, 'package.json'))
exports.others = createRequire(join(__dirname, 'package.json'))
exports.hasOthers = () => existsSync(join(__dirname, 'node_modules'))

/** The library as users get it: `npm run build` comes first. */
exports.loadStemma = () => require(join(ROOT, 'dist/index.js'))
