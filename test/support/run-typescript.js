// Runs programs that tests start in other processes, with the same transform as Jest: `node --require test/support/run-typescript.js program.ts`.
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { version } = require('@swc/core/package.json')
const { transform } = require('../../jest.config')
const { loadTypeScript } = require('./load-typescript')

const [[, options]] = Object.values(transform)

/** Shared by processes, because transforming src takes a third of the start time of a program. */
const CACHE = join(__dirname, '..', '..', 'build', 'typescript')
const SETTINGS = JSON.stringify([version, options])
mkdirSync(CACHE, { recursive: true })

loadTypeScript((filename) => {
  const source = readFileSync(filename, 'utf8')
  const path = join(CACHE, `${createHash('sha1').update(SETTINGS).update(filename).update(source).digest('hex')}.js`)
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Loaded only if a file has changed.
    const { transformSync } = require('@swc/core')
    const { code } = transformSync(source, { ...options, filename, swcrc: false })
    // Other processes read the file as a whole or not at all.
    writeFileSync(`${path}.${process.pid}`, code)
    renameSync(`${path}.${process.pid}`, path)
    return code
  }
})
