import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import express, { type Router } from 'express'
import { JsonApiError, withReadConnection } from 'stemma'
import type { DataSource } from 'typeorm'
import { Member, type Role } from './entities/member'
import { isPassword } from './passwords'
import { settings } from './settings'

/** The client of a request. All rules receive it. */
export interface Client {
  readonly tenant: string
  readonly memberId: string
  readonly role: Role
}

/** A token can't be revoked, so it is valid for a short time. */
const LIFETIME = 60 * 60 * 1000

/** Returns the client that the token of a request names. */
export function identify({ headers }: IncomingMessage): Client {
  const client = readToken(headers.authorization?.replace(/^Bearer /i, '') ?? '')
  if (client !== undefined) return client
  throw new JsonApiError({ status: 401, title: 'Sign in first.', headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** `POST /tokens` takes a tenant, an email address and a password, and returns a bearer token. */
export function signIn(dataSource: DataSource): Router {
  return express.Router().post('/tokens', express.json(), async ({ body }, response) => {
    const { tenant, email, password } = (body ?? {}) as Readonly<Record<string, unknown>>
    const where = { tenant: String(tenant), email: String(email) }
    const member = await withReadConnection(dataSource, (manager) => manager.findOneBy(Member, where))
    // Takes the same time without a member, so that the response does not reveal which addresses exist.
    const isValid = await isPassword(String(password), member?.password ?? NO_PASSWORD)
    if (member === null || !isValid) return void response.status(401).json({ error: 'Unknown address or password.' })
    response.json({ token: createToken({ tenant: member.tenant, memberId: String(member.id), role: member.role }) })
  })
}

const NO_PASSWORD = `${'0'.repeat(32)}.${'0'.repeat(64)}`

/** Returns the client and the time of its end in milliseconds, with a signature. */
export function createToken(client: Client, expires = Date.now() + LIFETIME): string {
  const content = Buffer.from(JSON.stringify({ ...client, expires })).toString('base64url')
  return `${content}.${sign(content)}`
}

function readToken(token: string): Client | undefined {
  const [content = '', signature = ''] = token.split('.')
  const [expected, found] = [Buffer.from(sign(content)), Buffer.from(signature)]
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) return undefined
  const { expires, ...client } = JSON.parse(Buffer.from(content, 'base64url').toString())
  return expires > Date.now() ? client : undefined
}

function sign(content: string): string {
  return createHmac('sha256', settings.tokenSecret).update(content).digest('base64url')
}
