import express from 'express'
import { createJsonApi, Resource, type ResourceClass } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { openDatabase } from '../../support/database'
import { serve } from '../../support/server'

@Resource('logs')
@Entity('logs')
class Log {
  @PrimaryGeneratedColumn() id!: number
  @Column({ type: 'varchar', default: '' }) line!: string
}

@Resource('logs')
@Entity('other_logs')
class OtherLog {
  @PrimaryGeneratedColumn() id!: number
}

it('an application has routes of its own beside the API', async () => {
  const { dataSource, close } = await openDatabase([Log])
  const app = express()
  app.post('/echo', express.text(), (request, response) => void response.status(202).type('json').send(request.body))
  app.use('/api', createJsonApi({ dataSource, resources: [Log], startUp: 'quiet' }).router)
  const server = await serve(app)
  const response = await fetch(`${server.url}/echo`, { method: 'POST', body: '"a"' })
  expect([response.status, await response.text()]).toEqual([202, '"a"'])
  const sending = server.post('/api/logs').send({ data: { type: 'logs' } })
  const { headers, body } = await sending.expect(201)
  expect([headers.location, body.data.links.self]).toEqual(['/api/logs/1', '/api/logs/1'])
  await server.close()
  await close()
}) // anchor: W/A-15, W/A-18

it.each<readonly [title: string, entities: readonly ResourceClass[], message: string]>([
  ['two resource types have the same name', [Log, OtherLog], "'logs'"],
  ['a resource type is no entity of the DataSource', [Log], 'OtherLog'],
])('createJsonApi throws when %s', async (_title, entities, message) => {
  const { dataSource, close } = await openDatabase(entities)
  expect(() => createJsonApi({ dataSource, resources: [Log, OtherLog], startUp: 'quiet' })).toThrow(message)
  await close()
}) // anchor: W/A-16
