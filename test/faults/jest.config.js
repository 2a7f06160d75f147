// Starts database servers of its own, and breaks them: `npm run test:faults`.
const shared = require('../../jest.config')

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Each file has a server to itself, and so a core.
  maxWorkers: 2,
  testTimeout: 60_000,
}
