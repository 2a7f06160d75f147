// Lets Node.js load TypeScript, and resolves `stemma` to this repository, as in jest.config.js.
const { statSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const { compileFunction } = require('node:vm')
const { moduleNameMapper } = require('../../jest.config')

const ROOT = join(__dirname, '..', '..')
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname']

/** `transform` returns the JavaScript of a file. It is called again if the file has changed. */
exports.loadTypeScript = (transform) => {
  const compile = memoizeByFile((filename) => compileFunction(transform(filename), PARAMETERS, { filename }))
  Module._extensions['.ts'] = (module, filename) => {
    const { exports } = module
    compile(filename).call(exports, exports, Module.createRequire(filename), module, filename, dirname(filename))
  }
  const { _resolveFilename: resolve } = Module
  const resolvedPaths = new Map()
  Module._resolveFilename = (name, parent, ...rest) => {
    const path = applyMapping(name)
    // Caches the paths of modules that each test file loads again.
    const isOurs = path.startsWith('.') && parent?.filename?.endsWith('.ts')
    if (!isOurs) return resolve(path, parent, ...rest)
    const key = `${dirname(parent.filename)}:${path}`
    if (!resolvedPaths.has(key)) resolvedPaths.set(key, resolve(path, parent, ...rest))
    return resolvedPaths.get(key)
  }
}

function memoizeByFile(compile) {
  const cache = new Map()
  return (filename) => {
    const { mtimeMs } = statSync(filename)
    if (cache.get(filename)?.mtimeMs !== mtimeMs) cache.set(filename, { mtimeMs, compiled: compile(filename) })
    return cache.get(filename).compiled
  }
}

const mappings = Object.entries(moduleNameMapper).map(([name, path]) => [
  new RegExp(name),
  path.replace('<rootDir>', ROOT),
])

function applyMapping(name) {
  const mapping = mappings.find(([pattern]) => pattern.test(name))
  return mapping === undefined ? name : name.replace(...mapping)
}
