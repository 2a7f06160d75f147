const { existsSync } = require('node:fs')
const { join } = require('node:path')
const base = require('../../jest.config')

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

if (!existsSync(join(__dirname, 'node_modules', 'playwright-core')))
  throw new Error('What drives the browser is not installed. Run: npm ci --prefix test/browser')
if (!existsSync(CHROMIUM))
  throw new Error(`There is no Chromium at ${CHROMIUM}. Run: apt-get install chromium, or set CHROMIUM to its path.`)
if (!existsSync(join(__dirname, '..', '..', 'dist', 'client.mjs')))
  throw new Error('The client is not built. Run: npm run build')

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One browser at a time is enough for a machine.
  maxWorkers: 1,
  testTimeout: 60_000,
}
