// Starts a primary of PostgreSQL and its standby: `npm run test:failover`.
const shared = require('../../jest.config')

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/exams/failover'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 120_000,
}
