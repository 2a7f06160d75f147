// The project's own scripts: checks, releases, the matrix of configurations. Runs with `npm run test:packaging`.
const shared = require('../../jest.config')

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/packaging'],
  testPathIgnorePatterns: ['/node_modules/'],
}
