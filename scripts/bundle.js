// Bundles the package into one file for each entry point: loading 400 files took three times as long. `library.js` has what applications and the
// command line share, so that there is one copy of each class: `index.js` exports the public part of it. Then it bundles the explorer's page, and
// writes the ES module faces. See docs/internals/decisions/001-dependencies-and-packaging.md.
const { writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { build, buildSync } = require('esbuild')
const { exports: entries } = require('../package.json')
const { bundlePage } = require('./bundle-page')

const ROOT = join(__dirname, '..')
const SRC = join(ROOT, 'src')
const DIST = join(ROOT, 'dist')

const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  packages: 'external',
  outdir: DIST,
  absWorkingDir: ROOT,
  logLevel: 'warning',
}

const OFFLINE_API = './express/create-offline-api'

/** What the command line needs besides the public exports. */
const INTERNAL = Object.fromEntries(
  ['createOfflineApi', 'createExplainingApi', 'closeExplainingApi'].map((name) => [name, OFFLINE_API]),
)

async function main() {
  bundleLibrary()
  await bundleCommandLine()
  buildSync({ ...OPTIONS, entryPoints: ['client', 'sqlite3', 'testing'].map((name) => join(SRC, `${name}.ts`)) })
  await bundlePage(join(DIST, 'explorer-page'))
  writeIndex()
  for (const entry of Object.values(entries).filter((each) => typeof each === 'object')) writeModuleFace(entry)
}

function bundleLibrary() {
  const internal = Object.entries(INTERNAL).map(([name, file]) => `export { ${name} } from '${file}'`)
  const contents = ["export * from './index'", ...internal].join('\n')
  buildSync({
    ...OPTIONS,
    stdin: { contents, resolveDir: SRC, sourcefile: 'library.ts' },
    outdir: undefined,
    outfile: join(DIST, 'library.js'),
  })
}

/** The command line creates APIs with the library that the user's module loads, which has the registry of its decorators. */
async function bundleCommandLine() {
  const library = { path: '../library.js', external: true }
  await build({
    ...OPTIONS,
    entryPoints: [join(SRC, 'cli', 'main.ts')],
    outdir: join(DIST, 'cli'),
    plugins: [
      { name: 'library', setup: ({ onResolve }) => onResolve({ filter: /\/create-offline-api$/ }, () => library) },
    ],
  })
}

/** Writes each name, so that Node.js finds the exports without running the file. */
function writeIndex() {
  const names = Object.keys(require(join(DIST, 'library.js'))).filter((name) => !Object.hasOwn(INTERNAL, name))
  const lines = names.sort().map((name) => `exports.${name} = library.${name}\n`)
  writeFileSync(join(DIST, 'index.js'), `'use strict'\n\nconst library = require('./library.js')\n\n${lines.join('')}`)
}

/** Re-exports a CommonJS file name by name, so that there is one copy of each class whichever way it is loaded. */
function writeModuleFace({ require: built, import: face }) {
  const names = Object.keys(require(join(ROOT, built.default))).sort()
  if (names.length === 0) throw new Error(`${built.default} exports nothing.`)
  const file = `./${basename(built.default)}`
  const lines = names.map((name) => `export const ${name} = stemma.${name}\n`)
  writeFileSync(join(ROOT, face.default), `import stemma from '${file}'\n\n${lines.join('')}`)
  // Types keep their CommonJS declaration, so those that exist only as types are there as well.
  writeFileSync(join(ROOT, face.types), `export * from '${file}'\n`)
}

main()
