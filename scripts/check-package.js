// Packs the package, installs the tarball with its peers in an empty project, and tests it with require, import,
// and the types of both. Needs a build, which `npm run check:package` runs.
const { execFileSync } = require('node:child_process')
const { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { delimiter, join } = require('node:path')
const { gzipSync } = require('node:zlib')
const { buildSync } = require('esbuild')
const { devDependencies } = require('../package.json')
const { checkWrittenProject } = require('./check-written-project')

const root = join(__dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'stemma-package-'))

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})

async function main() {
  try {
    const tarball = pack(root)
    const alias = pack(join(root, 'create-stemma'))
    run('publint', ['run', tarball, '--strict'])
    run('attw', ['--no-definitely-typed', '--no-color', '--no-emoji', tarball])
    install(tarball, alias)
    cpSync(join(root, 'test', 'packaging', 'project'), project, { recursive: true })
    const programs = join(project, 'node_modules', '.bin')
    run(join(programs, 'stemma'), ['--help'])
    await checkWrittenProject({ command: join(programs, 'create-stemma'), tarball })
    checkSizeOfClient()
    checkSizeOfPage()
    use('typeorm')
    installOlderTypeOrm()
    use('typeorm-0.3')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

function use(line) {
  run(process.execPath, ['required.cjs'])
  run(process.execPath, ['imported.mjs'])
  run('tsc', ['--project', '.'])
  console.log(`The package can be required, imported and compiled against, with ${line} ${devDependencies[line]}.`)
}

/** The size as an application has it: bundled for browsers, minified and compressed. A guide page states it. */
function checkSizeOfClient() {
  const { outputFiles } = buildSync({
    stdin: { contents: "export * from 'stemma/client'", resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const measured = (gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000).toFixed(1)
  const guide = 'docs/guide/typed-client.md'
  const [, documented] = /\bis ([\d.]+) kB\b/.exec(readFileSync(join(root, guide), 'utf8')) ?? []
  if (documented !== measured)
    throw new Error(`The typed client is ${measured} kB, ${guide} says ${documented}. Correct the guide.`)
  console.log(`The typed client is ${measured} kB when it is bundled, minified and compressed, as the guide says.`)
}

/** The scripts of the explorer that a browser loads at the start, each compressed. A guide page states the limit. */
function checkSizeOfPage() {
  const folder = join(project, 'node_modules', 'stemma', 'dist', 'explorer-page')
  const names = new Set(['main.mjs'])
  let bytes = 0
  // The loop also visits the names that it adds.
  for (const name of names) {
    const script = readFileSync(join(folder, name))
    bytes += gzipSync(script, { level: 9 }).length
    // Not `import("./type-hierarchy-diagram-….mjs")`, which is loaded later.
    for (const [, imported] of script.toString().matchAll(/\b(?:from|import)"\.\/([\w-]+\.mjs)"/g)) names.add(imported)
  }
  const measured = bytes / 1000
  const guide = 'docs/guide/explorer.md'
  const [, limit] = /\bat most ([\d.]+) kB\b/.exec(readFileSync(join(root, guide), 'utf8')) ?? []
  if (limit === undefined)
    throw new Error(`${guide} states no limit for the scripts of the explorer. Write it: at most 60 kB`)
  if (measured > Number(limit))
    throw new Error(
      `The scripts of the explorer are ${measured} kB, ${guide} says at most ${limit}. Import large parts later, as src/explorer/page/README.md describes.`,
    )
  console.log(`The explorer loads ${measured.toFixed(1)} kB of compressed scripts at the start, of at most ${limit}.`)
}

/** Installs the other supported TypeORM version. */
function installOlderTypeOrm() {
  const link = join(project, 'node_modules', 'typeorm')
  rmSync(link, { recursive: true })
  symlinkSync(join(root, 'node_modules', 'typeorm-0.3'), link)
}

function pack(folder) {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: folder,
  })
  const [{ filename, files }] = JSON.parse(packed.toString())
  const unexpected = files.map((file) => file.path).filter((path) => !isShipped(path))
  if (unexpected.length > 0) throw new Error(`Files that must not be published: ${unexpected.join(', ')}`)
  console.log(`${filename}: ${files.length} files`)
  return join(project, filename)
}

function isShipped(path) {
  return (
    /^dist\/.*\.(js|mjs|d\.ts|d\.mts)$/.test(path) ||
    path.startsWith('templates/') ||
    path === 'index.js' ||
    /^dist\/explorer-page\/[\w-]+\.(css|svg|txt)$/.test(path) ||
    /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)
  )
}

/** The peers in the versions of the tests, which are in npm's cache. */
function install(...tarballs) {
  const peers = ['express', 'typeorm', 'reflect-metadata', '@types/express', '@types/node']
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  run('npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    ...tarballs,
    ...peers.map((name) => `${name}@${devDependencies[name]}`),
  ])
  // Compiling the driver takes a minute, so this copies the compiled one.
  symlinkSync(join(root, 'node_modules', 'sqlite3'), join(project, 'node_modules', 'sqlite3'))
}

function run(command, parameters) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  execFileSync(command, parameters, { cwd: project, stdio: 'inherit', env: { ...process.env, PATH: path } })
}
