import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

// The example runs as a process of its own and gets a signal while requests are in flight.

const ROOT = join(__dirname, '..', '..', '..')
const CLIENTS = 20

async function start() {
  const { DATABASE_URL: _url, ...env } = process.env
  const child = fork(join(ROOT, 'examples/humans/main.ts'), [], {
    execArgv: ['--require', join(ROOT, 'test/support/run-typescript.js')],
    env: { ...env, PORT: '0', NODE_ENV: 'production' },
    silent: true,
  })
  let output = ''
  child.stdout?.on('data', (piece) => (output += piece))
  for (let tries = 0; tries < 300; tries += 1) {
    const [url] = /http:\/\/localhost:\d+/.exec(output) ?? []
    if (url !== undefined) return { child, url }
    await wait(100)
  }
  child.kill('SIGKILL')
  throw new Error(`The example does not listen: ${output}`)
}

/** Sends the head of a request and, once the server asks for the body, its first bytes. */
async function begin(url: string, agent: Agent, body: string) {
  const type = { 'content-type': 'application/vnd.api+json', 'content-length': Buffer.byteLength(body) }
  const client = request(`${url}/men`, { method: 'POST', headers: { ...type, expect: '100-continue' }, agent })
  const answer = new Promise<IncomingMessage>((resolve, reject) => client.on('response', resolve).on('error', reject))
  await once(client, 'continue')
  client.write(body.slice(0, 10))
  return { client, answer }
}

/** Resolves to true if the server accepts no new connection. */
async function isClosed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'answers all requests in flight after %s, and exits with 0',
  async (signal) => {
    const { child, url } = await start()
    const agent = new Agent({ keepAlive: true })
    const body = JSON.stringify({ data: { type: 'men', attributes: { name: 'Max' } } })
    const ended = once(child, 'exit')
    try {
      const sent = await Promise.all(Array.from({ length: CLIENTS }, () => begin(url, agent, body)))
      child.kill(signal)
      while (!(await isClosed(url))) await wait(10)
      for (const { client } of sent) client.end(body.slice(10))
      const responses = await Promise.all(sent.map(({ answer }) => answer))
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(sent.map(() => 201))
      expect(new Set(responses.map(({ headers }) => headers.connection))).toEqual(new Set(['close']))
      for (const response of responses) response.resume()
      expect(await ended).toEqual([0, null])
    } finally {
      agent.destroy()
      child.kill('SIGKILL')
    }
  },
  60_000,
)
