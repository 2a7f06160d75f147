// Serves the API in its own process. The first message contains the configuration; later messages ask for statistics.
const { createServer } = require('node:http')
const { monitorEventLoopDelay, performance } = require('node:perf_hooks')
const { DataSource } = require('typeorm')
const { createApi, ENTITIES } = require('./model')

process.once('message', async ({ dataSource: connection, options, rows, holdsRequests }) => {
  const dataSource = await new DataSource({
    ...connection,
    entities: ENTITIES,
    synchronize: true,
  }).initialize()
  for (const [table, values] of Object.entries(rows)) await dataSource.getRepository(table).insert(values)
  const { listener } = createApi(dataSource, {
    ...options,
    ...(holdsRequests && { context: holdRequest }),
    onError: report,
  })
  const server = createServer(listener).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  // A proxy keeps its connections open.
  server.keepAliveTimeout = 65_000
  process.on('message', (name) => process.send(STATISTICS[name]()))
})

// The parent process may have been killed.
process.once('disconnect', () => process.exit())

/** Requests with `X-Hold` are held until the process ends. */
let heldRequests = 0
function holdRequest({ headers }) {
  if (headers['x-hold'] === undefined) return undefined
  heldRequests += 1
  return new Promise(() => {})
}

/** Errors that should not have occurred. */
const reported = []
function report(error) {
  reported.push(String(error?.stack ?? error))
}

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
let utilized = performance.eventLoopUtilization()

const STATISTICS = {
  /** Memory after garbage collection. */
  memory() {
    global.gc()
    global.gc()
    return { ...process.memoryUsage(), reported: reported.splice(0) }
  },
  /** Bytes, and CPU microseconds since the start. */
  usage() {
    const { user, system } = process.cpuUsage()
    return { rss: process.memoryUsage.rss(), cpu: user + system, heldRequests, reported: reported.splice(0) }
  },
  /** Event-loop utilization since the last message. */
  eventLoop() {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, utilized)
    utilized = now
    const loop = { utilization, delay: delay.percentile(99) / 1e6 }
    delay.reset()
    return loop
  },
}
