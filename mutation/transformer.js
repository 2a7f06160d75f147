const { createTransformer } = require('@swc/jest')
const { existsSync, readFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { BUILD } = require('./config')

const root = join(__dirname, '..')
const path = join(root, BUILD, 'instrumented.json')
const texts = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}

exports.createTransformer = (options) => {
  const swc = createTransformer(options)
  const instrumented = (text, filename) => texts[relative(root, filename)] ?? text
  return {
    ...swc,
    process: (text, filename, given) => swc.process(instrumented(text, filename), filename, given),
    getCacheKey: (text, filename, given) => swc.getCacheKey(instrumented(text, filename), filename, given),
  }
}
