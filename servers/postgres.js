// Starts a server of PostgreSQL from the packages of this folder, on the loopback interface.
const { execFileSync, spawn } = require('node:child_process')
const { once } = require('node:events')
const { closeSync, cpSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join, relative } = require('node:path')
const { setTimeout: wait } = require('node:timers/promises')
const { Client } = require('pg')
const { findPort } = require('../scripts/find-port')

const PREFIX = 'postgres-'
/** Milliseconds. */
const START_TIMEOUT = 60_000
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1']

/** The major versions that package.json names. */
exports.VERSIONS = Object.keys(require('./package.json').devDependencies).map((name) => name.slice(PREFIX.length))

/** Starts a server with an empty database `test`. It ends with this process. */
exports.startServer = async (version) => {
  const account = findAccount()
  const folder = mkdtempSync(join(tmpdir(), `stemma-${PREFIX}${version}-`))
  let child
  const kill = () => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    if (child?.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      // Immediate shutdown, since the data is not needed.
      child.kill('SIGQUIT')
      await ended
    }
    kill()
  }
  try {
    const programs = copyPackage(version, folder)
    if (account.uid !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])
    const [data, log, port] = [join(folder, 'data'), join(folder, 'log'), await findPort()]
    initialize(join(programs, 'initdb'), data, account)
    const options = [...SETTINGS, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
    const output = openSync(log, 'a')
    child = spawn(join(programs, 'postgres'), ['-D', data, '-p', `${port}`, ...options], {
      ...account,
      cwd: '/',
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    const release = await createDatabase(port, child, log)
    return { url: urlOf(port, 'test'), release, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** PostgreSQL refuses to run as root. This is the account without any rights. */
function findAccount() {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
}

/** Copies the programs, because the account of the server may not read this folder. Returns the folder of the copied programs. */
function copyPackage(version, folder) {
  const source = join(__dirname, 'node_modules', `${PREFIX}${version}`)
  if (!existsSync(source)) throw new Error('The servers are missing. Install them: npm ci --prefix servers')
  const copy = join(folder, 'native')
  cpSync(join(source, 'native'), copy, { recursive: true, verbatimSymlinks: true })
  // Archives of npm contain no symbolic links. The package creates them in a script that package.json does not allow.
  for (const link of JSON.parse(readFileSync(join(copy, 'pg-symlinks.json'), 'utf8'))) {
    const [target, path] = [join(folder, link.source), join(folder, link.target)]
    if (!existsSync(path)) symlinkSync(relative(dirname(path), target), path)
  }
  return join(copy, 'bin')
}

function initialize(program, data, account) {
  const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(program, words, { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Waits for the server, creates the database and returns the release of the server. */
async function createDatabase(port, child, log) {
  const end = performance.now() + START_TIMEOUT
  for (;;) {
    const client = new Client({ connectionString: urlOf(port, 'postgres') })
    try {
      await client.connect()
    } catch (error) {
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`PostgreSQL has not started:\n${readFileSync(log, 'utf8').slice(-4000)}`, { cause: error })
      await wait(50)
      continue
    }
    try {
      await client.query('create database test')
      const { rows } = await client.query('show server_version')
      return rows[0].server_version
    } finally {
      await client.end()
    }
  }
}

function urlOf(port, database) {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}
