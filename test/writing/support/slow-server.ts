import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import { createJsonApi, entityManagerOf, ResourceDefinition, type ResourceWrite } from 'stemma'
import { createDataSource, type Place } from '../../support/data-source'
import { Page, TEAMS, Team } from '../../support/writing-models'

// A program: serves teams from the database that its argument names, slowly, and tells its parent on which port.

/** Writes before and after, so that a write is many statements with time between them. */
class Slow extends ResourceDefinition<Team> {
  override readonly resource = Team

  override async beforeWrite(write: ResourceWrite<Team>) {
    await this.leaveMark('before', write)
  }

  override async afterWrite(write: ResourceWrite<Team>) {
    await this.leaveMark('after', write)
  }

  private async leaveMark(step: string, write: ResourceWrite<Team>): Promise<void> {
    await entityManagerOf(write).insert(Page, { title: `${step} ${write.values.name}` })
    await wait(Math.random() * 5)
  }
}

async function main(place: Place): Promise<void> {
  const dataSource = await createDataSource(place, TEAMS).initialize()
  const { router } = createJsonApi({ dataSource, resources: TEAMS, definitions: [new Slow()], startUp: 'quiet' })
  const server = express()
    .use(router)
    .listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

void main(JSON.parse(process.argv[2] ?? ''))
