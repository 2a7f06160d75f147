import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

// An example as it runs, told to end while requests are under way.

const ROOT = join(__dirname, '..', '..', '..')
const CLIENTS = 20

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

async function start(): Promise<Running> {
  const { DATABASE_URL: _url, ...env } = process.env
  const child = fork(join(ROOT, 'examples/humans/main.ts'), [], {
    execArgv: ['--require', join(ROOT, 'test/support/run-typescript.js')],
    env: { ...env, PORT: '0', NODE_ENV: 'production' },
    silent: true,
  })
  let said = ''
  child.stdout?.on('data', (piece) => {
    said += piece
  })
  for (let tries = 0; tries < 300; tries += 1) {
    const [url] = /http:\/\/localhost:\d+/.exec(said) ?? []
    if (url !== undefined) return { child, url }
    await wait(100)
  }
  child.kill('SIGKILL')
  throw new Error(`The example does not listen: ${said}`)
}

interface Sending {
  readonly client: ClientRequest
  readonly answer: Promise<IncomingMessage>
}

/** The head of a request, which has come when the server asks for its body, and half of that. */
async function begin(url: string, agent: Agent, body: string): Promise<Sending> {
  const type = { 'content-type': 'application/vnd.api+json', 'content-length': Buffer.byteLength(body) }
  const client = request(`${url}/men`, { method: 'POST', headers: { ...type, expect: '100-continue' }, agent })
  const answer = new Promise<IncomingMessage>((resolve, reject) => client.on('response', resolve).on('error', reject))
  await once(client, 'continue')
  client.write(body.slice(0, 10))
  return { client, answer }
}

/** Nobody new is let in. */
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
  'at %s all of them are answered, and it ends by itself',
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
      const answers = await Promise.all(sent.map(({ answer }) => answer))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(sent.map(() => 201))
      expect(new Set(answers.map(({ headers }) => headers.connection))).toEqual(new Set(['close']))
      for (const answer of answers) answer.resume()
      expect(await ended).toEqual([0, null])
    } finally {
      agent.destroy()
      child.kill('SIGKILL')
    }
  },
  60_000,
)
