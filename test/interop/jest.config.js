const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { transform, ...base } = require('../../jest.config')

if (!existsSync(join(__dirname, 'node_modules', 'kitsu'))) {
  throw new Error('The clients of others are not installed. Run: npm ci --prefix test/interop')
}

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/interop'],
  testPathIgnorePatterns: ['/node_modules/'],
  // `unpkg`: a build that needs no bundler.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'unpkg'] },
  // Clients that are ES modules alone are made CommonJS, as the tests are.
  transform: { ...transform, '/node_modules/.+\\.m?js$': transform['^.+\\.ts$'] },
  transformIgnorePatterns: ['/node_modules/(?!kitsu|@warp-drive)'],
}
