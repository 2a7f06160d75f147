const { SEPARATE_FOLDERS, skippedPatterns } = require('./scripts/runs-on')

// The tests run on TypeORM 1.x, or on the line that TEST_TYPEORM names: scripts/test-on.js knows them. scripts/newest-typeorm.js names a folder.
const TYPEORM = process.env.TEST_TYPEORM_FOLDER ?? { 0.3: 'typeorm-0.3' }[process.env.TEST_TYPEORM]

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testEnvironmentOptions: { keepSource: true },
  testRunner: '<rootDir>/test/support/jest/runner.js',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...SEPARATE_FOLDERS.map((folder) => `<rootDir>/test/${folder}/`),
    ...skippedPatterns(process.env.TEST_RUN, process.env.TEST_LEVEL),
  ],
  maxWorkers: '100%',
  // A server that is busy takes some seconds to make the tables of a hierarchy.
  testTimeout: 30_000,
  globalSetup: '<rootDir>/test/support/jest/set-up-run.js',
  globalTeardown: '<rootDir>/test/support/jest/tear-down-run.js',
  setupFilesAfterEnv: ['reflect-metadata'],
  moduleNameMapper: {
    '^stemma$': '<rootDir>/src/index.ts',
    '^stemma/(\\w+)$': '<rootDir>/src/$1.ts',
    ...(TYPEORM === undefined ? {} : { '^typeorm$': TYPEORM, '^typeorm/(.*)$': `${TYPEORM}/$1` }),
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
