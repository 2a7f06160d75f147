// The library in this process, with the insides that its parts need to be called one by one.
const { join } = require('node:path')
const { library, ROOT } = require('../packages')

const dist = (path) => require(join(ROOT, 'dist', path))
exports.dist = dist
exports.toRequest = toRequest

/**
 * What `createJsonApi` makes, and on the way hands to its store: so that nothing is built here that an application would not have.
 * `ask(url, accept)` is a GET from a request that has been received to the text of its answer.
 */
exports.openWorkbench = async ({ database, entities, resources, options = {} }) => {
  library('reflect-metadata')
  const { DataSource } = library('typeorm')
  const dataSource = await new DataSource({ ...database, entities }).initialize()
  const {
    app: api,
    mapping,
    startUp,
  } = catchMapping(() =>
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
    async ask(url, accept) {
      const reply = await handle(toRequest(url, accept), api)
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

/** The mapping that this call hands to its store, besides what it returns. */
function catchMapping(create) {
  let mapping
  const restore = watch(dist('store/typeorm/typeorm-store'), 'createTypeOrmStore', (given) => {
    mapping = given
  })
  const before = process.cpuUsage()
  const created = create()
  const { user, system } = process.cpuUsage(before)
  restore()
  return { ...created, mapping, startUp: user + system }
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
