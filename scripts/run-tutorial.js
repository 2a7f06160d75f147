// Runs docs/tutorial.md in an empty folder with the packed package, and prints the duration. Fails with the first failing step. Reuses the
// compiled driver of this project. Needs a build. The info string of a code block, after its language, says what it is:
// - the name of a file: the file is created; readers see the name in the line above the block;
// - `step`: a command that must succeed;
// - `serve`: a command that keeps running; the previous one is stopped and must end with exit code 0;
// - `ask`: a command that must succeed; a following `answer`: the JSON that it must print.
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

/** Milliseconds until a server must listen. */
const TIMEOUT = 30_000

const ACTIONS = { step: run, serve, ask, answer: compare }

/** Compiling it takes a minute or two, so the compiled driver of this project is reused. */
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
  // Node.js finds packages in this folder, but npm does not.
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules', DRIVER), join(folder, 'node_modules', DRIVER))
  const blocks = codeBlocksOf(page)
  if (blocks.length === 0) throw new Error('docs/tutorial.md has no steps.')
  const started = performance.now()
  try {
    for (const block of blocks) await perform(block, { project, tarball })
    await stop()
  } finally {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`${blocks.length} code blocks of docs/tutorial.md in ${seconds(started)} s, without compiling ${DRIVER}.`)
}

function codeBlocksOf(text) {
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
    if (what in ACTIONS) await ACTIONS[what](replacePackages(typed, tarball), project)
    else writeFile(what, { content, project })
  } catch (error) {
    throw new Error(`docs/tutorial.md, line ${line}: ${what} failed.`, { cause: error })
  }
  console.log(`line ${line}: ${what}, ${seconds(started)} s`)
}

/** Installs the packed package, and all other packages from the registry except the driver. */
function replacePackages(command, tarball) {
  return command.replace('npm install stemma ', `npm install ${tarball} `).replace(` ${DRIVER}\n`, '\n')
}

function writeFile(name, { content, project }) {
  if (!page.includes(`\n\`${name}\`:\n\n\`\`\``)) throw new Error(`The tutorial does not name ${name} before its code.`)
  const file = join(project, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function run(command, project) {
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd: project, env: environment(), stdio: 'inherit' })
}

async function serve(command, project) {
  await stop()
  // With `exec`, the stop signal reaches the server and not the shell.
  server = spawn('bash', ['-c', `exec env ${command}`], { cwd: project, env: environment(), stdio: 'inherit' })
  const until = Date.now() + TIMEOUT
  while (!(await listens())) {
    if (server.exitCode !== null || Date.now() > until) throw new Error('The server does not listen.')
    await sleep(50)
  }
}

/** Stops the server as a process manager does. */
async function stop() {
  if (server === undefined) return
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  const [status, signal] = await exit
  server = undefined
  if (status !== 0) throw new Error(`After SIGTERM the server ended with ${status ?? signal}.`)
  if (await listens()) throw new Error('The server still listens after SIGTERM.')
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

/** Removes this project from the environment, so that commands are found in the new project. */
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
