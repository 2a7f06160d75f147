// Runs a project of `stemma init` in each way of the table in docs/start.md ("Ways to run TypeScript"): it starts and answers, or fails with the error
// that docs/troubleshooting.md explains. Needs a build, PostgreSQL and a registry.
const { execFileSync, spawnSync } = require('node:child_process')
const { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createDatabase, dropDatabases } = require('./projects/project-databases')
const { startProject } = require('./projects/start-project')

const ROOT = join(__dirname, '..')

/** Loaders need the JavaScript API of TypeScript 5. `node` is a release of Node.js that removes types. */
const PACKAGES = {
  '@swc-node/register': '1.12.1',
  '@swc/core': '1.16.22',
  bun: '1.4.5',
  deno: '2.9.6',
  esbuild: '0.28.2',
  node: '24.21.0',
  'ts-node': '10.9.2',
  tsx: '4.23.15',
  typescript: '5.9.3',
}

const BUNDLE = ['src/main.ts', '--bundle', '--platform=node', '--packages=external', '--outfile=dist/bundle.js']

/** `prepare`: a command before. `copy`: a file, and the name of its copy. `fails`: the error, if it cannot work. */
const WAYS = {
  tsc: { prepare: ['tsc'], words: ['dist/src/main.js'] },
  tsx: { words: ['--import', 'tsx', 'src/main.ts'] },
  'ts-node': { words: ['--require', 'ts-node/register', 'src/main.ts'] },
  'swc-node': { words: ['--require', '@swc-node/register', 'src/main.ts'] },
  esbuild: { prepare: ['esbuild', ...BUNDLE], words: ['dist/bundle.js'] },
  'esbuild with names': { prepare: ['esbuild', ...BUNDLE, '--minify', '--keep-names'], words: ['dist/bundle.js'] },
  'esbuild without names': {
    prepare: ['esbuild', ...BUNDLE, '--minify'],
    words: ['dist/bundle.js'],
    fails: /Entity metadata for \w+#\w+ was not found/,
  },
  bun: { program: 'bun/bin/bun.exe', words: ['src/main.ts'] },
  deno: { program: 'deno/deno', words: ['run', '--allow-all', '--sloppy-imports', 'src/main.ts'] },
  node: {
    program: 'node/bin/node',
    words: ['src/main.ts'],
    fails: /SyntaxError: Cannot use import statement outside a module/,
  },
  'node, an ES module': {
    copy: ['src/resources/author.ts', 'dist/author.mts'],
    program: 'node/bin/node',
    words: ['dist/author.mts'],
    fails: /SyntaxError: Invalid or unexpected token/,
  },
  'stemma check': {
    program: 'node/bin/node',
    words: ['node_modules/stemma/dist/cli/main.js', 'check', 'src/configuration.ts'],
    fails: /configuration\.ts is TypeScript, and Node\.js cannot load it\. Compile it/,
  },
}

async function main() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stemma-compilers-')))
  const failed = []
  try {
    install(folder)
    for (const [name, way] of Object.entries(WAYS)) {
      try {
        await check(folder, way)
        console.log(`${name}: ${way.fails === undefined ? 'works' : 'fails with the known error'}`)
      } catch (error) {
        failed.push(name)
        console.error(`${name}: ${error.message}`)
      }
    }
    await dropDatabases()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (failed.length > 0) throw new Error(`Not as docs/start.md says: ${failed.join(', ')}`)
  console.log(`${Object.keys(WAYS).length} ways to run TypeScript do what docs/start.md says.`)
}

function install(folder) {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
  })
  const project = join(folder, 'project')
  const words = ['init', project, '--database', 'postgres', '--no-install']
  execFileSync(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...words])
  const file = join(project, 'package.json')
  const { dependencies, devDependencies, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  const stemma = join(folder, JSON.parse(packed.toString())[0].filename)
  const types = Object.fromEntries(Object.entries(devDependencies).filter(([name]) => name.startsWith('@types/')))
  const all = { ...dependencies, ...types, ...PACKAGES, stemma }
  writeFileSync(file, JSON.stringify({ ...rest, dependencies: all }))
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet], { cwd: project, stdio: 'inherit' })
  // They choose the program for this machine in a script.
  const scripts = { node: 'installArchSpecificPackage.js', bun: 'install.js', deno: 'install.cjs' }
  for (const [name, script] of Object.entries(scripts))
    execFileSync(process.execPath, [script], { cwd: join(project, 'node_modules', name), stdio: 'inherit' })
}

async function check(folder, { prepare, copy, program, words, fails }) {
  const project = join(folder, 'project')
  rmSync(join(project, 'dist'), { recursive: true, force: true })
  mkdirSync(join(project, 'dist'))
  if (copy !== undefined) cpSync(...copy.map((path) => join(project, path)))
  if (prepare !== undefined) {
    const [command, ...others] = prepare
    execFileSync(join(project, 'node_modules', '.bin', command), others, { cwd: project, stdio: 'pipe' })
  }
  const options = {
    program: program === undefined ? process.execPath : join(project, 'node_modules', program),
    words,
    env: { ...process.env, ...(await createDatabase('postgres')) },
  }
  if (fails === undefined) return startProject(project, options)
  const { status, stderr } = spawnSync(options.program, words, { cwd: project, env: options.env, encoding: 'utf8' })
  if (status === 0 || !fails.test(stderr)) throw new Error(`Expected ${fails}, found: ${stderr}`)
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
