const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')

/**
 * Starts server.js. Returns `url`, `ask(question)`, which is sequential, and `stop()`. `keeps`: requests with `X-Kept` never get a
 * response.
 */
exports.startServer = async (dataSource, { rows, options = {}, keeps = false }) => {
  const child = fork(join(__dirname, 'server.js'), {
    env: { ...process.env, NODE_ENV: 'production', TZ: 'UTC' },
    execArgv: ['--expose-gc'],
  })
  const exit = once(child, 'exit')
  const answered = async () => {
    const failed = exit.then(([status]) => Promise.reject(new Error(`The server has ended, with status ${status}.`)))
    const [answer] = await Promise.race([once(child, 'message'), failed])
    return answer
  }
  child.send({ dataSource, options, rows, keeps })
  const { port } = await answered()
  let turn = Promise.resolve()
  return {
    url: `http://127.0.0.1:${port}`,
    ask(question) {
      turn = turn.then(() => {
        const answer = answered()
        child.send(question)
        return answer
      })
      return turn
    },
    async stop() {
      child.kill()
      await exit
    },
  }
}
