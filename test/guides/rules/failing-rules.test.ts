import { getEntityManager, type ResourceWrite } from 'stemma'
import { define, setUp } from '../../support/api'
import { createResource } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { openPoints, Point } from '../../support/points'
import type { ServerOptions } from '../../support/server'
import { startOwnServer } from '../../support/with-server'

// A pool has one connection here, so that a connection which is not returned stops the next request.

/** The step that fails. */
let failing = ''

function failAt(step: string): undefined {
  if (failing === step) throw new Error(`${step} is broken.`)
}

const failingRules = define(Point, {
  filter: () => failAt('filter'),
  prepareWrite: async () => failAt('prepareWrite'),
  async beforeWrite(write: ResourceWrite<Point>) {
    await getEntityManager(write).insert(Point, { name: 'before' })
    return failAt('beforeWrite')
  },
  async afterWrite(write: ResourceWrite<Point>) {
    await getEntityManager(write).insert(Point, { name: 'after' })
    failAt('afterWrite')
  },
  afterCommit: async () => failAt('afterCommit'),
  serialize: () => failAt('serialize'),
  meta: () => failAt('meta of a record'),
})

const reported: string[] = []
const database = setUp(openPoints)
const options: Omit<ServerOptions, 'dataSource'> = {
  resources: [Point],
  definitions: [failingRules],
  context: () => failAt('context'),
  meta: () => failAt('meta'),
  onError: (error) => reported.push((error as Error).message),
}
const server = setUp(() => startOwnServer(database, [Point], { poolSize: 1 }, options))
beforeEach(async () => {
  failing = ''
  await database.dataSource.getRepository(Point).clear()
  reported.length = 0
})

const post = () => createResource(server, 'points', { name: 'itself' })
const READ_STEPS = ['context', 'filter', 'serialize', 'meta of a record']

it.each([...READ_STEPS, 'prepareWrite', 'beforeWrite', 'afterWrite'])(
  'returns 500 and undoes the write when %s throws, reports it once, and handles the next request',
  async (step) => {
    failing = step
    expect(outcomeOf(await post())).toBe('500 server.error')
    expect(reported).toEqual([`${step} is broken.`])
    failing = ''
    expect(await database.valuesOf(Point, 'name')).toEqual([])
    await post().expect(201)
    expect(await database.valuesOf(Point, 'name')).toEqual(['after', 'before', 'itself'])
  },
)

it('keeps the write and reports the error when afterCommit throws', async () => {
  failing = 'afterCommit'
  await post().expect(201)
  expect(reported).toEqual(['afterCommit is broken.'])
  expect(await database.valuesOf(Point, 'name')).toEqual(['after', 'before', 'itself'])
})

it.each([...READ_STEPS, 'meta'])('returns 500 for a read when %s throws, and answers the next one', async (step) => {
  await post()
  failing = step
  expect(outcomeOf(await server.get('/points'))).toBe('500 server.error')
  expect(new Set(reported)).toEqual(new Set([`${step} is broken.`]))
  failing = ''
  await server.get('/points').expect(200)
}) // anchor: R/N-02
