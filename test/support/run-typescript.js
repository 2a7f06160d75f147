// For programs that tests start beside themselves: `node --require test/support/run-typescript.js program.ts` runs one as jest would.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { join } = require('node:path')
const { transformSync } = require('@swc/core')
const { transform } = require('../../jest.config')

const [[, options]] = Object.values(transform)
const stemma = join(__dirname, '..', '..', 'src', 'index.ts')
const { _resolveFilename: resolve } = Module

Module._resolveFilename = (name, ...rest) => (name === 'stemma' ? stemma : resolve(name, ...rest))
Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false })
  module._compile(code, filename)
}
