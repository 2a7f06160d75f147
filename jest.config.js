/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  maxWorkers: '100%',
  // Workers that have run many files spend their time on collecting garbage.
  workerIdleMemoryLimit: '800MB',
  // A server that is busy takes some seconds to make the tables of a hierarchy.
  testTimeout: 30_000,
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { '^stemma$': '<rootDir>/src/index.ts' },
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
