// Serves the API in its own process. The first message contains the configuration; later messages ask for statistics.
const { createServer } = require('node:http')
const { monitorEventLoopDelay, performance } = require('node:perf_hooks')
const { DataSource } = require('typeorm')
const { createApi, ENTITIES } = require('./model')

process.once('message', async ({ dataSource: place, options, rows, keeps }) => {
  const dataSource = await new DataSource({
    ...place,
    entities: ENTITIES,
    synchronize: true,
  }).initialize()
  for (const [table, values] of Object.entries(rows)) await dataSource.getRepository(table).insert(values)
  const { listener } = createApi(dataSource, { ...options, ...(keeps && { context: keep }), onError: report })
  const server = createServer(listener).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  // As behind a proxy, which keeps its connections open.
  server.keepAliveTimeout = 65_000
  process.on('message', (question) => process.send(ANSWERS[question]()))
})

// The parent process may have been killed.
process.once('disconnect', () => process.exit())

/** Requests with `X-Kept` are held until the process ends. */
let kept = 0
function keep({ headers }) {
  if (headers['x-kept'] === undefined) return undefined
  kept += 1
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

const ANSWERS = {
  /** Memory after garbage collection. */
  memory() {
    global.gc()
    global.gc()
    return { ...process.memoryUsage(), reported: reported.splice(0) }
  },
  /** Bytes, and CPU microseconds since the start. */
  use() {
    const { user, system } = process.cpuUsage()
    return { rss: process.memoryUsage.rss(), cpu: user + system, kept, reported: reported.splice(0) }
  },
  /** Event-loop utilization since the last question. */
  loop() {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, utilized)
    utilized = now
    const told = { utilization, delay: delay.percentile(99) / 1e6 }
    delay.reset()
    return told
  },
}
