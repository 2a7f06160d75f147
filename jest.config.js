const { APART, idlePatterns } = require('./scripts/runs-on')

// The tests run on TypeORM 1.x, or on the line that TEST_TYPEORM names: scripts/test-on.js knows them.
const TYPEORM = { 1: {}, 0.3: { '^typeorm$': 'typeorm-0.3', '^typeorm/(.*)$': 'typeorm-0.3/$1' } }

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testEnvironmentOptions: { keepSource: true },
  testRunner: '<rootDir>/test/support/jest/runner.js',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...APART.map((folder) => `<rootDir>/test/${folder}/`),
    ...idlePatterns(process.env.TEST_RUN),
  ],
  maxWorkers: '100%',
  // A server that is busy takes some seconds to make the tables of a hierarchy.
  testTimeout: 30_000,
  setupFilesAfterEnv: ['reflect-metadata'],
  moduleNameMapper: {
    '^stemma$': '<rootDir>/src/index.ts',
    '^stemma/(\\w+)$': '<rootDir>/src/$1.ts',
    ...TYPEORM[process.env.TEST_TYPEORM ?? 1],
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
}
