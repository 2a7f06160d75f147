const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')

/**
 * Starts server.js. Returns `url`, `query(name)` for statistics, which is sequential, and `stop()`. `holdsRequests`: requests with
 * `X-Hold` never get a response.
 */
exports.startServer = async (dataSource, { rows, options = {}, holdsRequests = false }) => {
  const child = fork(join(__dirname, 'server.js'), {
    env: { ...process.env, NODE_ENV: 'production', TZ: 'UTC' },
    execArgv: ['--expose-gc'],
  })
  const exit = once(child, 'exit')
  const nextMessage = async () => {
    const failed = exit.then(([status]) => Promise.reject(new Error(`The server has exited with code ${status}.`)))
    const [message] = await Promise.race([once(child, 'message'), failed])
    return message
  }
  child.send({ dataSource, options, rows, holdsRequests })
  const { port } = await nextMessage()
  let queue = Promise.resolve()
  return {
    url: `http://127.0.0.1:${port}`,
    query(name) {
      queue = queue.then(() => {
        const response = nextMessage()
        child.send(name)
        return response
      })
      return queue
    },
    async stop() {
      child.kill()
      await exit
    },
  }
}
