#!/usr/bin/env node
// `npm create stemma my-api` is `npx stemma init my-api`.
const { dirname, join } = require('node:path')

process.argv.splice(2, 0, 'init')
require(join(dirname(require.resolve('stemma/package.json')), 'dist', 'cli', 'main.js'))
