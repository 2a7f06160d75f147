// For programs that tests start beside themselves: `node --require test/support/run-typescript.js program.ts` runs one as jest would.
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { version } = require('@swc/core/package.json')
const { transform } = require('../../jest.config')
const { loadTypeScript } = require('./load-typescript')

const [[, options]] = Object.values(transform)

/** Kept between processes: to transform all of src takes a third of the time in which a program starts. */
const CACHE = join(__dirname, '..', '..', 'build', 'typescript')
const SETTINGS = JSON.stringify([version, options])
mkdirSync(CACHE, { recursive: true })

loadTypeScript((filename) => {
  const source = readFileSync(filename, 'utf8')
  const path = join(CACHE, `${createHash('sha1').update(SETTINGS).update(filename).update(source).digest('hex')}.js`)
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Loaded only where something has changed.
    const { transformSync } = require('@swc/core')
    const { code } = transformSync(source, { ...options, filename, swcrc: false })
    // Other processes read the file as a whole or not at all.
    writeFileSync(`${path}.${process.pid}`, code)
    renameSync(`${path}.${process.pid}`, path)
    return code
  }
})
