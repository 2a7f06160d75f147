import 'reflect-metadata'
import Module from 'node:module'
import { createJsonApi, Resource } from 'stemma'
import { DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'

// Starts an API with telemetry in a project without @opentelemetry/api.

const resolver = Module as unknown as { _resolveFilename: (name: string, ...rest: unknown[]) => string }
const resolve = resolver._resolveFilename
resolver._resolveFilename = (name, ...rest) => {
  if (name !== '@opentelemetry/api') return resolve(name, ...rest)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

@Resource('planets')
@Entity()
class Planet {
  @PrimaryGeneratedColumn() id: number
}

async function main(): Promise<void> {
  const database = { type: 'better-sqlite3', database: ':memory:', synchronize: true } as const
  const dataSource = await new DataSource({ ...database, entities: [Planet] }).initialize()
  for (const telemetry of ['off', 'on'] as const) {
    try {
      createJsonApi({ dataSource, resources: [Planet], telemetry, startUp: 'quiet' })
      console.log(`${telemetry}: starts`)
    } catch (error) {
      console.log(`${telemetry}: ${(error as Error).message}`)
    }
  }
}

void main()
