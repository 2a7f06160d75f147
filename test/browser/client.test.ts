import { join } from 'node:path'
import { build } from 'esbuild'
import type { RequestHandler } from 'express'
import { setUp } from '../support/api'
import { startHumans } from '../support/humans'
import { useBrowser } from './support/browser'
import { addFamily } from './support/explore-humans'

// Uses the typed client as applications do: the built package, bundled for browsers, in a page of the application.

const CLIENT = join(__dirname, '..', '..', 'dist', 'client.mjs')
const tab = useBrowser()
const humans = setUp(() => startHumans({ mountPath: '/api', before: servePage }), addFamily)

const servePage: RequestHandler = async ({ path }, response, next) => {
  if (path === '/')
    response.type('html').send('<!doctype html><link rel="icon" href="data:,"><title>An application</title>')
  else if (path === '/client.mjs') response.type('text/javascript').send(await bundle())
  else next()
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [CLIENT], bundle: true, format: 'esm', write: false })
  return outputFiles[0]?.text ?? ''
}

it('the bundled client reads, filters, pages and writes, and rejects with the errors of a response', async () => {
  const page = await tab.open(`${humans.url}/`)
  await page.addScriptTag({ type: 'module', content: PROGRAM })
  await page.waitForFunction('globalThis.seen !== undefined')
  expect(await page.evaluate('globalThis.seen')).toEqual({
    one: ['men', 'Arthur', 'Greta'],
    filtered: ['Greta', 'Karen'],
    paged: ['Arthur', 'Conrad', 'Greta', 'Karen'],
    created: ['women', 'Mia', 'May'],
    updated: 'Mio',
    afterDelete: 4,
    refused: [422, '/data/attributes/maidenName'],
  })
})

const PROGRAM = `
import { ascending, createClient, equals, isType, not } from '/client.mjs'

const client = createClient({ baseUrl: location.origin + '/api' })
const one = await client.get('humans', '1', { include: { wife: true } })
const { data: filtered } = await client.list('humans', { filter: isType('women', not(equals('maidenName', null))) })
const paged = []
for await (const { name } of await client.list('humans', { sort: [ascending('name')], page: { size: 2 } })) paged.push(name)
const created = await client.create('women', { attributes: { name: 'Mia', maidenName: 'May' } })
const updated = await client.update(created, { attributes: { name: 'Mio' } })
const refused = await client
  .update(updated, { attributes: { maidenName: null } })
  .catch(({ status, errors: [error] }) => [status, error.source.pointer])
await client.delete(updated)
const { total } = await client.list('humans')
globalThis.seen = {
  one: [one.type, one.name, one.wife.name],
  filtered: filtered.map(({ name }) => name),
  paged,
  created: [created.type, created.name, created.maidenName],
  updated: updated.name,
  afterDelete: total,
  refused,
}
`
