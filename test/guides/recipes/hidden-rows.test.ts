import type { ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import { setUp, startApi } from '../../support/api'
import { ACCEPT } from '../../support/follow-pages'
import { CURSOR_WALKS, READS, WRITES } from './paper-requests'
import {
  addPapers,
  DocumentDefinition,
  FolderDefinition,
  PAPERS,
  removeSecrets,
  secretsOf,
  type Tenant,
} from './papers'

// Compares three databases: one has rows that a recipe hides, one never had them, one shows them. The responses of the first two are the same
// for every request; those of the third differ, which proves that the request could reveal the rows.

/** How each recipe hides rows, and the values of a hidden row. */
const RECIPES: readonly (readonly [which: string, readonly ResourceDefinition<object, Tenant>[], mark: object])[] = [
  ['of another tenant', [new FolderDefinition(), new DocumentDefinition()], { tenant: 'it' }],
  ['deleted by @DeleteDateColumn', [], { deletedAt: new Date('2024-01-01T00:00:00Z') }],
]

describe.each(RECIPES)('a row %s', (_which, definitions, mark) => {
  const start = (values: object) =>
    setUp(
      () => startApi(PAPERS, { definitions, context: () => ({ tenant: 'nl' }) }),
      (api) => addPapers(api, values),
    )
  const [hiding, bare, showing] = [start(mark), start(mark), start({})]
  beforeAll(() => removeSecrets(bare))

  it.each(READS)('does not change the response to GET %s', async (path) => {
    const response = facts(await hiding.get(path))
    expect(response).toEqual(facts(await bare.get(path)))
    expect(response).not.toEqual(facts(await showing.get(path)))
  })

  it.each(CURSOR_WALKS)('does not change the pages of %s, also for a cursor of a hidden row', async (path) => {
    for (let next: string | null = path; next !== null; ) {
      const { body }: Response = await showing.get(next).set(ACCEPT)
      expect(facts(await hiding.get(next).set(ACCEPT))).toEqual(facts(await bare.get(next).set(ACCEPT)))
      next = body.links.next
    }
  })

  it('is not found by conditional requests', async () => {
    await hiding.get('/documents/2').set({ 'if-none-match': '*' }).expect(404)
    const { etag = '' } = (await hiding.get('/documents/1')).headers
    const { text } = await hiding.get('/documents/1').set('if-none-match', etag).expect(304)
    expect(text).toBe('')
  })

  it.each(WRITES)('is not changed by %s %s %j, which returns %i', async (method, path, data, status) => {
    const body = data === undefined ? undefined : { data }
    const secrets = await secretsOf(hiding)
    const response = await hiding.request(method, path).send(body).expect(status)
    expect(facts(response)).toEqual(facts(await bare.request(method, path).send(body)))
    expect(await secretsOf(hiding)).toEqual(secrets)
  })

  it('is not revealed by the state after all writes', async () => {
    for (const path of ['/folders?include=documents.mentions,cover,parent', '/documents?include=mentionedBy,folder'])
      expect(facts(await hiding.get(path))).toEqual(facts(await bare.get(path)))
  })
}) // anchor: W/M-02, W/M-04

function facts({ status, headers, text }: Response) {
  return { status, location: headers.location, text }
}
