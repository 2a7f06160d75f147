import { Controller, Get, Inject } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** `GET /health`: a route of NestJS beside the API. */
@Controller('health')
export class HealthController {
  // `@Inject` works with every compiler. Some emit no types of parameters.
  @Inject(DataSource) private readonly dataSource!: DataSource

  @Get()
  async read(): Promise<{ readonly isReady: true }> {
    await this.dataSource.query('select 1')
    return { isReady: true }
  }
}
