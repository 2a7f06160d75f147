import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import express, { type RequestHandler } from 'express'
import { createJsonApi, getEntityManager, ResourceDefinition, type ResourceWrite } from 'stemma'
import { type ConnectionSettings, createDataSource } from '../../../support/data-source'
import { Page, TEAMS, Team } from '../../../support/writing-models'

// A program that serves teams slowly from the database of its first argument, and sends its port to its parent. It kills itself at the
// response of its second argument: a signal of the parent would come too late.

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
    await getEntityManager(write).insert(Page, { title: `${step} ${write.values.name}` })
    await wait(Math.random() * 5)
  }
}

async function main([place = '', last = '']: readonly string[]): Promise<void> {
  const dataSource = await createDataSource(JSON.parse(place) as ConnectionSettings, TEAMS).initialize()
  const { router } = createJsonApi({ dataSource, resources: TEAMS, definitions: [new Slow()], startupLog: false })
  let answers = 0
  const count: RequestHandler = (_request, response, next) => {
    response.once('finish', () => {
      answers += 1
      if (answers === Number(last)) process.kill(process.pid, 'SIGKILL')
    })
    next()
  }
  const server = express()
    .use(count, router)
    .listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

void main(process.argv.slice(2))
