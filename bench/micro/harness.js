// Opens the library in this process, with the internals that are needed to call each part separately.
const { join } = require('node:path')
const { requireOfProject, ROOT } = require('../packages')

const dist = (path) => require(join(ROOT, 'dist', path))
exports.dist = dist
exports.toRequest = toRequest

/**
 * Returns what `createJsonApi` builds and passes to its store, so that the harness measures the same objects as an application.
 * `get(url, accept)` handles a GET request without HTTP, and returns the text of the response.
 */
exports.openWorkbench = async ({ database, entities, resources, options = {} }) => {
  requireOfProject('reflect-metadata')
  const { DataSource } = requireOfProject('typeorm')
  const dataSource = await new DataSource({ ...database, entities }).initialize()
  const {
    core: api,
    mapping,
    startUp,
  } = captureMapping(() =>
    dist('express/create-json-api').buildApi({
      dataSource,
      resources,
      page: { maxSize: 1000 },
      totals: false,
      startupLog: false,
      ...options,
    }),
  )
  const { handle } = dist('request-handler/handle')
  return {
    ...{ api, mapping, dataSource, startUp },
    async get(url, accept) {
      const response = await handle(toRequest(url, accept), api)
      if (response.status !== 200) throw new Error(`${url} returned ${response.status}: ${response.body}`)
      return response.body
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

/** Returns the result of `create`, with the mapping that it passes to its store, and its CPU time. */
function captureMapping(create) {
  let mapping
  const restore = observe(dist('store/typeorm/typeorm-store'), 'createTypeOrmStore', (argument) => {
    mapping = argument
  })
  const before = process.cpuUsage()
  const created = create()
  const { user, system } = process.cpuUsage(before)
  restore()
  return { ...created, mapping, startUp: user + system }
}

function observe(target, name, onCall) {
  const original = target[name]
  target[name] = (...args) => {
    onCall(args[0])
    return original(...args)
  }
  return () => {
    target[name] = original
  }
}
