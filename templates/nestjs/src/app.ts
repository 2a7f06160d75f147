import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { createJsonApi } from 'stemma'
import type { DataSource } from 'typeorm'
import { createAppModule } from './app.module'
import { configuration } from './configuration'

/** Creates the application on an initialized data source. The API is middleware; all other routes are those of NestJS. */
export async function createApp(source: DataSource): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(createAppModule(source), { logger: ['warn', 'error'] })
  app.use('/api', createJsonApi(configuration(source)).router)
  return app
}
