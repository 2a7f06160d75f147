const { existsSync } = require('node:fs')
const { join } = require('node:path')
const base = require('../jest.config')

if (!existsSync(join(__dirname, 'node_modules', 'fastify'))) {
  throw new Error('The frameworks are not installed. Run: npm ci --prefix frameworks')
}

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '..',
  roots: ['<rootDir>/frameworks'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/frameworks/build/'],
}
