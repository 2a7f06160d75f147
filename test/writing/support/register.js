// For programs that tests start: TypeScript is read by Node.js as it is by jest.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { join } = require('node:path')
const { transformSync } = require('@swc/core')
const { moduleNameMapper, transform } = require('../../../jest.config')

const [[, options]] = Object.values(transform)
const root = join(__dirname, '../../..')
const resolve = Module._resolveFilename

Module._resolveFilename = (request, ...rest) => {
  const mapped = Object.keys(moduleNameMapper).find((pattern) => new RegExp(pattern).test(request))
  return resolve(mapped === undefined ? request : moduleNameMapper[mapped].replace('<rootDir>', root), ...rest)
}

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false })
  module._compile(code, filename)
}
