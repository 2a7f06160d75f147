// Creates a project with `npm create stemma`, which is `stemma init` of the packed package, installs it, and runs its tests, its server, and the commands of `stemma` on it.
const { execFileSync, spawnSync } = require('node:child_process')
const { cpSync, mkdtempSync, rmSync, symlinkSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startProject } = require('./projects/start-project')

/** `command`: the installed `create-stemma`. `tarball`: the package that was installed. */
exports.checkWrittenProject = async ({ command, tarball }) => {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-written-'))
  const run = (program, words) => execFileSync(program, words, { cwd: folder, stdio: 'inherit' })
  try {
    run(command, ['.', '--name', 'written', '--no-install'])
    run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball])
    linkDriver(folder)
    run('npm', ['test'])
    run('npm', ['run', 'check'])
    cpSync(join(__dirname, '..', 'test', 'packaging', 'awaited.mjs'), join(folder, 'awaited.mjs'))
    const stemma = join(folder, 'node_modules', '.bin', 'stemma')
    run(stemma, ['check', '--strict', 'awaited.mjs'])
    run(stemma, ['routes', 'awaited.mjs'])
    run(stemma, ['explain', 'awaited.mjs', '/books?include=author'])
    run(stemma, ['openapi', 'awaited.mjs', '--out', 'openapi.json'])
    const { status } = spawnSync(stemma, ['chek'])
    if (status !== 2) throw new Error(`An unknown command exits with ${status}.`)
    await startProject(folder)
    console.log('The project that stemma init writes can be installed, compiled, tested, checked and started.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiling the driver takes minutes, so this copies the compiled one. */
function linkDriver(folder) {
  const path = join(folder, 'node_modules', 'better-sqlite3')
  rmSync(path, { recursive: true })
  symlinkSync(join(__dirname, '..', 'node_modules', 'better-sqlite3'), path)
}
