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
  transform: { '\\.[jt]s$': ['@swc/jest', swc] },
  // The packages of NestJS are ES modules, which Jest cannot require before Node.js 24.9.
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
}
