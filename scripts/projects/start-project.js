const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { createInterface } = require('node:readline')

/**
 * Starts a compiled project that `stemma init` has written, reads its first page, and stops it. It runs `node` without npm, so that signals reach
 * it. Calls `use` with the URL in between.
 */
exports.startProject = async (
  folder,
  { program = process.execPath, words = ['dist/src/main.js'], env = process.env, use = async () => {} } = {},
) => {
  const server = spawn(program, words, { cwd: folder, env: { ...env, PORT: '0' } })
  const ended = once(server, 'exit')
  try {
    const url = await addressOf(server)
    const answer = await fetch(url)
    const document = await answer.json()
    if (answer.status !== 200 || document.meta.total !== 0)
      throw new Error(`The server returns ${JSON.stringify(document)}`)
    await use(url)
  } finally {
    server.kill()
  }
  const [status, signal] = await ended
  if (status !== 0) throw new Error(`The server ended with ${status ?? signal}.`)
}

async function addressOf({ stdout, stderr }) {
  stderr.pipe(process.stderr)
  for await (const line of createInterface({ input: stdout })) {
    const [address] = line.match(/http:\S+/) ?? []
    if (address) return address
  }
  throw new Error('The server has not printed its URL.')
}
