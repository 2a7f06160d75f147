const { once } = require('node:events')
const { createServer } = require('node:net')

/** Below those that systems give to whoever asks for any, and to each connection that is opened: nobody comes by one of these by chance. */
const FIRST = 10_000
const COUNT = 20_000

/** A port of this machine on which nobody listens, for a server that has to be told its port before it starts. */
exports.findPort = async () => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (await isFree(port)) return port
  }
}

async function isFree(port) {
  const probe = createServer().listen(port)
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false
    throw error
  }
  await new Promise((resolve) => probe.close(resolve))
  return true
}
