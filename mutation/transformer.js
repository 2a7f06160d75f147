const { createTransformer } = require('@swc/jest')
const { existsSync, readFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { BUILD } = require('./config')

const root = join(__dirname, '..')
const path = join(root, BUILD, 'instrumented.json')
const sources = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}

exports.createTransformer = (swcOptions) => {
  const swc = createTransformer(swcOptions)
  const instrumented = (text, filename) => sources[relative(root, filename)] ?? text
  return {
    ...swc,
    process: (text, filename, options) => swc.process(instrumented(text, filename), filename, options),
    getCacheKey: (text, filename, options) => swc.getCacheKey(instrumented(text, filename), filename, options),
  }
}
