import 'reflect-metadata'
import express from 'express'
import { type ConfigurationWarning, createJsonApi } from 'stemma'
import { RANDOM_WRITE_ENTITIES, randomWriteServer } from '../../../properties/support/write-rounds'
import { createDataSource } from '../../../support/data-source'
import { serve } from '../../../support/server'
import { OPINIONS, Opinion } from './opinions'

// A process with one connection to the database of its argument. It sends its URL and its start-up warnings to its parent.

export interface Opened {
  readonly url: string
  readonly warnings: readonly ConfigurationWarning[]
}

/** One API for random writes, and two for opinions: with the same etagSecret in all processes, and without one. */
async function main([place = '']: readonly string[]): Promise<void> {
  const alone = { ...JSON.parse(place), poolSize: 1 }
  const dataSource = await createDataSource(alone, [...RANDOM_WRITE_ENTITIES, Opinion]).initialize()
  const warnings: ConfigurationWarning[] = []
  const app = express()
  app.use('/agreed', createJsonApi({ dataSource, ...OPINIONS, etagSecret: 'the same in all processes' }).router)
  app.use(
    '/forgetful',
    createJsonApi({ dataSource, ...OPINIONS, startupLog: (result) => warnings.push(...result.warnings) }).router,
  )
  app.use(createJsonApi({ ...randomWriteServer(dataSource), startupLog: false }).router)
  const { url } = await serve(app)
  process.send?.({ url, warnings } satisfies Opened)
}

void main(process.argv.slice(2))
