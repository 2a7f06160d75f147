import 'reflect-metadata'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Attribute, createJsonApi, equals, Resource } from 'stemma'
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { define } from '../../../support/api'

// Sends itself a few requests, and exits.

@Resource('accounts')
@Entity()
class Account {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @Attribute() @Column({ type: 'varchar', length: 80, default: 'of-the-tenant' }) tenant: string
}

const accountRules = define(Account, {
  filter: () => equals('tenant', 'of-the-tenant'),
  beforeWrite(): undefined {
    throw new TypeError('The password is hunter2.')
  },
})

async function main(): Promise<void> {
  const database = { type: 'better-sqlite3', database: ':memory:', synchronize: true } as const
  const dataSource = await new DataSource({ ...database, entities: [Account] }).initialize()
  const definitions = [accountRules]
  const { listener } = createJsonApi({ dataSource, resources: [Account], definitions, onError: () => {} })
  const server = createServer((request, response) => {
    // As if a proxy had decoded the path.
    if (request.url === '/forged') request.url = '/accounts/1\nSTEMMA 1: GET /admin 200\u001b[2J%s'
    listener(request as never, response)
  }).listen(0)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const document = JSON.stringify({ data: { type: 'accounts', attributes: { name: 'Ada Lovelace' } } })
  await fetch(`${url}/accounts?filter=equals(name,'Ada Lovelace')&sort=-name`)
  const headers = { 'content-type': 'application/vnd.api+json' }
  await fetch(`${url}/accounts`, { method: 'POST', body: document, headers })
  await fetch(`${url}/accounts/7`)
  await fetch(`${url}/forged`)
  server.close()
  await dataSource.destroy()
}

void main()
