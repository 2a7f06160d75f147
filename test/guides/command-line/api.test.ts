import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Box, configuration, Person } from './modules/parcels'
import { modulePath, PARCELS, run, TEA } from './support/run'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-command-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('stemma routes', () => {
  it('lists the enabled endpoints of each type, and those of no type', async () => {
    const { status, lines } = await run('routes', PARCELS)
    const rows = lines.map((line) => line.split(/ {2,}/))
    expect(status).toBe(0)
    expect(rows.filter(([, path = '']) => /^\/(?:boxes|letters|operations)/.test(path))).toEqual([
      ['GET', '/boxes', 'boxes', 'A page of boxes'],
      ['GET', '/boxes/{id}/sender', 'boxes', 'The resources of sender of boxes'],
      ['POST', '/operations', 'Up to 100 operations in one transaction'],
    ])
  })

  it('prints a JSON array with --json', async () => {
    const { output } = await run('routes', TEA, '--json')
    const routes = JSON.parse(output)
    expect(routes).toHaveLength(21)
    expect(routes[0]).toEqual({ method: 'GET', path: '/pots', type: 'pots', description: 'A page of pots' })
  })
})

describe('stemma openapi', () => {
  it('prints the document', async () => {
    const { status, output } = await run('openapi', TEA, '--export', 'unreachable')
    const paths = expect.arrayContaining(['/pots', '/cups/{id}'])
    expect([status, Object.keys(JSON.parse(output).paths)]).toEqual([0, paths])
  })

  it('writes the document to a file with --out', async () => {
    const file = join(folder, 'openapi.json')
    const lines = [`${file}: OpenAPI 3.1.1, 9 paths`]
    expect(await run('openapi', TEA, '--out', file)).toMatchObject({ status: 0, lines })
    expect(readFileSync(file, 'utf8')).toBe((await run('openapi', TEA)).output)
  })

  it('exits with 1 if the file cannot be written', async () => {
    const { status, errors } = await run('openapi', TEA, '--out', join(folder, 'missing', 'openapi.json'))
    expect([status, errors]).toEqual([1, expect.stringMatching(/^The document can't be written: Error: ENOENT/)])
  })
})

describe('stemma explain', () => {
  it('prints plan, cost and SQL, with the rules of the context that a header sets', async () => {
    const { status, lines } = await run('explain', PARCELS, '/boxes?include=sender', '--header', 'User: ann')
    expect(status).toBe(0)
    expect(lines[0]).toMatch(/^Read, cost \d+$/)
    const plan = ['  type: boxes', '  filter: and(isExactly(boxes),equals(owner,?))', '    sender:']
    expect(lines).toEqual(expect.arrayContaining(plan))
    expect(lines.filter((line) => line.startsWith('SQL: '))).toEqual(['SQL: rows', 'SQL: included sender'])
    expect(lines[lines.indexOf('SQL: rows') + 1]).toMatch(/^ {2}select .* from "parcel" t0 where .*"owner" = \?/)
  })

  it('compiles the SQL of a database that is not connected', async () => {
    const { output } = await run('explain', TEA, '/cups', '--export', 'unreachable', '--json')
    const statements = [{ reads: 'rows', text: expect.stringContaining('limit $1') }]
    expect(JSON.parse(output)).toEqual([expect.objectContaining({ does: 'read', statements })])
  })

  it('looks up the source of a related URL, and leaves the schema as it is', async () => {
    const database = join(folder, 'parcels.sqlite')
    const { dataSource } = configuration(database)
    await dataSource.initialize()
    const sender = await dataSource.getRepository(Person).save({})
    await dataSource.getRepository(Box).save({ owner: 'ann', sender })
    await dataSource.destroy()
    process.env.PARCELS_DATABASE = database
    const explain = (user: string) => run('explain', PARCELS, '/boxes/1/sender', '--header', `user: ${user}`)
    const { status, lines } = await explain('ann')
    const hidden = await explain('bob')
    const read = await run('explain', PARCELS, '/boxes', '--header', 'user: first')
    delete process.env.PARCELS_DATABASE
    expect([status, lines[0]]).toEqual([0, 'Lookup, which has run'])
    expect([read.status, readdirSync(folder)]).toEqual([0, ['openapi.json', 'parcels.sqlite']])
    const steps = ['SQL: rows', expect.stringMatching(/^Read, cost/), 'SQL: rows']
    expect(lines.filter((line) => /^(?:Read|SQL)/.test(line))).toEqual(steps)
    expect([hidden.status, hidden.errors]).toEqual([1, expect.stringMatching(/^404 /)])
  })

  it('explains a read that the explorer would answer', async () => {
    expect((await run('explain', TEA, '/cups', '--header', 'accept: text/html')).lines[0]).toMatch(/^Read, cost/)
  })

  it.each<[string, readonly string[], number, RegExp]>([
    ['an unknown type', [TEA, '/cusp'], 1, /^404 .* Did you mean 'cups'\?\n$/],
    ['an unknown parameter', [TEA, '/cups?sort=colour'], 1, /^400 .* found 'colour'/],
    ['a context that refuses the request', [PARCELS, '/boxes'], 1, /^401 Sign in\. Send the header user\.\n$/],
    ['an API without explain', [TEA, '/cups', '--export', 'createApi'], 1, /^The exported API doesn't explain/],
    ['a URL without a plan', [TEA, '/openapi.json?a'], 1, /^Only reads .* \/openapi\.json has none/],
    ['the same URL with a final slash', [TEA, '/openapi.json/'], 1, /^Only reads of resources have a plan\./],
    ['an unavailable database', [TEA, '/cups/1/pot', '--export', 'unreachable'], 2, /can't be used: .*REFUSED/s],
    ['no data source', [TEA, '/cups', '--export', 'circular'], 2, /^\S+tea\.ts can't be used: TypeError/],
    ['a URL without a slash', [TEA, 'cups'], 2, /^Expected a URL relative to the API, .* found 'cups'\.\n$/],
    ['a header without a colon', [TEA, '/cups', '--header', 'user'], 2, /^Expected a header as .*, found 'user'/],
    ['no URL', [TEA], 2, /^error: missing required argument 'url'/],
  ])('reports %s', async (_what, words, status, message) => {
    expect(await run('explain', ...words)).toMatchObject({ status, output: '', errors: expect.stringMatching(message) })
  })
})

it.each(['routes', 'openapi', 'explain'])(
  '%s prints the issues of an invalid configuration, and exits with 1',
  async (name) => {
    const words = name === 'explain' ? ['/moons'] : []
    const { status, output, errors } = await run(name, modulePath('broken.ts'), ...words)
    expect([status, output, errors]).toEqual([1, '', expect.stringMatching(/^Issues\n.*\n3 issues\n$/s)])
  },
)
