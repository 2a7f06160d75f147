import { describeApi } from './support/check-api'
import { writeProject } from './support/project'
import { startProgram } from './support/running-program'

// Each program of docs/guide/frameworks.md, compiled with the tsconfig.json of docs/start.md.

let folder: string
let nestFolder: string
let schemaFolder: string
beforeAll(() => {
  folder = writeProject('frameworks')
  nestFolder = writeProject('nestjs', 'nestjs')
  schemaFolder = writeProject('entity-schema', 'entity-schema')
})

describe.each([
  ['node-http', ''],
  ['fastify', '{"message":"Route GET:/missing not found","error":"Not Found","statusCode":404}'],
  ['koa', 'Not Found'],
  ['hono', '404 Not Found'],
])('%s', (name, notFound) => {
  describeApi({ start: () => startProgram([process.execPath, `dist/${name}.js`], folder), notFound })
})

const NOT_FOUND_OF_NESTJS = '{"message":"Cannot GET /missing","error":"Not Found","statusCode":404}'

describe.each([['main'], ['main-fastify']])('NestJS, %s', (name) => {
  const start = () => startProgram([process.execPath, `dist/${name}.js`], nestFolder)
  describeApi({ start, notFound: NOT_FOUND_OF_NESTJS })

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
