const { moduleNameMapper, transform } = require('../../jest.config')

// `npm run test:library`. In your own project, you need no moduleNameMapper: docs/guide/testing.md has the whole file.
module.exports = {
  rootDir: '../..',
  roots: ['<rootDir>/examples/library/test'],
  setupFiles: ['reflect-metadata'],
  testTimeout: 60_000,
  moduleNameMapper,
  transform,
}
