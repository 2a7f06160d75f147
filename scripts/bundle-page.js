// Bundles the explorer's page: Preact and the page in `main.mjs`, each lazily imported part in its own file, all styles in `page.css`.
// `npm run build` writes it to `dist`, jest to `src/explorer`, where the library looks for it when it runs from its sources.
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const { build } = require('esbuild')

const ROOT = join(__dirname, '..')
const SOURCE = join(ROOT, 'src', 'explorer', 'page')

/** Packages whose code is in the bundle. Their licenses ask for a copy of the text. */
const BUNDLED = ['preact', '@dagrejs/dagre', '@dagrejs/graphlib']

/** Writes only files that differ, each as a whole, because servers of other processes may be reading them. */
exports.bundlePage = async (folder) => {
  mkdirSync(folder, { recursive: true })
  const files = new Map([...(await bundledFiles()), ['icon.svg', read(join(SOURCE, 'icon.svg'))], licenses()])
  for (const [name, text] of files) writeIfDifferent(join(folder, name), text)
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name), { force: true })
}

async function bundledFiles() {
  const { outputFiles } = await build({
    absWorkingDir: SOURCE,
    entryPoints: ['main.tsx', 'page.css'],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // The oldest browsers that know `light-dark()` and popovers.
    target: ['chrome123', 'firefox125', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: SOURCE,
    outExtension: { '.js': '.mjs' },
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  })
  return outputFiles.map(({ path, text }) => [basename(path), text])
}

function licenses() {
  const texts = BUNDLED.map((name) => `${name}\n\n${read(join(ROOT, 'node_modules', name, 'LICENSE'))}`)
  return ['licenses.txt', texts.join('\n\n')]
}

function writeIfDifferent(path, text) {
  if (read(path) === text) return
  const temporary = join(dirname(path), `.${process.pid}.${basename(path)}`)
  writeFileSync(temporary, text)
  renameSync(temporary, path)
}

/** Returns `undefined` if the file does not exist. */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
