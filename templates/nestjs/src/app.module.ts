import { type DynamicModule, Module } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { HealthController } from './health.controller'

@Module({})
class AppModule {}

/** Providers and controllers can inject the data source, and use repositories beside the API. */
export function createAppModule(source: DataSource): DynamicModule {
  return {
    module: AppModule,
    controllers: [HealthController],
    providers: [{ provide: DataSource, useValue: source }],
  }
}
