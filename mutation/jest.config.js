const base = require('../jest.config')

const [[pattern, [, options]]] = Object.entries(base.transform)

/** The tests as they are, on code that holds all of its changes: `worker.js` switches one on. @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '..',
  // A mutated module is loaded anew.
  testEnvironmentOptions: {},
  transform: { [pattern]: ['<rootDir>/mutation/transformer.js', options] },
}
