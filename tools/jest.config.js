const { existsSync } = require('node:fs')
const { join } = require('node:path')
const base = require('../jest.config')

if (!existsSync(join(__dirname, 'node_modules', 'openapi-typescript'))) {
  throw new Error('The OpenAPI tools are not installed. Run: npm ci --prefix tools')
}

/** @type {import('jest').Config} */
module.exports = { ...base, rootDir: '..', roots: ['<rootDir>/tools'], testPathIgnorePatterns: ['/node_modules/'] }
