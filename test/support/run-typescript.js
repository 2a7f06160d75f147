// For programs that tests start beside themselves: `node --require test/support/run-typescript.js program.ts` runs one as jest would.
const { readFileSync } = require('node:fs')
const { transformSync } = require('@swc/core')
const { transform } = require('../../jest.config')
const { loadTypeScript } = require('./load-typescript')

const [[, options]] = Object.values(transform)

loadTypeScript((filename) => transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false }).code)
