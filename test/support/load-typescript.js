// Node.js reads TypeScript, and finds `stemma` here, as jest.config.js says.
const { statSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const { compileFunction } = require('node:vm')
const { moduleNameMapper } = require('../../jest.config')

const ROOT = join(__dirname, '..', '..')
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname']

/** `transform` gives the JavaScript of a file. It is asked again when the file has changed. */
exports.loadTypeScript = (transform) => {
  const compile = remember((filename) => compileFunction(transform(filename), PARAMETERS, { filename }))
  Module._extensions['.ts'] = (module, filename) => {
    const { exports } = module
    compile(filename).call(exports, exports, Module.createRequire(filename), module, filename, dirname(filename))
  }
  const { _resolveFilename: resolve } = Module
  const places = new Map()
  Module._resolveFilename = (name, parent, ...rest) => {
    const path = mapped(name)
    // What is loaded anew for each file of tests is looked for once.
    const isOurs = path.startsWith('.') && parent?.filename?.endsWith('.ts')
    if (!isOurs) return resolve(path, parent, ...rest)
    const place = `${dirname(parent.filename)}:${path}`
    if (!places.has(place)) places.set(place, resolve(path, parent, ...rest))
    return places.get(place)
  }
}

function remember(compile) {
  const known = new Map()
  return (filename) => {
    const { mtimeMs } = statSync(filename)
    if (known.get(filename)?.mtimeMs !== mtimeMs) known.set(filename, { mtimeMs, compiled: compile(filename) })
    return known.get(filename).compiled
  }
}

const mappings = Object.entries(moduleNameMapper).map(([name, path]) => [
  new RegExp(name),
  path.replace('<rootDir>', ROOT),
])

function mapped(name) {
  const mapping = mappings.find(([pattern]) => pattern.test(name))
  return mapping === undefined ? name : name.replace(...mapping)
}
