require('reflect-metadata')
const { once } = require('node:events')
const express = require('express')
const { createJsonApi, JsonApiError } = require('stemma')
const { DataSource } = require('typeorm')
const { configuration } = require('../../build/examples/humans/configuration')
const { seed } = require('../../build/examples/humans/seed')
const { hierarchyOf } = require('./hierarchy')

/** A scheme of each kind that the explorer knows. */
const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer' },
  login: { type: 'http', scheme: 'basic' },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  queryKey: { type: 'apiKey', in: 'query', name: 'apiKey' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
}

/** Starts the APIs of all views: the example, the example with other options, and hierarchies. Returns their URLs by name. */
exports.serveApis = async () => {
  const family = configuration()
  const { dataSource } = family
  await seed(await dataSource.initialize())
  const servers = new Map()
  const start = async (name, options) => servers.set(name, await serve(options))
  await start('family', family)
  await start('explained', { ...configuration(dataSource), explain: 'always' })
  await start('secured', { ...configuration(dataSource), openApi: { securitySchemes: SECURITY_SCHEMES } })
  await start('refused', { ...configuration(dataSource), context: refuse })
  for (const size of [11, 60]) await start(`types${size}`, await configurationOf(hierarchyOf(size)))
  return {
    urls: new Map([...servers].map(([name, server]) => [name, `http://localhost:${server.address().port}`])),
    close() {
      for (const server of servers.values()) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

async function serve(options) {
  const { router } = createJsonApi({ ...options, startupLog: false })
  const server = express().use(router).listen(0)
  await once(server, 'listening')
  return server
}

function refuse() {
  throw new JsonApiError({ status: 401, title: 'Log in.' })
}

async function configurationOf(resources) {
  const database = { type: 'better-sqlite3', database: ':memory:', synchronize: true }
  const dataSource = await new DataSource({ ...database, entities: resources }).initialize()
  return { dataSource, resources, explorer: true }
}
