// The library in this process, with the insides that its parts need to be called one by one.
const { join } = require('node:path')
const { library, loadStemma, ROOT } = require('../packages')

const dist = (path) => require(join(ROOT, 'dist', path))
exports.dist = dist
exports.toRequest = toRequest

/**
 * What `createJsonApi` makes, and on the way hands to its store and its listener: so that nothing is built here that an application would
 * not have. `ask(url, accept)` is a GET from a request that has been received to the text of its answer.
 */
exports.openWorkbench = async ({ database, entities, resources, options = {} }) => {
  library('reflect-metadata')
  const { DataSource } = library('typeorm')
  const dataSource = await new DataSource({ ...database, entities }).initialize()
  const { api, mapping, startUp } = catchInsides(() =>
    loadStemma().createJsonApi({
      dataSource,
      resources,
      page: { maxSize: 1000 },
      totals: false,
      startupLog: 'quiet',
      ...options,
    }),
  )
  const { handleRequest } = dist('request-handler/handle-request')
  return {
    ...{ api, mapping, dataSource, startUp },
    async ask(url, accept) {
      const reply = await handleRequest(toRequest(url, accept), api)
      if (reply.status !== 200) throw new Error(`${url} is answered with ${reply.status}: ${reply.body}`)
      return reply.body
    },
    close: () => dataSource.destroy(),
  }
}

function toRequest(url, accept = 'application/vnd.api+json') {
  const [path, queryString = ''] = url.split('?')
  const headers = { accept }
  const findOrigin = () => 'http://localhost'
  return { method: 'GET', findOrigin, mountPath: '', path, queryString, headers, context: undefined }
}

/** Of this call alone. */
function catchInsides(create) {
  const insides = {}
  const listener = dist('node-http/listener')
  const store = dist('store/typeorm/typeorm-store')
  const restore = [
    watch(listener, 'createListener', (api) => Object.assign(insides, { api })),
    watch(store, 'createTypeOrmStore', (mapping) => Object.assign(insides, { mapping })),
  ]
  const before = process.cpuUsage()
  create()
  const { user, system } = process.cpuUsage(before)
  for (const each of restore) each()
  return { ...insides, startUp: user + system }
}

function watch(target, name, see) {
  const original = target[name]
  target[name] = (...values) => {
    see(values[0])
    return original(...values)
  }
  return () => {
    target[name] = original
  }
}
