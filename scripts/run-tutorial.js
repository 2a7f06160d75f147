// Runs docs/tutorial.md and README.md, each in an empty folder with the packed package, and prints the durations. Fails with the first failing step.
// Reuses the compiled driver of this project. Needs a build. The info string of a code block, after its language, says what it is:
// - the name of a file: the file is created; readers see the name in the line above the block;
// - `step`: a command that must succeed;
// - `serve`: a command that keeps running; the previous one is stopped;
// - `ask`: a command that must succeed; a following `answer`: the JSON that it must print;
// - `run`, which test/project/docs runs too: in TypeScript the file `main.ts`, in HTTP a request that must succeed.
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
const folder = mkdtempSync(join(tmpdir(), 'stemma-tutorial-'))

/** `exit`: how the servers of the page end after SIGTERM. The short program of the README does not handle it. */
const PAGES = [
  { path: 'docs/tutorial.md', exit: 0 },
  { path: 'README.md', exit: 'SIGTERM' },
]

/** Milliseconds until a server must listen. */
const TIMEOUT = 30_000

const ACTIONS = { step: run, serve, ask, answer: compare, request: send }

/** What a block with the word `run` is, by its language. */
const RUN = { ts: 'main.ts', http: 'request' }

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
  try {
    const tarball = pack()
    port = await findPort()
    // Node.js finds packages in this folder, but npm does not.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules', DRIVER), join(folder, 'node_modules', DRIVER))
    for (const page of PAGES) await runPage(page, tarball)
  } finally {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runPage({ path, exit }, tarball) {
  const text = readFileSync(join(root, path), 'utf8')
  const page = { path, exit, text, project: join(folder, path.toLowerCase().replace(/\W/g, '-')) }
  mkdirSync(page.project)
  const blocks = codeBlocksOf(text)
  if (blocks.length === 0) throw new Error(`${path} has no steps.`)
  const started = performance.now()
  for (const block of blocks) await perform(block, page, tarball)
  await stop(page)
  console.log(`${blocks.length} code blocks of ${path} in ${seconds(started)} s, without compiling ${DRIVER}.`)
}

function codeBlocksOf(text) {
  return [...text.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, language, word, content], index, all) => ({
    what: word === 'run' ? RUN[language] : word,
    content,
    line: text.slice(0, all[index].index).split('\n').length,
  }))
}

async function perform({ what, content, line }, page, tarball) {
  const started = performance.now()
  const typed = content.replaceAll('localhost:3000', `localhost:${port}`)
  try {
    if (what in ACTIONS) await ACTIONS[what](replacePackages(typed, tarball), page)
    else writeFile(what, content.replace('listen(3000)', `listen(${port})`), page)
  } catch (error) {
    throw new Error(`${page.path}, line ${line}: ${what} failed.`, { cause: error })
  }
  console.log(`${page.path}, line ${line}: ${what}, ${seconds(started)} s`)
}

/** Installs the packed package, and all other packages from the registry except the driver. */
function replacePackages(command, tarball) {
  return command.replace('npm install stemma ', `npm install ${tarball} `).replace(` ${DRIVER}\n`, '\n')
}

function writeFile(name, content, { text, project }) {
  if (!text.includes(`\n\`${name}\`:\n\n\`\`\``)) throw new Error(`The page does not name ${name} before its code.`)
  const file = join(project, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function run(command, { project }) {
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd: project, env: environment(), stdio: 'inherit' })
}

async function serve(command, page) {
  await stop(page)
  // With `exec`, the stop signal reaches the server and not the shell.
  server = spawn('bash', ['-c', `exec env ${command}`], { cwd: page.project, env: environment(), stdio: 'inherit' })
  const until = Date.now() + TIMEOUT
  while (!(await listens())) {
    if (server.exitCode !== null || Date.now() > until) throw new Error('The server does not listen.')
    await sleep(50)
  }
}

/** Stops the server as a process manager does. */
async function stop({ exit }) {
  if (server === undefined) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const [status, signal] = await ended
  const found = status ?? signal
  server = undefined
  if (found !== exit) throw new Error(`After SIGTERM the server ended with ${found}, not with ${exit}.`)
  if (await listens()) throw new Error('The server still listens after SIGTERM.')
}

function ask(command, { project }) {
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

/** Sends a request: its first line, its headers, and its body after an empty line. */
async function send(request) {
  const [head, ...body] = request.split('\n\n')
  const [start, ...headers] = head.trimEnd().split('\n')
  const [method, path] = start.split(' ')
  const answer = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers: headers.map((line) => line.split(': ')),
    body: body.join('\n\n') || undefined,
  })
  if (!answer.ok) throw new Error(`The response is ${answer.status}: ${await answer.text()}`)
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
