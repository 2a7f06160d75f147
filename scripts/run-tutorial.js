// Types docs/tutorial.md into an empty folder, with the packed package, and says how long it takes; fails with the first step that fails.
// The driver is not compiled once more: that of this project is taken. Needs a build. What a box of the page is stands behind its language:
// - the name of a file: it is written; readers see the name in the line above the box;
// - `step`: a command, which must succeed;
// - `serve`: a command that goes on; the one before it is asked to stop, and must do so with status 0;
// - `ask`: a command that must succeed; `answer` behind it: the JSON that it must have printed.
const { deepStrictEqual } = require('node:assert')
const { execFileSync, spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { connect } = require('node:net')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { findPort } = require('./find-port')

const root = join(__dirname, '..')
const page = readFileSync(join(root, 'docs', 'tutorial.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'stemma-tutorial-'))

/** How long a server may take until it listens, in milliseconds. */
const PATIENCE = 30_000

const DOINGS = { step: run, serve, ask, answer: compare }

/** A minute or two of a C compiler, on a machine that has nothing else to do. */
const DRIVER = 'better-sqlite3'

let printed = ''
let server
let port

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function main() {
  const tarball = pack()
  port = await findPort()
  const project = join(folder, 'gardens')
  mkdirSync(project)
  // Where Node.js looks as well, and npm does not.
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules', DRIVER), join(folder, 'node_modules', DRIVER))
  const boxes = boxesOf(page)
  if (boxes.length === 0) throw new Error('docs/tutorial.md has no steps.')
  const started = performance.now()
  try {
    for (const box of boxes) await perform(box, { project, tarball })
    await stop()
  } finally {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`${boxes.length} boxes of docs/tutorial.md in ${seconds(started)} s, without compiling ${DRIVER}.`)
}

function boxesOf(text) {
  return [...text.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, , what, content], index, all) => ({
    what,
    content,
    line: text.slice(0, all[index].index).split('\n').length,
  }))
}

async function perform({ what, content, line }, { project, tarball }) {
  const started = performance.now()
  const typed = content.replaceAll('localhost:3000', `localhost:${port}`)
  try {
    if (what in DOINGS) await DOINGS[what](installing(typed, tarball), project)
    else writeShown(what, { content, project })
  } catch (error) {
    throw new Error(`docs/tutorial.md, line ${line}: ${what} failed.`, { cause: error })
  }
  console.log(`line ${line}: ${what}, ${seconds(started)} s`)
}

/** The package as it would be published, and all other packages from the registry but for the driver. */
function installing(command, tarball) {
  return command.replace('npm install stemma ', `npm install ${tarball} `).replace(` ${DRIVER}\n`, '\n')
}

function writeShown(name, { content, project }) {
  if (!page.includes(`\n\`${name}\`:\n\n\`\`\``)) throw new Error(`No line tells the reader of ${name}.`)
  const file = join(project, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function run(command, project) {
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd: project, env: environment(), stdio: 'inherit' })
}

async function serve(command, project) {
  await stop()
  // `exec`, so that the signal that stops it gets to the server, not to a shell around it.
  server = spawn('bash', ['-c', `exec env ${command}`], { cwd: project, env: environment(), stdio: 'inherit' })
  const until = Date.now() + PATIENCE
  while (!(await listens())) {
    if (server.exitCode !== null || Date.now() > until) throw new Error('The server does not listen.')
    await sleep(50)
  }
}

/** As a process manager does it. */
async function stop() {
  if (server === undefined) return
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  const [status, signal] = await exit
  server = undefined
  if (status !== 0) throw new Error(`The server was asked to stop, and ended with ${status ?? signal}.`)
  if (await listens()) throw new Error('The server was asked to stop, and still listens.')
}

function ask(command, project) {
  printed = execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: project,
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
}

function compare(expected) {
  deepStrictEqual(JSON.parse(printed), JSON.parse(expected))
}

/** Nothing of this project: commands are looked for in the one that is made. */
function environment() {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name))
  return { ...Object.fromEntries(inherited), PORT: String(port), npm_config_prefer_offline: 'true' }
}

async function listens() {
  const socket = connect(port, 'localhost')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function pack() {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  })
  return join(folder, JSON.parse(packed.toString())[0].filename)
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(1)
}
