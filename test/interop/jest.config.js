const { existsSync } = require('node:fs')
const { join } = require('node:path')
const base = require('../../jest.config')

if (!existsSync(join(__dirname, 'node_modules', 'kitsu')))
  throw new Error('The clients of others are not installed. Run: npm ci --prefix test/interop')

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/interop'],
  testPathIgnorePatterns: ['/node_modules/'],
}
