// Starts a Galera cluster of its own: `npm run test:galera`.
const shared = require('../../jest.config')

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/exams/galera'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
}
