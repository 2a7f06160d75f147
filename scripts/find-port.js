const { once } = require('node:events')
const { createServer } = require('node:net')

/** Below the ports that systems assign to listeners and outgoing connections, so that no other process gets one by chance. */
const FIRST = 10_000
const COUNT = 20_000

/** Returns a port without a listener, for a server that must know its port before it starts. */
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
