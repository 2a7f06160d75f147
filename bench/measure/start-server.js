const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { findPort } = require('../../scripts/find-port')
const { DATABASES } = require('../data/databases')

const LONGEST_START = 60_000

/**
 * A server in a process of its own, on a copy of the database of its own: `url`, `ask(question)` (measure/watch.js) and `stop()`.
 * `database` is `sqlite` or `postgres`; `settings` and `flags` are for its environment and for Node.js.
 */
exports.startServer = async (name, { server, settings = {} }, { database, scale = 1, flags = [], watched = false }) => {
  const { build, copy, remove } = DATABASES[database]
  const place = await copy(await build(scale), name)
  const port = await findPort()
  const child = fork(join(__dirname, '../servers', `${server}.js`), {
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', TZ: 'UTC', BENCH_PLACE: place, BENCH_PORT: port, ...settings },
      ...(watched && { BENCH_STATEMENTS: '1' }),
    },
    execArgv: ['--require', join(__dirname, 'watch.js'), ...flags],
    silent: true,
  })
  const output = collect(child)
  const exit = once(child, 'exit')
  await Promise.race([once(child, 'message'), exit.then(() => fail(name, output)), timeOut(name, output)])
  return {
    ...{ name, port, url: `http://127.0.0.1:${port}` },
    async ask(question) {
      const answer = once(child, 'message')
      child.send(question)
      return (await answer)[0]
    },
    async stop() {
      child.kill()
      await exit
      await remove(place)
    },
  }
}

function collect({ stdout, stderr }) {
  const output = { text: '' }
  for (const stream of [stdout, stderr])
    stream.on('data', (part) => {
      output.text += part
    })
  return output
}

function fail(name, { text }) {
  throw new Error(`The server '${name}' did not start: ${text.slice(-2000)}`)
}

async function timeOut(name, output) {
  await new Promise((resolve) => setTimeout(resolve, LONGEST_START).unref())
  fail(name, output)
}
