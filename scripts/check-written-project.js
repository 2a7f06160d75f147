// Creates a project with `stemma init` of the packed package, installs it, and runs its tests, its server, and the commands of `stemma` on it.
const { execFileSync, spawn, spawnSync } = require('node:child_process')
const { cpSync, mkdtempSync, rmSync, symlinkSync } = require('node:fs')
const { once } = require('node:events')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')

/** `command`: the installed `stemma`. `tarball`: the package that was installed. */
exports.checkWrittenProject = async ({ command, tarball }) => {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-written-'))
  const run = (program, words) => execFileSync(program, words, { cwd: folder, stdio: 'inherit' })
  try {
    run(command, ['init', '.', '--name', 'written'])
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
    await start(folder)
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

/** Runs `node` as `npm start` does, so that signals reach it and not npm. */
async function start(folder) {
  const server = spawn(process.execPath, ['dist/src/main.js'], { cwd: folder, env: { ...process.env, PORT: '0' } })
  const ended = once(server, 'exit')
  try {
    const answer = await fetch(await addressOf(server))
    const document = await answer.json()
    if (answer.status !== 200 || document.meta.total !== 0)
      throw new Error(`The server returns ${JSON.stringify(document)}`)
  } finally {
    server.kill()
  }
  const [status, signal] = await ended
  if (status !== 0) throw new Error(`The server ended with ${status ?? signal}.`)
}

async function addressOf({ stdout, stderr }) {
  stderr.pipe(process.stderr)
  for await (const line of createInterface({ input: stdout })) {
    const [address] = line.match(/http:\S+/) ?? []
    if (address) return address
  }
  throw new Error('The server has not printed its URL.')
}
