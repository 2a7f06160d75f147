/** SWC compiles the files with the decorators of TypeScript. It checks no types: `npm run build` does. */
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, useDefineForClassFields: false },
    target: 'es2022',
  },
  module: { type: 'commonjs' },
}

module.exports = {
  roots: ['<rootDir>/test'],
  setupFiles: ['reflect-metadata'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
}
