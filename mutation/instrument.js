const { readdirSync, readFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { MODULES, folderOf } = require('./config')

const root = join(__dirname, '..')

/** Returns all mutants of the modules, and the text of their files, which contains all mutants. Each is switched on by its id. */
exports.instrumentModules = async () => {
  const instrumenter = await createInstrumenter()
  const names = Object.keys(MODULES).flatMap((module) => filesIn(folderOf(module)))
  const files = names.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }))
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false }
  const instrumented = await instrumenter.instrument(files, options)
  const contents = new Map(files.map(({ name, content }) => [name, content]))
  return {
    sources: Object.fromEntries(instrumented.files.map(({ name, content }) => [name, content])),
    mutants: withNames(instrumented.mutants.map((mutant) => toMutant(mutant, contents.get(mutant.fileName)))),
  }
}

// The packages are ES modules. Stryker's injector is the only way to create an instrumenter.
async function createInstrumenter() {
  const { createInjector } = await import('typed-inject')
  const { createInstrumenter } = await import('@stryker-mutator/instrumenter')
  const silent = new Proxy({}, { get: (_, name) => (name.startsWith('is') ? () => false : () => {}) })
  const injector = createInjector()
    .provideValue('logger', silent)
    .provideValue('options', {})
    .provideValue('fileDescriptions', {})
  return createInstrumenter(injector)
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function toMutant({ id, fileName, location: { start, end }, mutatorName, replacement }, content) {
  const lines = content.split('\n').slice(start.line, end.line + 1)
  lines.push(lines.pop().slice(0, end.column))
  lines[0] = lines[0].slice(start.column)
  return {
    id: Number(id),
    file: fileName,
    module: Object.keys(MODULES).find((module) => fileName.startsWith(`${folderOf(module)}/`)),
    line: start.line + 1,
    column: start.column + 1,
    mutator: mutatorName,
    original: lines.join('\n'),
    replacement,
  }
}

/** Adds a name that stays the same when lines move, so that a seed draws the same sample. */
function withNames(mutants) {
  const counts = new Map()
  return mutants.map((mutant) => {
    const name = [mutant.file, mutant.original, mutant.replacement].join(' ')
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return { ...mutant, name: `${name} ${counts.get(name)}` }
  })
}
