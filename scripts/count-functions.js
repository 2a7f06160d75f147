// `npm run count-functions`: how many files and named functions of src one request of the family example runs through once its plans and
// statements are cached. `npm run count-functions -- --list PATCH` prints them too, for requests whose name contains `PATCH`.
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { Session } = require('node:inspector/promises')
const { join } = require('node:path')
const { fileURLToPath } = require('node:url')
const { parseArgs } = require('node:util')
const { createJsonApi } = require('stemma')
const { configuration } = require('../build/examples/humans/configuration')
const { seed } = require('../build/examples/humans/seed')
const { sourceFileAt } = require('./bundled-files')

const LIBRARY = join(__dirname, '..', 'dist', 'library.js')
const LIBRARY_TEXT = readFileSync(LIBRARY, 'utf8')
const MEDIA_TYPE = 'application/vnd.api+json'
/** After as many requests, everything that can be cached is. */
const WARM_UP = 20

const REQUESTS = {
  'GET a collection': ['GET', '/humans?filter=equals(name,%27Greta%27)&sort=-name&include=children&page[size]=5'],
  'POST a resource': ['POST', '/men', { type: 'men', attributes: { name: 'Otto', hasBeard: false } }],
  'PATCH a to-many relationship': ['PATCH', '/humans/1/relationships/children', [{ type: 'men', id: '5' }]],
}

async function main() {
  const { values, positionals } = parseArgs({ options: { list: { type: 'boolean' } }, allowPositionals: true })
  const { definitions, ...options } = configuration()
  await seed(await options.dataSource.initialize())
  // Without hooks and the explorer: the functions of the library alone.
  const api = createJsonApi({ ...options, explorer: false, startupLog: false })
  const server = createServer(api.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const profiler = new Session()
  profiler.connect()
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  for (const [name, request] of Object.entries(REQUESTS)) {
    if (!name.includes(positionals[0] ?? '')) continue
    print(name, await functionsOf(request, server.address().port, profiler), values.list)
  }
  profiler.disconnect()
  server.close()
  await options.dataSource.destroy()
}

/** The functions that the last of some equal requests calls, by file. */
async function functionsOf(request, port, profiler) {
  for (let sent = 0; sent < WARM_UP; sent += 1) await send(request, port)
  // Each call resets the counts.
  await profiler.post('Profiler.takePreciseCoverage')
  await send(request, port)
  const { result } = await profiler.post('Profiler.takePreciseCoverage')
  const called = new Map()
  for (const { functions } of result.filter(({ url }) => pathOf(url) === LIBRARY))
    for (const { functionName, ranges } of functions) {
      const [{ count, startOffset }] = ranges
      if (functionName === '' || count === 0) continue
      const file = sourceFileAt(LIBRARY, lineAt(startOffset))
      called.set(file, [...(called.get(file) ?? []), `${functionName} ${count}`])
    }
  return [...called]
}

function lineAt(offset) {
  return LIBRARY_TEXT.slice(0, offset).split('\n').length - 1
}

function pathOf(url) {
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

async function send([method, path, data], port) {
  const headers = { accept: MEDIA_TYPE, ...(data && { 'content-type': MEDIA_TYPE }) }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body: data && JSON.stringify({ data }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`)
}

function print(name, files, isListed) {
  const count = files.reduce((sum, [, names]) => sum + names.length, 0)
  console.log(`${name}: ${files.length} files, ${count} functions`)
  if (isListed) for (const [file, names] of files) console.log(`  ${file}: ${names.join(', ')}`)
}

main()
