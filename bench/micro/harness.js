// Opens the library in this process, with the internals that are needed to call each part separately.
const { loadSource, requireOfProject, useSource } = require('../packages')

useSource()

exports.toRequest = toRequest

/**
 * Returns what `createJsonApi` builds and passes to its store, so that the harness measures the same objects as an application.
 * `get(url, accept)` handles a GET request without HTTP, and returns the text of the response.
 */
exports.openWorkbench = async ({ database, entities, resources, options = {} }) => {
  requireOfProject('reflect-metadata')
  const { DataSource } = requireOfProject('typeorm')
  const dataSource = await new DataSource({ ...database, entities }).initialize()
  const { buildApiWithCore } = loadSource('express/create-json-api')
  const before = process.cpuUsage()
  const configuration = { dataSource, resources, page: { maxSize: 1000 }, totals: false, startupLog: false, ...options }
  const { core: api } = buildApiWithCore(configuration)
  const { user, system } = process.cpuUsage(before)
  const { handleRequest } = loadSource('request-handler/handle')
  return {
    ...{ api, dataSource },
    mapping: api.store.state.mapping,
    startUp: user + system,
    async get(url, accept) {
      const response = await handleRequest(toRequest(url, accept), api)
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
