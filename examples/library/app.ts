import express, { type ErrorRequestHandler, type Express } from 'express'
import { createJsonApi, withReadConnection } from 'stemma'
import type { DataSource } from 'typeorm'
import { signIn } from './authentication'
import { configuration } from './configuration'

/** Creates the application on an initialized data source. `isEnding`: the process has received a signal, so it wants no more requests. */
export function createApp(dataSource: DataSource, isEnding = () => false): Express {
  const app = express()
  app.disable('x-powered-by')
  app.get('/healthz', (_request, response) => void response.json({ isAlive: true }))
  app.get('/readyz', async (_request, response) => {
    const isReady = !isEnding() && (await canRead(dataSource))
    response.status(isReady ? 200 : 503).json({ isReady })
  })
  app.use(signIn(dataSource))
  app.use('/api', createJsonApi(configuration(dataSource)).router)
  app.use(toJson)
  return app
}

/** Answers the errors of the routes above. The API has answered its own. */
const toJson: ErrorRequestHandler = (error, _request, response, _next) => {
  const { status = 500, headers = {}, message } = error
  if (status >= 500) console.error(error)
  response
    .status(status)
    .set(headers)
    .json({ error: status < 500 ? message : 'Something went wrong.' })
}

async function canRead(dataSource: DataSource): Promise<boolean> {
  const slow = new Promise<false>((resolve) => setTimeout(resolve, 2000, false).unref())
  const query = withReadConnection(dataSource, (manager) => manager.query('select 1')).then(
    () => true,
    () => false,
  )
  return Promise.race([query, slow])
}
