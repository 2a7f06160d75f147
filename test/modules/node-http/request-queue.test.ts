import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createJsonApi } from 'stemma'
import { useApi } from '../../support/api'
import { BLOGS, startBlogs } from '../../support/blogs'

// Fairness between requests that keep the event loop busy.

const LONG = 20
const OPTIONS = {
  resources: BLOGS,
  startupLog: false,
  explorer: false,
  loadShedding: { maxConcurrency: null, queueTimeout: 60_000 },
} as const

type Watched = Readonly<{ server: Server; port: number; order: string[] }>

type Wrap = (listener: RequestListener) => RequestListener

/** Serves an API whose requests block the event loop in `context`, where they note that they have begun. */
function withBusy(
  work: (watched: Watched) => Promise<void>,
  begun: (request: IncomingMessage) => string = () => 'begun',
  wrap: Wrap = (listener) => listener,
): Promise<void> {
  return useApi(startBlogs(), async ({ dataSource }) => {
    const order: string[] = []
    const context = (request: IncomingMessage) => {
      order.push(begun(request))
      for (const end = performance.now() + LONG; performance.now() < end; );
    }
    const { listener } = createJsonApi({ ...OPTIONS, dataSource, context })
    const server = createServer(wrap(listener as RequestListener)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      await work({ server, port: (server.address() as AddressInfo).port, order })
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
}

/** Clients that have sent a request before. */
async function connectAll({ port, order }: Omit<Watched, 'server'>, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await askAll(sockets)
  order.length = 0
  return sockets
}

function askAll(sockets: readonly Socket[]): Promise<unknown> {
  const answers = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
  for (const [index, socket] of sockets.entries())
    socket.write(`GET /blogs HTTP/1.1\r\nHost: a\r\nX-User: ${index}\r\n\r\n`)
  return Promise.all(answers)
}

const OLD = 10
const NEW = 4

it('accepts new connections between busy requests', async () => {
  await withBusy(async (watched) => {
    const { server, port, order } = watched
    const old = await connectAll(watched, OLD)
    server.on('connection', () => order.push('let in'))
    const answers = askAll(old)
    for (let each = 0; each < NEW; each += 1) connect(port, '127.0.0.1').on('error', () => {})
    await answers
    expect(order.filter((each) => each === 'begun')).toHaveLength(OLD)
    // Else the process would look for them when the last has begun.
    expect(order.slice(0, order.lastIndexOf('begun')).filter((each) => each === 'let in')).toHaveLength(NEW)
  })
})

it('runs timers between busy requests', async () => {
  await withBusy(async (watched) => {
    const { order } = watched
    const old = await connectAll(watched, OLD)
    const timer = setInterval(() => order.push('timer'), 1)
    await askAll(old)
    clearInterval(timer)
    const between = order.slice(order.indexOf('begun'), order.lastIndexOf('begun')).filter((each) => each === 'timer')
    expect(between.length).toBeGreaterThanOrEqual(OLD - 2)
  })
})

it('starts each request in its own asynchronous context, also after waiting', async () => {
  const users = new AsyncLocalStorage<string | undefined>()
  const nameOf = ({ headers }: IncomingMessage) => String(headers['x-user'])
  await withBusy(
    async (watched) => {
      const sockets = await connectAll(watched, OLD)
      await askAll(sockets)
      expect(watched.order.sort()).toEqual(sockets.map((_socket, index) => `${index} as ${index}`))
    },
    (request) => `${nameOf(request)} as ${users.getStore()}`,
    (listener) => (request, response) => users.run(nameOf(request), () => listener(request, response)),
  )
})
