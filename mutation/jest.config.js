const base = require('../jest.config')

const [[pattern, [, options]]] = Object.entries(base.transform)

/** Runs the normal tests on code that contains all mutants; `worker.js` switches one on. @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '..',
  // Mutated modules must be loaded again for each test file.
  testEnvironmentOptions: {},
  transform: { [pattern]: ['<rootDir>/mutation/transformer.js', options] },
}
