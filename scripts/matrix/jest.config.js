const base = require('../../jest.config')

/** The tests as they are, and the probes; the runner measures. @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test', '<rootDir>/scripts/matrix'],
  // What a module executes while it is loaded counts for each test file.
  testEnvironmentOptions: {},
  testRunner: '<rootDir>/scripts/matrix/runner.js',
}
