const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { findPort } = require('../../scripts/find-port')
const { DATABASES } = require('../data/databases')
const { readTimes } = require('./database-times')

/** Milliseconds. Under Valgrind on a busy machine a server starts for minutes. */
const START_TIMEOUT = 600_000

/**
 * Starts a server in a separate process with its own copy of the database. Returns `url`, `call(command)` with the commands of
 * measure/watch.js, `databaseTimes()` with the CPU time of the processes of the database, and `stop()`. `database` is `sqlite` or `postgres`. `settings` are environment variables, `flags` those of Node.js. `build`
 * builds other rows than those of data/tables.js. `launcher` is a command that Node.js runs under.
 */
exports.startServer = async (
  name,
  { server, settings = {}, build },
  { database, scale = 1, flags = [], watched = false, launcher = [] },
) => {
  const { copy, remove, processes, ...rows } = DATABASES[database]
  const location = await copy(await (build ?? rows.build)(scale), name)
  const port = await findPort()
  const [first, ...others] = [...launcher, process.execPath]
  const child = fork(join(__dirname, '../servers', `${server}.js`), {
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', TZ: 'UTC', BENCH_DATABASE_URL: location, BENCH_PORT: port, ...settings },
      ...(watched && { BENCH_STATEMENTS: '1' }),
    },
    execPath: first,
    execArgv: [...others, '--require', join(__dirname, 'watch.js'), ...flags],
    silent: true,
  })
  const output = collect(child)
  const exit = once(child, 'exit')
  await Promise.race([once(child, 'message'), exit.then(() => fail(name, output)), timeOut(name, output)])
  return {
    ...{ name, port, url: `http://127.0.0.1:${port}`, pid: child.pid },
    async call(command) {
      const response = once(child, 'message')
      child.send(command)
      return (await response)[0]
    },
    async databaseTimes() {
      return readTimes(await processes(location))
    },
    async stop() {
      child.kill()
      await exit
      await remove(location)
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
  await new Promise((resolve) => setTimeout(resolve, START_TIMEOUT).unref())
  fail(name, output)
}
