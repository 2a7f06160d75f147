import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { connectTo } from '../../support/raw-http'
import { until } from '../../support/until'

// The example runs as a process of its own and gets a signal while requests are in flight.

const ROOT = join(__dirname, '..', '..', '..')
const CLIENTS = 20
const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const children: ChildProcess[] = []
/** The URL of an example for each signal: starting them takes longer than everything else. */
let urls: readonly string[] = []
beforeAll(async () => {
  for (const _ of SIGNALS) children.push(start())
  urls = await Promise.all(children.map(urlOf))
}, 60_000)
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

function start(): ChildProcess {
  const { DATABASE_URL: _url, ...env } = process.env
  return fork(join(ROOT, 'examples/humans/main.ts'), [], {
    execArgv: ['--require', join(ROOT, 'test/support/run-typescript.js')],
    env: { ...env, PORT: '0', NODE_ENV: 'production' },
    silent: true,
  })
}

/** Resolves as soon as the example listens. */
function urlOf(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (piece) => {
      output += piece
      const [url] = /http:\/\/localhost:\d+/.exec(output) ?? []
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(`The example does not listen: ${output}`)))
  })
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
  const socket = connectTo({ url })
  try {
    await once(socket, 'connect')
    return false
  } catch {
    return true
  } finally {
    socket.destroy()
  }
}

it.each(SIGNALS)(
  'answers all requests in flight after %s, and exits with 0',
  async (signal) => {
    const index = SIGNALS.indexOf(signal)
    const [child, url] = [children[index] as ChildProcess, urls[index] as string]
    const agent = new Agent({ keepAlive: true })
    const body = JSON.stringify({ data: { type: 'men', attributes: { name: 'Max' } } })
    const ended = once(child, 'exit')
    try {
      const sent = await Promise.all(Array.from({ length: CLIENTS }, () => begin(url, agent, body)))
      child.kill(signal)
      await until('the server accepts no connection', () => isClosed(url))
      for (const { client } of sent) client.end(body.slice(10))
      const responses = await Promise.all(sent.map(({ answer }) => answer))
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(sent.map(() => 201))
      expect(new Set(responses.map(({ headers }) => headers.connection))).toEqual(new Set(['close']))
      for (const response of responses) response.resume()
      expect(await ended).toEqual([0, null])
    } finally {
      agent.destroy()
    }
  },
  60_000,
)
