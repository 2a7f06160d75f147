const { cpSync, existsSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const base = require('../jest.config')

if (!existsSync(join(__dirname, 'node_modules', 'fastify'))) {
  throw new Error('The frameworks are not installed. Run: npm ci --prefix frameworks')
}

// Copies the library as npm installs it, so that it finds TypeORM and the drivers where programs find them. Here, because workers would disturb each other.
const library = join(__dirname, 'build', 'node_modules', 'stemma')
rmSync(library, { recursive: true, force: true })
for (const part of ['package.json', 'dist'])
  cpSync(join(__dirname, '..', part), join(library, part), { recursive: true })

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '..',
  roots: ['<rootDir>/frameworks'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/frameworks/build/'],
}
