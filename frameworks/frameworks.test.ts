import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { describeApi } from './support/check-api'
import { writeProject } from './support/project'
import { startProgram } from './support/running-program'

// Each program of docs/guide/frameworks.md, compiled with the tsconfig.json of docs/start.md.

const REFUSING = `
  @Get('locked') refuse() {
    throw new JsonApiError({ title: 'Log in.', status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  }
`

/** A filter that catches everything, in the order that the page names. */
const CATCH_ALL = `@Catch() class EverythingFilter extends BaseExceptionFilter {}\n\n`
const FIRST_FILTER = '{ provide: APP_FILTER, useClass: EverythingFilter }, '

let folder: string
let nestFolder: string
let schemaFolder: string
beforeAll(() => {
  folder = writeProject('frameworks')
  nestFolder = writeProject('nestjs', 'nestjs', (text) =>
    text
      .replace('  @Get() read()', `${REFUSING}$&`)
      .replace('@Module({', `${CATCH_ALL}$&`)
      .replace('{ provide: APP_FILTER', `${FIRST_FILTER}$&`),
  )
  schemaFolder = writeProject('entity-schema', 'entity-schema')
})

describe.each([
  ['node-http', ''],
  ['fastify', '{"message":"Route GET:/missing not found","error":"Not Found","statusCode":404}'],
  ['koa', 'Not Found'],
  ['hono', '404 Not Found'],
])('%s', (name, notFound) => {
  const start = () => startProgram([process.execPath, `dist/${name}.js`], folder)
  describeApi({ start, notFound })

  it('passes its root to the API, also of a target with a host', async () => {
    const program = await start()
    const { port } = new URL(program.url)
    const pages = ['/api', '/api?x', 'http://example.com/api', '/apis'].map(async (path) => {
      const sent = get({ port, path, agent: false, headers: { accept: 'text/html' } })
      const [response] = await once(sent, 'response')
      return (await text(response)).includes('src="/api/explorer.page/')
    })
    const areExplorers = await Promise.all(pages).finally(program.terminate)
    expect(areExplorers).toEqual([true, true, true, false])
  })
})

const NOT_FOUND_OF_NESTJS = '{"message":"Cannot GET /missing","error":"Not Found","statusCode":404}'

describe.each([['main'], ['main-fastify']])('NestJS, %s', (name) => {
  const start = () => startProgram([process.execPath, `dist/${name}.js`], nestFolder)
  describeApi({ start, notFound: NOT_FOUND_OF_NESTJS })

  it('answers a JsonApiError of a controller with its status and headers', async () => {
    const program = await start()
    const { status, headers } = await fetch(`${program.url}/health/locked`, { headers: { connection: 'close' } })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    program.terminate()
  })

  it('injects providers into a definition', async () => {
    const program = await start()
    const response = await fetch(`${program.url}/api/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.api+json', connection: 'close' },
      body: JSON.stringify({ data: { type: 'notes', attributes: { text: 'spam' } } }),
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: [{ title: 'The text has a banned word.', source: { pointer: '/data/attributes/text' } }],
    })
    program.terminate()
    expect(await program.waitForEnd()).toBe(0)
  })
})

describe('EntitySchema', () => {
  const start = () => startProgram([process.execPath, 'dist/node-http.js'], schemaFolder)
  describeApi({ start, notFound: '' })
})
